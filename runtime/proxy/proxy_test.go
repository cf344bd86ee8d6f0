package proxy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/balance"
	"github.com/margay-dev/margay/runtime/plan"
)

// backendPlan is a plan with one route, whose backend is a server.
func backendPlan(t testing.TB, server *httptest.Server, change ...func(*plan.Route)) *plan.Plan {
	t.Helper()
	address := server.Listener.Addr().(*net.TCPAddr)
	r := plan.Route{
		ID: "/a/{all}", Name: "/a/{all}", Match: plan.Match{Kind: plan.Static, Path: "/a/{all}"},
		Backend: plan.Backend{Scheme: "http", Path: "/b/{all}",
			Hosts: []plan.Host{{Name: "127.0.0.1", Port: address.Port}}},
		Failures: plan.Failures{TransportErrors: plan.Failure},
	}
	for _, f := range change {
		f(&r)
	}
	return &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}, Routes: []plan.Route{r}}
}

// serve starts a proxy for a plan.
func serve(t testing.TB, p *plan.Plan, o Options) (*Proxy, *httptest.Server) {
	t.Helper()
	x, err := New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(x)
	t.Cleanup(func() { front.Close(); x.Close() })
	return x, front
}

func backend(t testing.TB, f http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return s
}

func get(t testing.TB, url string) (*http.Response, string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("X-Up", "yes")
	fmt.Fprintf(w, "%s %s %s", r.Method, r.RequestURI, body)
}

func TestForwardsWithTheBackendsPath(t *testing.T) {
	_, front := serve(t, backendPlan(t, backend(t, echo)), Options{})
	for _, path := range []string{"/x?q=1", "/x%20y/z", "//x"} {
		resp, body := get(t, front.URL+"/a"+path)
		if want := "GET /b" + path + " "; resp.StatusCode != 200 || body != want || resp.Header.Get("X-Up") != "yes" {
			t.Errorf("got %d %q, want %q", resp.StatusCode, body, want)
		}
	}
}

func TestAnswersWithoutARoute(t *testing.T) {
	_, front := serve(t, backendPlan(t, backend(t, echo)), Options{})
	if resp, body := get(t, front.URL+"/none"); resp.StatusCode != 404 || body != "" || resp.Header.Get("Content-Type") != "" {
		t.Errorf("got %d %q %v", resp.StatusCode, body, resp.Header)
	}
}

func TestSendsTheBody(t *testing.T) {
	_, front := serve(t, backendPlan(t, backend(t, echo)), Options{})
	resp, err := http.Post(front.URL+"/a/x", "text/plain", strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); string(body) != "POST /b/x hello" {
		t.Errorf("got %q", body)
	}
}

func TestGuardsWrapTheForwardStep(t *testing.T) {
	var order []string
	guard := func(name string) Guard {
		return GuardFunc(func(x *Exchange, next Next) (*http.Response, error) {
			order = append(order, name)
			x.Header().Set("X-"+name, "in")
			x.Answer().Set("X-Answer-"+name, "out")
			return next(x)
		})
	}
	var seen http.Header
	server := backend(t, func(w http.ResponseWriter, r *http.Request) { seen = r.Header })
	_, front := serve(t, backendPlan(t, server), Options{Guards: func(*plan.Plan, *plan.Route) ([]Guard, []Unenforced, error) {
		return []Guard{guard("One"), guard("Two")}, nil, nil
	}})
	resp, _ := get(t, front.URL+"/a/x")
	if strings.Join(order, " ") != "One Two" || seen.Get("X-One") != "in" || resp.Header.Get("X-Answer-Two") != "out" {
		t.Errorf("got %v, %v, %v", order, seen, resp.Header)
	}
}

func TestAGuardsErrorIsTheAnswer(t *testing.T) {
	_, front := serve(t, backendPlan(t, backend(t, echo)), Options{Guards: func(*plan.Plan, *plan.Route) ([]Guard, []Unenforced, error) {
		return []Guard{GuardFunc(func(*Exchange, Next) (*http.Response, error) {
			return nil, &StatusError{Status: 403, Err: errors.New("blocked")}
		})}, nil, nil
	}})
	if resp, _ := get(t, front.URL+"/a/x"); resp.StatusCode != 403 {
		t.Errorf("got %d", resp.StatusCode)
	}
}

func TestRefusesWhatNobodyEnforces(t *testing.T) {
	p := backendPlan(t, backend(t, echo), func(r *plan.Route) {
		r.Authentication = &plan.Authentication{Schemes: []string{"Bearer"}}
	})
	x, front := serve(t, p, Options{})
	if resp, _ := get(t, front.URL+"/a/x"); resp.StatusCode != 503 || len(x.Refused()) != 1 {
		t.Errorf("got %d, %v", resp.StatusCode, x.Refused())
	}
	_, front = serve(t, p, Options{AllowUnenforced: []string{"authentication"}})
	if resp, _ := get(t, front.URL+"/a/x"); resp.StatusCode != 200 {
		t.Errorf("allowed: got %d", resp.StatusCode)
	}
}

