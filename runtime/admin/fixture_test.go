package admin_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/admin"
	"github.com/margay-dev/margay/runtime/demo"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
	"github.com/margay-dev/margay/runtime/reload"
)

const token = "0123456789abcdef"

// fixture is a proxy with its admin, before a demo backend.
type fixture struct {
	t        testing.TB
	proxy    *proxy.Proxy
	front    *httptest.Server
	backend  *httptest.Server
	history  *reload.History
	options  admin.Options
	recorder *admin.Recorder
}

func newFixture(t testing.TB, routes ...plan.Route) *fixture {
	t.Helper()
	return newFixtureOf(t, proxy.Options{}, routes...)
}

func newFixtureOf(t testing.TB, o proxy.Options, routes ...plan.Route) *fixture {
	t.Helper()
	f := &fixture{t: t, history: &reload.History{}, recorder: &admin.Recorder{}}
	f.backend = httptest.NewServer(demo.New("demo", 1))
	t.Cleanup(f.backend.Close)
	o.Observer = f.recorder
	var err error
	if f.proxy, err = proxy.New(f.plan(routes...), o); err != nil {
		t.Fatal(err)
	}
	f.front = httptest.NewServer(f.proxy)
	t.Cleanup(f.front.Close)
	f.history.Succeeded()
	f.options = admin.Options{
		Proxy: f.proxy, Recorder: f.recorder, History: f.history, Name: "shop", Token: token, Interval: 50 * time.Millisecond,
		Words: func(r *plan.Route) []string { return []string{"words about " + r.ID + "."} },
	}
	return f
}

// plan sends routes to the demo backend.
func (f *fixture) plan(routes ...plan.Route) *plan.Plan {
	host, port, _ := strings.Cut(strings.TrimPrefix(f.backend.URL, "http://"), ":")
	var number int
	if err := json.Unmarshal([]byte(port), &number); err != nil {
		f.t.Fatal(err)
	}
	for i := range routes {
		routes[i].Backend = plan.Backend{Scheme: "http", Path: routes[i].Match.Path, Hosts: []plan.Host{{Name: host, Port: number}}}
		if routes[i].PassiveHealth != nil { // the second host refuses
			routes[i].Backend.Hosts = append(routes[i].Backend.Hosts, plan.Host{Name: host, Port: 1})
		}
	}
	return &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}, Routes: routes}
}

// protected is a route whose circuit opens after two failures in a row, for ten
// minutes: a browser may take its time to show what is left of them.
func protected(path string) plan.Route {
	return plan.Route{
		ID: path, Name: path, Match: plan.Match{Kind: plan.Static, Path: path, Priority: 1},
		Failures: plan.Failures{StatusCodes: []plan.StatusRange{{First: 500, Last: 508}}, TransportErrors: plan.Failure},
		Breaker:  &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 2, BreakDuration: 600_000},
		Origins:  []plan.Origin{{Field: "breaker.minimumThroughput", At: "ocelot.json:9:44"}},
	}
}

// judged is a route whose second host, which refuses, is passed over after two
// failures in a row.
func judged(path string) plan.Route {
	r := unprotected(path)
	r.LoadBalancer.Type = "RoundRobin"
	r.PassiveHealth = &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 2, BreakDuration: 600_000}
	return r
}

func unprotected(path string) plan.Route {
	r := protected(path)
	r.Breaker, r.Origins = nil, nil
	return r
}

// ask calls the proxy.
func (f *fixture) ask(path string) int {
	f.t.Helper()
	resp, err := http.Get(f.front.URL + path)
	if err != nil {
		f.t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// turn turns a knob of the backend.
func (f *fixture) turn(query string) {
	f.t.Helper()
	resp, err := http.Post(f.backend.URL+demo.ControlPath+"?"+query, "", nil)
	if err != nil {
		f.t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		f.t.Fatal(resp.Status)
	}
}

// do asks the admin and returns status and body.
func do(h http.Handler, method, target string, header ...string) (int, string) {
	r := httptest.NewRequest(method, target, nil)
	r.Host = "127.0.0.1:8081"
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	body, _ := io.ReadAll(w.Body)
	return w.Code, string(body)
}

// row is what tests look at of a route.
type row struct {
	ID              string `json:"id"`
	Kind            string `json:"kind"`
	Refused         string `json:"refused"`
	Trouble         string
	Circuit         *circuit
	Calls           int
	Failures        int
	Rejected        int
	AttemptTimeouts int
	Opened          int
	LastFailure     *struct {
		Reason string
		Status int
	}
}

type circuit struct {
	State, Until    string
	Calls, Failures int
	Probing         bool
}

func rowsOf(t *testing.T, h http.Handler) map[string]row {
	t.Helper()
	status, body := do(h, "GET", "/api/state")
	var s struct{ Routes []row }
	if err := json.Unmarshal([]byte(body), &s); err != nil || status != http.StatusOK {
		t.Fatal(status, err, body)
	}
	rows := map[string]row{}
	for _, r := range s.Routes {
		rows[r.ID] = r
	}
	return rows
}

// contains asks for a page that has to hold some texts.
func contains(t *testing.T, h http.Handler, target string, texts []string) {
	t.Helper()
	status, body := do(h, "GET", target)
	for _, want := range texts {
		if status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %s is not in %d %s", target, want, status, body)
		}
	}
}

var errBroken = errors.New("ocelot.json:3:1: broken")

func query(id string) string { return "?route=" + url.QueryEscape(id) }
