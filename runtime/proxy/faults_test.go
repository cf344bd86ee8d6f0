package proxy

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	stdruntime "runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/listen/pipetest"
	"github.com/margay-dev/margay/runtime/plan"
)

// fault is one way in which a backend, or the network before it, fails.
type fault struct {
	name string
	// talk is what the backend does on a connection; nil: it is sound.
	talk func(conn *net.TCPConn, r *bufio.Reader)
	// dial opens connections in place of the network; nil: the network does.
	dial func(ctx context.Context) (net.Conn, error)
	// attempt and outer are the timeouts of the route; 0: a minute.
	attempt, outer plan.Millis
	// upload is how many bytes the client sends.
	upload int
	// leaves: the client goes away when it has seen the first byte.
	leaves bool

	// status and body are what the client gets; broken: and then no end.
	status int
	body   string
	broken bool
	// counts: the breaker takes it for a failure.
	counts bool
}

const (
	soundHead = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
	soon      = 200 // milliseconds, of a timeout that is meant to fire
)

// fails answers the first request with a text, and lets the rest happen.
func fails(text string, rest func(conn *net.TCPConn)) func(*net.TCPConn, *bufio.Reader) {
	return func(conn *net.TCPConn, r *bufio.Reader) {
		if req, err := http.ReadRequest(r); err == nil {
			io.Copy(io.Discard, req.Body)
			io.WriteString(conn, text)
			rest(conn)
		}
	}
}

func closes(*net.TCPConn) {}

// resets waits until what was written has been read, as far as that shows.
func resets(conn *net.TCPConn) { conn.SetLinger(0) }

// isSilent says nothing until the other side ends the connection.
func isSilent(conn *net.TCPConn) { io.Copy(io.Discard, conn) }

