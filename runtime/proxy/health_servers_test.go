package proxy

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/listen/pipetest"
	"github.com/margay-dev/margay/runtime/plan"
)

// TestClientsSeeNoErrorsOfAFailingBackend has three servers on real sockets, of
// which one fails in another way each time: after a few failures no client sees
// them, and once it works again it is asked.
func TestClientsSeeNoErrorsOfAFailingBackend(t *testing.T) {
	for name, fail := range map[string]http.HandlerFunc{
		"status": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) },
		"reset":  func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		for _, kind := range []string{"RoundRobin", "LeastConnection", "CookieStickySessions"} {
			for _, version := range []string{"", "2.0"} {
				t.Run(name+" "+kind+" "+version, func(t *testing.T) { failOne(t, fail, kind, version) })
			}
		}
	}
}

// failOne runs on a clock of its own: while the first requests go round, the
// break is not over, however slow the machine is.
func failOne(t *testing.T, fail http.HandlerFunc, kind, version string) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		failing, counts := true, [3]int{}
		backends := map[string]*pipetest.Listener{}
		for i, name := range []string{"a", "b", "c"} {
			l := pipetest.New()
			backends[name+":80"] = l
			s := &http.Server{Protocols: &http.Protocols{}, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				counts[i]++
				bad := i == 0 && failing
				mu.Unlock()
				if bad {
					fail(w, r)
					return
				}
				io.WriteString(w, "ok")
			})}
			s.Protocols.SetHTTP1(true)
			s.Protocols.SetUnencryptedHTTP2(true)
			go s.Serve(l)
			defer s.Close()
		}
		p := judgedRoute(func(r *plan.Route) {
			if r.Backend.HTTPVersion = version; version != "" {
				r.Backend.VersionPolicy = plan.Exact
			}
			r.LoadBalancer = plan.LoadBalancer{Type: kind}
			if kind == "CookieStickySessions" {
				r.LoadBalancer.Key, r.LoadBalancer.Expiry = "sid", 60_000
			}
		})
		x, err := New(p, Options{Dial: func(_ context.Context, _, address string) (net.Conn, error) { return backends[address].Dial(), nil }})
		if err != nil {
			t.Fatal(err)
		}
		send := func(n int) (bad int) {
			for i := range n {
				req, w := httptest.NewRequest("GET", "/a/x", nil), httptest.NewRecorder()
				req.AddCookie(&http.Cookie{Name: "sid", Value: fmt.Sprint(i % 9)})
				if x.ServeHTTP(w, req); w.Code != 200 {
					bad++
				}
			}
			return bad
		}
		if bad := send(30); bad != 2 {
			t.Errorf("got %d errors, want the two after which the host is passed over", bad)
		}
		mu.Lock()
		failing, counts = false, [3]int{}
		mu.Unlock()
		time.Sleep(2 * time.Minute) // the break is over, and sessions that have moved are
		bad := send(9)
		mu.Lock()
		defer mu.Unlock()
		if bad > 0 || counts[0] == 0 {
			t.Errorf("got %d errors, and %v requests by host", bad, counts)
		}
		x.Close()
		time.Sleep(time.Minute) // everything ends
	})
}

// TestAnUpgradeIsJudgedByItsHandshake: WebSockets go to hosts that are well too.
func TestAnUpgradeIsJudgedByItsHandshake(t *testing.T) {
	var listed []plan.Host
	for i := range 2 {
		s := backend(t, func(w http.ResponseWriter, r *http.Request) {
			if i == 0 {
				w.WriteHeader(500)
				return
			}
			conn, out, _ := http.NewResponseController(w).Hijack()
			defer conn.Close()
			fmt.Fprint(out, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
			out.Flush()
		})
		listed = append(listed, plan.Host{Name: "127.0.0.1", Port: s.Listener.Addr().(*net.TCPAddr).Port})
	}
	_, front := serve(t, judgedRoute(func(r *plan.Route) {
		r.Backend.Hosts, r.AttemptTimeout, r.PassiveHealth.BreakDuration = listed, 60_000, 60_000
	}), Options{})
	var got []int
	for range 8 {
		req, _ := http.NewRequest("GET", front.URL+"/a/x", nil)
		req.Header.Set("Connection", "Upgrade")
		req.Header.Set("Upgrade", "websocket")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		got = append(got, resp.StatusCode)
	}
	if want := []int{500, 101, 500, 101, 101, 101, 101, 101}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