func TestRecordsEveryRequest(t *testing.T) {
	var got []Record
	_, front := serve(t, backendPlan(t, backend(t, echo)), Options{Done: func(_ context.Context, r *Record) { got = append(got, *r) }})
	resp, err := http.Post(front.URL+"/a/x", "text/plain", strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	front.Close()
	if len(got) != 1 {
		t.Fatalf("got %d records", len(got))
	}
	r := got[0]
	if r.Route != "/a/{all}" || r.Status != 200 || r.Attempts != 1 || r.Received != 5 || r.Sent != 15 || r.BackendTarget != "/b/x" {
		t.Errorf("got %+v", r)
	}
}

func TestABodyThatBreaksOffStaysBroken(t *testing.T) {
	server := backend(t, func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("half"))
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	_, front := serve(t, backendPlan(t, server), Options{})
	resp, err := http.Get(front.URL + "/a/x")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err == nil || string(body) != "half" {
		t.Errorf("got %q, %v", body, err)
	}
}

func TestUpgradesPassThrough(t *testing.T) {
	server := backend(t, func(w http.ResponseWriter, r *http.Request) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %s\r\n\r\n", r.Header.Get("Upgrade"))
		line, _ := buffered.ReadString('\n')
		fmt.Fprintf(conn, "you said %s", line)
	})
	_, front := serve(t, backendPlan(t, server), Options{})
	conn, err := net.Dial("tcp", front.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET /a/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhi\n")
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, nil)
	if err != nil || resp.StatusCode != 101 || resp.Header.Get("Upgrade") != "websocket" {
		t.Fatalf("got %v, %v", resp, err)
	}
	if line, err := r.ReadString('\n'); err != nil || line != "you said hi\n" {
		t.Errorf("got %q, %v", line, err)
	}
}

func TestSwapChangesThePlanAndABadOneDoesNot(t *testing.T) {
	server := backend(t, echo)
	x, front := serve(t, backendPlan(t, server), Options{})
	if err := x.Swap(backendPlan(t, server, func(r *plan.Route) { r.Backend.Path = "/c/{all}" })); err != nil {
		t.Fatal(err)
	}
	if _, body := get(t, front.URL+"/a/x"); body != "GET /c/x " {
		t.Errorf("got %q", body)
	}
	if err := x.Swap(backendPlan(t, server, func(r *plan.Route) { r.Match.Path = "/a/{" })); err == nil {
		t.Error("a bad plan was taken")
	}
	if _, body := get(t, front.URL+"/a/x"); body != "GET /c/x " {
		t.Errorf("after a bad plan: got %q", body)
	}
}

// TestServicesThatDoNotExistTakeNoPlace: names are the client's to choose, and
// there is room for so many pipelines.
func TestServicesThatDoNotExistTakeNoPlace(t *testing.T) {
	server := backend(t, echo)
	p := backendPlan(t, server, func(r *plan.Route) {
		r.ID, r.Name, r.Match = "*", "*", plan.Match{Kind: plan.Unlisted}
		r.Breaker = &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 2, BreakDuration: 1000}
		r.Backend = plan.Backend{Scheme: "http"}
	})
	address := server.Listener.Addr().(*net.TCPAddr)
	p.Services = []plan.Service{{Name: "real", Hosts: []plan.Host{{Name: "127.0.0.1", Port: address.Port}}}}
	x, front := serve(t, p, Options{Done: func(context.Context, *Record) {}})
	for _, service := range []string{"real", "made-up", "made-up-too"} {
		get(t, front.URL+"/"+service+"/x")
	}
	front.Close()
	for name := range x.Pipelines().Services() {
		if name != ".real" {
			t.Errorf("the service %q has a pipeline", name)
		}
	}
}

// TestAGatewayOfAllServicesNeedsOneBalancer: with Service Fabric every name that
// a client makes up is a service.
func TestAGatewayOfAllServicesNeedsOneBalancer(t *testing.T) {
	server := backend(t, echo)
	p := backendPlan(t, server, func(r *plan.Route) {
		r.ID, r.Name, r.Match = "*", "*", plan.Match{Kind: plan.Unlisted}
		r.Backend = plan.Backend{Scheme: "http"}
		r.LoadBalancer.Type = "LeastConnection"
	})
	p.Discovery = &plan.Discovery{Type: "ServiceFabric", Host: "127.0.0.1", Port: server.Listener.Addr().(*net.TCPAddr).Port}
	x, front := serve(t, p, Options{})
	for i := range 10 {
		if resp, body := get(t, fmt.Sprintf("%s/made-up-%d/x", front.URL, i)); resp.StatusCode != 200 {
			t.Fatalf("got %d %s", resp.StatusCode, body)
		}
	}
	n := 0
	x.balancers.Keep(func(*balance.Balancer) bool { n++; return true })
	if n != 1 {
		t.Errorf("there are %d balancers", n)
	}
}