// trickles writes n bytes one by one; 0: until the other side has enough.
func trickles(n int) func(*net.TCPConn) {
	return func(conn *net.TCPConn) {
		for i := 0; n == 0 || i < n; i++ {
			if _, err := io.WriteString(conn, "x"); err != nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// readsNothing for a while; the system takes little in its place.
func readsNothing(conn *net.TCPConn, _ *bufio.Reader) {
	conn.SetReadBuffer(1 << 10)
	time.Sleep(time.Second)
	isSilent(conn)
}

func cannotDial(err error) func(context.Context) (net.Conn, error) {
	return func(context.Context) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
	}
}

// isLost is a connection whose first packet nobody answers.
func isLost(ctx context.Context) (net.Conn, error) {
	<-ctx.Done()
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: ctx.Err()}
}

func faults() []fault {
	return []fault{
		{name: "slow to answer", talk: fails("", func(c *net.TCPConn) { time.Sleep(soon * time.Millisecond); io.WriteString(c, soundHead+"ok") }), status: 200, body: "ok"},
		{name: "a body that comes late", talk: fails(soundHead, func(c *net.TCPConn) { time.Sleep(soon * time.Millisecond); io.WriteString(c, "ok") }), status: 200, body: "ok"},
		{name: "a body that trickles", talk: fails("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n", trickles(40)), status: 200, body: strings.Repeat("x", 40)},

		{name: "connections are refused", dial: func(ctx context.Context) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "tcp", "127.0.0.1:1")
		}, status: 502, counts: true},
		{name: "connections are lost", dial: isLost, attempt: soon, status: 503, counts: true},
		{name: "the name is not known", dial: cannotDial(&net.DNSError{Err: "no such host", Name: "backend", IsNotFound: true}), status: 502, counts: true},
		{name: "no name server answers", dial: cannotDial(&net.DNSError{Err: "i/o timeout", Name: "backend", IsTimeout: true}), status: 502, counts: true},
		{name: "no file descriptor is left", dial: cannotDial(os.NewSyscallError("socket", syscall.EMFILE)), status: 502, counts: true},

		{name: "silence", talk: fails("", isSilent), attempt: soon, status: 503, counts: true},
		{name: "silence until the outer timeout", talk: fails("", isSilent), outer: soon, status: 503, counts: true},
		{name: "nothing is read", talk: readsNothing, upload: 8 << 20, attempt: soon, status: 503, counts: true},
		{name: "a head that trickles", talk: fails("HTTP/1.1 200 OK\r\nX: ", trickles(0)), attempt: soon, status: 503, counts: true},

		{name: "closed before the head", talk: fails("", closes), status: 502, counts: true},
		{name: "reset before the head", talk: fails("", resets), status: 502, counts: true},
		{name: "closed within the head", talk: fails("HTTP/1.1 200 OK\r\nContent-Le", closes), status: 502, counts: true},
		{name: "reset within the head", talk: fails("HTTP/1.1 200 OK\r\nContent-Le", resets), status: 502, counts: true},
		{name: "no HTTP", talk: fails("SSH-2.0-OpenSSH_9.6\r\n", closes), status: 502, counts: true},
		{name: "a head without end", talk: fails("HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 2*maxResponseHeader), closes), status: 502, counts: true},

		{name: "closed within the body", talk: fails("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok", closes), status: 200, body: "ok", broken: true},
		{name: "reset within the body", talk: fails("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", resets), status: 200, broken: true},
		{name: "closed within the chunks", talk: fails("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", closes), status: 200, body: "ok", broken: true},
		{name: "no chunk", talk: fails("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n", closes), status: 200, body: "ok", broken: true},
		{name: "a body that stops, and a client that leaves", talk: fails("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok", isSilent), leaves: true, status: 200, body: "o", broken: true},
	}
}

// TestFaults is what clients see of faults, what breakers count, and that
// nothing stays behind: no goroutine, no file. When the fault is over the
// backend answers at once.
func TestFaults(t *testing.T) {
	for _, library := range []bool{false, true} {
		for _, f := range faults() {
			name := "wire/" + f.name
			if library {
				name = "library/" + f.name
			}
			leavesNothing(t, func() {
				t.Run(name, func(t *testing.T) { f.play(t, library) })
			})
		}
	}
}

// play lets a fault happen, and heals it.
func (f *fault) play(t *testing.T, library bool) {
	var healed atomic.Bool
	address := scripted(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
		if talk := f.talk; talk != nil && !healed.Load() {
			talk(conn, r)
			return
		}
		says(soundHead+"ok")(0, conn, r)
	})
	o := Options{Library: library, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		if f.dial != nil && !healed.Load() {
			return f.dial(ctx)
		}
		var d net.Dialer
		conn, err := d.DialContext(ctx, network, address)
		if err == nil && f.upload > 0 {
			err = conn.(*net.TCPConn).SetWriteBuffer(1 << 10) // it is full soon
		}
		return conn, err
	}}
	x, front := serve(t, f.plan(), o)
	const enough = 3
	circuit := x.Pipelines().Pipeline("/a/{all}").Breaker()
	for range enough {
		f.ask(t, front)
	}
	for n := enough; f.upload > 0 && circuit.State() != breaker.Open && n < 10*enough; n++ {
		f.ask(t, front) // while the proxy waits for more of the body, a timeout is nobody's failure
	}
	if s := circuit.Snapshot(); (s.State == breaker.Open) != f.counts {
		t.Errorf("after %d requests the circuit is %v, %v", enough, s.State, s.Counts)
	}
	if f.counts {
		resp, _ := get(t, front.URL+"/a/x")
		if rest, err := strconv.Atoi(resp.Header.Get("Retry-After")); resp.StatusCode != 503 || err != nil || rest > 300 || rest < 240 {
			t.Errorf("an open circuit answers %s, Retry-After %q", resp.Status, resp.Header.Get("Retry-After"))
		}
	}
	healed.Store(true)
	if err := x.Swap((&fault{}).plan()); err != nil { // a machine may be slower than a timeout that is meant to fire
		t.Fatal(err)
	}
	x.Pipelines().Pipeline("/a/{all}").Breaker().ForceClose()
	if resp, body := get(t, front.URL+"/a/x"); resp.StatusCode != 200 || body != "ok" {
		t.Errorf("healed: got %s %q", resp.Status, body)
	}
	http.DefaultClient.CloseIdleConnections()
}

