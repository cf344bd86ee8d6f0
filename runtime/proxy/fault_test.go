package proxy_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/listen"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

// TestABodyThatIsWrongIsAnswered: net/http ends the context of a request whose
// body cannot be read on, as if the client were gone. It is there, and is told.
func TestABodyThatIsWrongIsAnswered(t *testing.T) {
	backend := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	defer backend.Close()
	port := backend.Listener.Addr().(*net.TCPAddr).Port
	p := &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}, Routes: []plan.Route{{
		ID: "/a/{x}", Name: "/a/{x}", Match: plan.Match{Kind: plan.Static, Path: "/a/{x}"},
		Backend:  plan.Backend{Scheme: "http", Path: "/{x}", Hosts: []plan.Host{{Name: "127.0.0.1", Port: port}}},
		Failures: plan.Failures{TransportErrors: plan.Failure},
	}}}
	for _, library := range []bool{false, true} {
		x, err := proxy.New(p, proxy.Options{Library: library})
		if err != nil {
			t.Fatal(err)
		}
		for _, tc := range []struct {
			name, body, status string
			limits             listen.Limits
		}{
			{"malformed", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nwrong\r\n0\r\n\r\n", "400", listen.Limits{Grace: time.Minute}},
			{"silent", "Content-Length: 100\r\n\r\n", "408", listen.Limits{Grace: 20 * time.Millisecond}},
			{"slow", "Content-Length: 100\r\n\r\nslow", "408", listen.Limits{Grace: 20 * time.Millisecond}},
		} {
			t.Run(fmt.Sprintf("library %t/%s", library, tc.name), func(t *testing.T) {
				l, err := listen.Open("127.0.0.1:0")
				if err != nil {
					t.Fatal(err)
				}
				server := listen.New(l, x, listen.Options{Limits: tc.limits})
				go server.Serve()
				defer server.Close()
				var all sync.WaitGroup
				defer all.Wait()
				for range 30 {
					all.Go(func() {
						if got := told(t, l.Addr().String(), "POST /a/1 HTTP/1.1\r\nHost: x\r\n"+tc.body); !strings.HasPrefix(got, "HTTP/1.1 "+tc.status+" ") {
							t.Errorf("it is answered %q", got)
						}
					})
				}
			})
		}
		x.Close()
	}
}

// told sends a text and returns what comes back until the connection ends.
func told(t *testing.T, addr, text string) string {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprint(c, text)
	got, _ := io.ReadAll(c)
	return string(got)
}
