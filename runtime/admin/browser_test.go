package admin_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdplog "github.com/chromedp/cdproto/log"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser is a real browser with one page, and what it complained about.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string // guarded by mu
}

// open starts a browser. Without one the test can prove nothing, which it says
// aloud.
func open(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		// One that is installed by half is none.
		if found, err := exec.LookPath(name); err == nil && exec.CommandContext(t.Context(), found, "--version").Run() == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("MISSING: no Chromium (chromium, google-chrome) in PATH, so the admin page is NOT tested; on Debian: apt-get install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1200, 800),
		chromedp.WSURLReadTimeout(generous))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	call(b, cdplog.Enable, cdp.Empty{})
	call(b, cdpruntime.Enable, cdp.Empty{})
	return b
}

// listen notes errors of scripts, and what the policy of the page forbids.
func (b *browser) listen(event any) {
	switch e := event.(type) {
	case *cdpruntime.EventExceptionThrown:
		b.complain("exception: " + e.ExceptionDetails.Text)
	case *cdplog.EventEntryAdded:
		// A connection that is lost on purpose is no mistake of the page.
		if e.Entry.Level == cdplog.EntryLevelError && e.Entry.Source != cdplog.EntrySourceNetwork {
			b.complain(string(e.Entry.Source) + ": " + e.Entry.Text)
		}
	}
}

func (b *browser) complain(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.complaints = append(b.complaints, text)
}

func (b *browser) run(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, generous)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// call sends a command of the browser's protocol.
func call[P any](b *browser, command cdp.Command[P, cdp.Empty], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, command, params); err != nil {
		b.t.Fatal(err)
	}
}

// eval returns the value of an expression as text.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[any](expression))
	if err != nil {
		b.t.Fatal(expression, err)
	}
	return fmt.Sprint(got)
}

// generous is how long a browser may take on a machine that has much else to
// do. Nothing waits longer than it has to.
const generous = 2 * time.Minute

// wait waits until an expression is true.
func (b *browser) wait(expression string) {
	b.t.Helper()
	for deadline := time.Now().Add(generous); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if b.eval(expression) == "true" {
			return
		}
	}
	b.t.Fatalf("never true: %s\nthe page says:\n%s", expression, b.eval("document.body.innerText"))
}

// keys presses keys, as somebody without a mouse does.
func (b *browser) keys(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		b.run(chromedp.KeyEvent(k))
	}
}

// tabTo presses Tab until an expression about the focused element is true.
func (b *browser) tabTo(about string) {
	b.t.Helper()
	for range 60 {
		b.keys(kb.Tab)
		if b.eval("((e) => "+about+")(document.activeElement)") == "true" {
			return
		}
	}
	b.t.Fatalf("no element is reached with Tab that is %s", about)
}

// state is what the page shows of a route's circuit.
func state(id string) string {
	return fmt.Sprintf(`([...document.querySelectorAll("#routes tbody tr")].find((r) => r.cells[0].innerText === %q)?.cells[1].innerText.trim() ?? "")`, id)
}

const live = `document.querySelector("#connection").className === "live"`

// restartable serves a handler on one address, and can be away for a while.
type restartable struct {
	t      *testing.T
	addr   string
	server *httptest.Server
}

func (r *restartable) start(h http.Handler) {
	r.t.Helper()
	addr := "127.0.0.1:0"
	if r.addr != "" {
		addr = r.addr
	}
	l, err := net.Listen("tcp", addr)
	for until := time.Now().Add(time.Minute); err != nil && time.Now().Before(until); {
		time.Sleep(20 * time.Millisecond) // a connection of somebody else may have the port for a while
		l, err = net.Listen("tcp", addr)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.addr = l.Addr().String()
	r.server = &httptest.Server{Listener: l, Config: &http.Server{Handler: h}}
	r.server.Start()
}

func (r *restartable) stop() {
	r.server.CloseClientConnections()
	r.server.Close()
}