// plan has one route, whose circuit opens at the third failure.
func (f *fault) plan() *plan.Plan {
	r := plan.Route{
		ID: "/a/{all}", Name: "/a/{all}", Match: plan.Match{Kind: plan.Static, Path: "/a/{all}"},
		Backend:      plan.Backend{Scheme: "http", Path: "/b/{all}", Hosts: []plan.Host{{Name: "backend", Port: 81}}},
		Failures:     plan.Failures{TransportErrors: plan.Failure},
		Breaker:      &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 3, BreakDuration: 300_000},
		OuterTimeout: new(plan.Millis(60_000)), AttemptTimeout: f.attempt,
	}
	if f.outer > 0 {
		*r.OuterTimeout = f.outer
	}
	return &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}, Routes: []plan.Route{r}}
}

// ask sends one request and compares what comes back.
func (f *fault) ask(t *testing.T, front *httptest.Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var resp *http.Response
	if f.upload > 0 {
		resp = sendAndListen(t, front, f.upload)
	} else {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, front.URL+"/a/x", nil)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err = (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req); err != nil {
			t.Fatal(err)
		}
	}
	defer resp.Body.Close()
	got := make([]byte, 1)
	if f.leaves {
		_, _ = io.ReadFull(resp.Body, got)
		cancel()
	}
	rest, err := io.ReadAll(resp.Body)
	if !f.leaves {
		got = rest
	}
	want := f.body
	if f.attempt > 0 {
		want = "Request timeout for route -> /a/{all}"
	}
	if resp.StatusCode != f.status || string(got) != want || (err != nil) != f.broken {
		t.Errorf("got %s %q, %v, want %d %q, broken %v", resp.Status, got, err, f.status, want, f.broken)
	}
}

// sendAndListen uploads so many bytes and reads the head of the answer beside
// that: who is answered while it sends, and then cut off, has the answer already.
func sendAndListen(t *testing.T, front *httptest.Server, size int) *http.Response {
	t.Helper()
	conn := dial(t, front)
	go func() {
		fmt.Fprintf(conn, "POST /a/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n", size)
		_, _ = conn.Write(make([]byte, size))
	}()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// leavesNothing runs f and waits until no more goroutines and files are there
// than before.
func leavesNothing(t *testing.T, f func()) {
	t.Helper()
	goroutines, files := stdruntime.NumGoroutine(), openFiles()
	f()
	deadline := time.Now().Add(time.Minute)
	for stdruntime.NumGoroutine() > goroutines || openFiles() > files {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Errorf("%d goroutines and %d files, before %d and %d:\n%s", stdruntime.NumGoroutine(), openFiles(), goroutines, files,
				stacks[:stdruntime.Stack(stacks, true)])
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// openFiles counts what this process has open; 0 where nobody says.
func openFiles() int {
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(all)
}

// TestASilentConnectionIsNotUsedAgain: the other side of an idle connection may
// be gone without a word. One request waits for it in vain, the next does not.
func TestASilentConnectionIsNotUsedAgain(t *testing.T) {
	for _, library := range []bool{false, true} {
		leavesNothing(t, func() {
			t.Run(fmt.Sprintf("library=%v", library), func(t *testing.T) {
				address := scripted(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
					if req, err := http.ReadRequest(r); err == nil {
						io.Copy(io.Discard, req.Body)
						io.WriteString(conn, soundHead+"ok")
						isSilent(conn)
					}
				})
				dialled := atomic.Int32{}
				patient, impatient := (&fault{}).plan(), (&fault{attempt: soon}).plan()
				x, front := serve(t, patient, Options{Library: library, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
					dialled.Add(1)
					var d net.Dialer
					return d.DialContext(ctx, network, address)
				}})
				for i, step := range []struct {
					p    *plan.Plan
					want int
				}{{patient, 200}, {impatient, 503}, {patient, 200}} { // a reload keeps connections
					if err := x.Swap(step.p); err != nil {
						t.Fatal(err)
					}
					if resp, body := get(t, front.URL+"/a/x"); resp.StatusCode != step.want {
						t.Errorf("request %d: got %s %q, want %d", i, resp.Status, body, step.want)
					}
				}
				if n := dialled.Load(); n != 2 {
					t.Errorf("%d connections were opened", n)
				}
				if s := x.Pipelines().Pipeline("/a/{all}").Breaker().Snapshot(); s.State != breaker.Closed || s.Counts.Failures != 0 {
					t.Errorf("the circuit is %v, %v", s.State, s.Counts)
				}
				http.DefaultClient.CloseIdleConnections()
			})
		})
	}
}

// TestASlowClientIsNobodysFailure: a client that stops within its body gets its
// answer when the attempt times out, and can't open the circuit.
func TestASlowClientIsNobodysFailure(t *testing.T) {
	for _, library := range []bool{false, true} {
		t.Run(fmt.Sprintf("library=%v", library), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { stopWithinBodies(t, library) })
		})
	}
}

