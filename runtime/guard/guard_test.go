package guard_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/margay-dev/margay/runtime/fallback"
	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/guard/guardtest"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

// gateway is a proxy with guards in front of a backend that says what it was
// asked.
type gateway struct {
	*proxy.Proxy
	t     testing.TB
	front *httptest.Server
	// asked counts the requests that reached the backend; seen is the last one.
	asked atomic.Int32
	seen  atomic.Pointer[http.Request]
	// answer is what the backend answers; nil says what was asked.
	answer http.HandlerFunc
	// bodies, if set, gets the body of each request by its path.
	bodies *sync.Map
}

func testOptions() guard.Options {
	return guard.Options{Schemes: map[string]guard.Scheme{"TestA": guardtest.Words("TestA"), "TestB": guardtest.Words("TestB")}}
}

// start serves routes that lead /r0/{x} to /d/{x}, /r1/{x} to /d/{x} and so on.
func start(t testing.TB, o guard.Options, allowed []string, routes ...plan.Route) *gateway {
	t.Helper()
	return startPlan(t, o, allowed, plan.Plan{Routes: routes})
}

func startPlan(t testing.TB, o guard.Options, allowed []string, p plan.Plan) *gateway {
	t.Helper()
	g := &gateway{t: t}
	back := httptest.NewServer(http.HandlerFunc(g.serve))
	t.Cleanup(back.Close)
	g.complete(&p, back.Listener.Addr().(*net.TCPAddr).Port)
	set := guard.New(o)
	var err error
	g.Proxy, err = proxy.New(&p, proxy.Options{Guards: set.Guards, Aggregates: set.Aggregates, AllowUnenforced: allowed,
		Fallback: fallback.ForRoute})
	if err != nil {
		t.Fatal(err)
	}
	g.front = httptest.NewServer(g.Proxy)
	t.Cleanup(func() { g.front.Close(); g.Proxy.Close() })
	return g
}

func (g *gateway) complete(p *plan.Plan, port int) {
	p.Version = plan.Version
	if p.Profile.Provider == "" {
		p.Profile.Provider = plan.Builtin
	}
	for i := range p.Routes {
		r := &p.Routes[i]
		path := fmt.Sprintf("/r%d/{x}", i)
		if r.Match.Path != "" {
			path = r.Match.Path
		}
		r.ID, r.Name, r.Match.Kind, r.Match.Path = path, path, plan.Static, path
		r.Backend.Scheme, r.Backend.Hosts = "http", []plan.Host{{Name: "127.0.0.1", Port: port}}
		if r.Backend.Path == "" {
			r.Backend.Path = "/d/{x}"
		}
		r.Failures = plan.Failures{TransportErrors: plan.Failure, StatusCodes: []plan.StatusRange{{First: 500, Last: 508}}}
	}
}

func (g *gateway) serve(w http.ResponseWriter, r *http.Request) {
	g.asked.Add(1)
	body, _ := io.ReadAll(r.Body)
	g.seen.Store(r)
	if g.bodies != nil {
		g.bodies.Store(r.URL.Path, string(body))
	}
	if g.answer != nil {
		g.answer(w, r)
		return
	}
	fmt.Fprintf(w, "%s %s %s", r.Method, r.RequestURI, body)
}

// do sends a request; header is "Name: value" lines.
func (g *gateway) do(method, path, body string, header ...string) (*http.Response, string) {
	g.t.Helper()
	req, err := http.NewRequestWithContext(g.t.Context(), method, g.front.URL+path, strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	if body == "" {
		req.Body, req.ContentLength = http.NoBody, 0
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Add(name, value)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		g.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	return resp, string(text)
}

// expect sends a GET and compares status and body; an empty want is any body.
func (g *gateway) expect(path string, status int, want string, header ...string) *http.Response {
	g.t.Helper()
	resp, body := g.do("GET", path, "", header...)
	if resp.StatusCode != status || want != "" && body != want {
		g.t.Errorf("GET %s %q: got %d %q, want %d %q", path, header, resp.StatusCode, body, status, want)
	}
	return resp
}
