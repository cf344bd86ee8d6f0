package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/plan"
)

// TestAThousandReloadsLoseNoRequest: requests are on their way all the time,
// short ones and long ones.
func TestAThousandReloadsLoseNoRequest(t *testing.T) {
	for _, library := range []bool{false, true} {
		t.Run(fmt.Sprintf("library=%v", library), func(t *testing.T) { reloadAThousandTimes(t, Options{Library: library}) })
	}
}

func reloadAThousandTimes(t *testing.T, o Options) {
	server := backend(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/slow") {
			time.Sleep(20 * time.Millisecond)
		}
		io.WriteString(w, "ok")
	})
	version := func(n int) *plan.Plan {
		return backendPlan(t, server, func(r *plan.Route) {
			r.Backend.Path = fmt.Sprintf("/b%d/{all}", n%3)
			r.Breaker = &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 3, BreakDuration: 1000}
		})
	}
	x, front := serve(t, version(0), o)
	stop := make(chan struct{})
	var sent, lost atomic.Int64
	var wg sync.WaitGroup
	const clients = 4
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}} // ports do not run out
	defer client.CloseIdleConnections()
	for i := range clients {
		wg.Go(func() {
			path := "/a/fast"
			if i == 0 {
				path = "/a/slow"
			}
			for {
				select {
				case <-stop:
					return
				default:
				}
				resp, err := http.Get(front.URL + path)
				sent.Add(1)
				if err != nil {
					lost.Add(1)
					continue
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || resp.StatusCode != 200 || string(body) != "ok" {
					lost.Add(1)
				}
			}
		})
	}
	for n := range 1000 {
		if err := x.Swap(version(n)); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	wg.Wait()
	if lost.Load() > 0 || sent.Load() == 0 {
		t.Errorf("%d of %d requests were lost", lost.Load(), sent.Load())
	}
}

// TestAReloadKeepsWhatIsUnchanged: circuits, connections and turns of the
// balancer.
func TestAReloadKeepsWhatIsUnchanged(t *testing.T) {
	connections := map[string]bool{}
	server := backend(t, func(w http.ResponseWriter, r *http.Request) {
		connections[r.RemoteAddr] = true
		if strings.Contains(r.URL.Path, "bad") {
			w.WriteHeader(500)
		}
	})
	p := func(change ...func(*plan.Route)) *plan.Plan {
		return backendPlan(t, server, append(change, func(r *plan.Route) {
			r.Failures.StatusCodes = []plan.StatusRange{{First: 500, Last: 508}}
			r.Breaker = &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 2, BreakDuration: 60_000}
		})...)
	}
	x, front := serve(t, p(), Options{})
	for range 2 {
		get(t, front.URL+"/a/good")
		if err := x.Swap(p(func(r *plan.Route) { r.Backend.Method = "GET" })); err != nil {
			t.Fatal(err)
		}
	}
	if len(connections) != 1 {
		t.Errorf("%d connections to the backend, want one that stays", len(connections))
	}
	get(t, front.URL+"/a/bad")
	get(t, front.URL+"/a/bad")
	if err := x.Swap(p()); err != nil {
		t.Fatal(err)
	}
	if got := x.Pipelines().Pipeline("/a/{all}").Breaker().State(); got != breaker.Open {
		t.Errorf("the circuit is %v after a reload, want open", got)
	}
	resp, body := get(t, front.URL+"/a/good")
	if resp.StatusCode != 503 || body != "Circuit breaker is open for route -> /a/{all}" || resp.Header.Get("Retry-After") == "" {
		t.Errorf("got %d %q, %v", resp.StatusCode, body, resp.Header)
	}
}

// TestEventsArriveWhileTheyHappen: a stream is passed on as it comes.
func TestEventsArriveWhileTheyHappen(t *testing.T) {
	next := make(chan struct{})
	server := backend(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(200)
		http.NewResponseController(w).Flush()
		for n := range 3 {
			<-next
			fmt.Fprintf(w, "data: %d\n\n", n)
			http.NewResponseController(w).Flush()
		}
	})
	_, front := serve(t, backendPlan(t, server), Options{})
	resp, err := http.Get(front.URL + "/a/events") // the head comes before any event
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	r := bufio.NewReader(resp.Body)
	for n := range 3 {
		next <- struct{}{}
		if line, err := r.ReadString('\n'); err != nil || line != fmt.Sprintf("data: %d\n", n) {
			t.Errorf("got %q, %v", line, err)
		}
		r.ReadString('\n')
	}
}

// TestInterimResponsesAndTrailersReachTheClient, each where it belongs.
func TestInterimResponsesAndTrailersReachTheClient(t *testing.T) {
	server := backend(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "</style.css>")
		w.WriteHeader(http.StatusEarlyHints)
		w.Header().Del("Link")
		w.Header().Set("Trailer", "X-Sum")
		io.WriteString(w, "body")
		w.Header().Set("X-Sum", "42")
	})
	_, front := serve(t, backendPlan(t, server), Options{})
	conn := dial(t, front)
	fmt.Fprintf(conn, "GET /a/x HTTP/1.1\r\nHost: x\r\nTE: trailers\r\nConnection: close\r\n\r\n")
	text, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"HTTP/1.1 103 Early Hints\r\nLink: </style.css>", "HTTP/1.1 200 OK", "Trailer: X-Sum", "X-Sum: 42"} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%q is missing in %q", part, text)
		}
	}
	if strings.Count(string(text), "Link:") != 1 {
		t.Errorf("the early hint is in the final header too: %q", text)
	}
}

func dial(t *testing.T, server *httptest.Server) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(time.Minute))
	return conn
}