func stopWithinBodies(t *testing.T, library bool) {
	behind, front := pipetest.New(), pipetest.New()
	x, err := New((&fault{attempt: soon}).plan(), Options{Library: library,
		Dial: func(context.Context, string, string) (net.Conn, error) { return behind.Dial(), nil }})
	if err != nil {
		t.Fatal(err)
	}
	for l, h := range map[*pipetest.Listener]http.Handler{behind: http.HandlerFunc(echo), front: x} {
		s := &http.Server{Handler: h}
		go s.Serve(l)
		defer s.Close()
	}
	for range 5 {
		conn, begun := front.Dial(), time.Now()
		defer conn.Close()
		fmt.Fprint(conn, "POST /a/x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nx")
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); resp.StatusCode != http.StatusServiceUnavailable || took != soon*time.Millisecond {
			t.Errorf("got %s after %v", resp.Status, took)
		}
	}
	if s := x.Pipelines().Pipeline("/a/{all}").Breaker().Snapshot(); s.State != breaker.Closed || s.Counts.Failures != 0 {
		t.Errorf("the circuit is %v, %v", s.State, s.Counts)
	}
	x.Close()
}

// nobodysResolver knows no name until it is told to.
type nobodysResolver struct{ knows atomic.Bool }

func (r *nobodysResolver) LookupHost(_ context.Context, host string) ([]string, error) {
	if r.knows.Load() {
		return []string{"127.0.0.1"}, nil
	}
	return nil, &net.DNSError{Err: "server misbehaving", Name: host, IsTemporary: true}
}

func (r *nobodysResolver) LookupSRV(_ context.Context, _, _, name string) (string, []*net.SRV, error) {
	return "", nil, &net.DNSError{Err: "server misbehaving", Name: name, IsTemporary: true}
}

// TestServicesComeBackWithTheirNameServer: while no name server answers, a
// service that was never found cannot be asked, which is no failure of its
// backends; when one does, it can.
func TestServicesComeBackWithTheirNameServer(t *testing.T) {
	server := backend(t, echo)
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	number, _ := strconv.Atoi(port)
	f := fault{}
	p := f.plan()
	p.Routes[0].Backend.Hosts, p.Routes[0].Backend.Service = nil, "orders"
	p.Services = []plan.Service{{Name: "orders", Lookup: plan.LookupAddresses, Hosts: []plan.Host{{Name: "orders.internal", Port: number}}}}
	resolver := &nobodysResolver{}
	x, front := serve(t, p, Options{Resolver: resolver})
	for range 5 {
		if resp, body := get(t, front.URL+"/a/x"); resp.StatusCode != http.StatusBadGateway || body != "" {
			t.Errorf("without a name server: got %s %q", resp.Status, body)
		}
	}
	if s := x.Pipelines().Pipeline("/a/{all}").Breaker().Snapshot(); s.State != breaker.Closed {
		t.Errorf("the circuit is %v", s.State)
	}
	resolver.knows.Store(true)
	deadline := time.Now().Add(time.Minute)
	for {
		resp, body := get(t, front.URL+"/a/x")
		if resp.StatusCode == http.StatusOK && strings.HasPrefix(body, "GET /b/x") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("with a name server: got %s %q", resp.Status, body)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
