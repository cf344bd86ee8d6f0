package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/plan"
)

// pool is three hosts, a:80 to c:80, of which some fail.
type pool struct {
	mu    sync.Mutex
	fails map[string]func(*http.Request) (int, error) // guarded by mu: by host
	asked []string                                    // guarded by mu
}

func (p *pool) set(host string, fail func(*http.Request) (int, error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fails == nil {
		p.fails = map[string]func(*http.Request) (int, error){}
	}
	p.fails[host] = fail
}

func (p *pool) RoundTrip(r *http.Request) (*http.Response, error) {
	name, _, _ := strings.Cut(r.URL.Host, ":")
	p.mu.Lock()
	p.asked = append(p.asked, name)
	fail := p.fails[name]
	p.mu.Unlock()
	status := 200
	if fail != nil {
		var err error
		if status, err = fail(r); err != nil {
			return nil, err
		}
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(name)), ContentLength: int64(len(name)), Request: r}, nil
}

// took returns which hosts were asked since the last time.
func (p *pool) took() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := strings.Join(p.asked, "")
	p.asked = nil
	return text
}

func status(code int) func(*http.Request) (int, error) {
	return func(*http.Request) (int, error) { return code, nil }
}

func refuses(*http.Request) (int, error) {
	return 0, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
}

func hangs(r *http.Request) (int, error) {
	<-r.Context().Done()
	return 0, r.Context().Err()
}

// judgedRoute is one over the hosts of a pool, each of which is passed over for
// ten seconds after two failures in a row.
func judgedRoute(change ...func(*plan.Route)) *plan.Plan {
	r := plan.Route{
		ID: "/a/{all}", Match: plan.Match{Kind: plan.Static, Path: "/a/{all}"},
		Backend:       plan.Backend{Scheme: "http", Path: "/{all}", Hosts: []plan.Host{{Name: "a"}, {Name: "b"}, {Name: "c"}}},
		LoadBalancer:  plan.LoadBalancer{Type: "RoundRobin"},
		PassiveHealth: &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 2, BreakDuration: 10_000},
		Failures:      plan.Failures{StatusCodes: []plan.StatusRange{{First: 500, Last: 508}}, TransportErrors: plan.Failure},
		OuterTimeout:  new(plan.Millis(90_000)), AttemptTimeout: 1000,
	}
	for _, f := range change {
		f(&r)
	}
	return &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}, Routes: []plan.Route{r}}
}

// asks sends requests one after the other and returns their statuses.
func asks(x *Proxy, times int, path string) string {
	var out []string
	for range times {
		w := httptest.NewRecorder()
		x.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		out = append(out, fmt.Sprint(w.Code))
	}
	return strings.Join(slices.Compact(out), " ")
}

func judging(t *testing.T, p *plan.Plan, o Options) (*Proxy, *pool) {
	t.Helper()
	hosts := &pool{}
	o.Roundtrips = hosts
	x, err := New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	return x, hosts
}

// TestHostsFailByTheVerdictsOfTheRoute: what its breaker counts, passes a host
// over; what it does not count, does not.
func TestHostsFailByTheVerdictsOfTheRoute(t *testing.T) {
	for _, test := range []struct {
		name   string
		fail   func(*http.Request) (int, error)
		change func(*plan.Route)
		passed bool
	}{
		{"a status", status(500), func(*plan.Route) {}, true},
		{"a status that is no failure", status(404), func(*plan.Route) {}, false},
		{"no connection", refuses, func(*plan.Route) {}, true},
		{"no connection with Polly", refuses, func(r *plan.Route) { r.Failures.TransportErrors = plan.Success }, false},
		{"a timeout", hangs, func(*plan.Route) {}, true},
		{"the outer timeout", hangs, func(r *plan.Route) { r.AttemptTimeout, *r.OuterTimeout = 0, 2000 }, true},
		{"a timeout as Ocelot 24.0 runs it", hangs, func(r *plan.Route) { r.Failures.Timeouts = plan.Success }, false},
		{"a status beside a breaker", status(503), func(r *plan.Route) {
			r.Breaker = &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 9, BreakDuration: 1000}
		}, true},
		{"nobody asked", status(500), func(r *plan.Route) { r.PassiveHealth = nil }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x, hosts := judging(t, judgedRoute(test.change), Options{})
				hosts.set("b", test.fail)
				asks(x, 6, "/a/x")
				hosts.took()
				want := "abcabc"
				if test.passed {
					want = "acacac"
				}
				if asks(x, 6, "/a/x"); hosts.took() != want {
					t.Errorf("want %s", want)
				}
			})
		})
	}
}

func TestAClientCannotHaveAHostPassedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, hosts := judging(t, judgedRoute(), Options{})
		for _, h := range []string{"a", "b", "c"} {
			hosts.set(h, hangs)
		}
		for range 12 {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Millisecond, cancel)
			func() {
				defer func() { _ = recover() }() // nobody is there
				x.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/a/x", nil).WithContext(ctx))
			}()
		}
		if known := x.Pipelines().Pipeline("/a/{all}").Hosts(); known.Troubled() || len(known.All()) != 3 {
			t.Errorf("got %+v", known.All())
		}
	})
}

// TestChaosBlamesNoHost: what it answers comes from none.
func TestChaosBlamesNoHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, hosts := judging(t, judgedRoute(), Options{})
		asks(x, 3, "/a/x")
		if err := x.Swap(judgedRoute(func(r *plan.Route) {
			r.Chaos = &plan.Chaos{Outcome: &plan.ChaosOutcome{InjectionRate: 1, StatusCode: 503}}
		})); err != nil {
			t.Fatal(err)
		}
		hosts.took()
		if got := asks(x, 12, "/a/x"); got != "503" || hosts.took() != "" || x.Pipelines().Pipeline("/a/{all}").Hosts().Troubled() {
			t.Errorf("got %s, and hosts in trouble", got)
		}
	})
}

func TestARetryGoesToAnotherHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, hosts := judging(t, judgedRoute(func(r *plan.Route) {
			r.Retry = &plan.Retry{MaxRetryAttempts: 2, Backoff: plan.Constant, StatusCodes: r.Failures.StatusCodes, Methods: []string{"GET"}}
		}), Options{})
		hosts.set("a", status(500))
		if got := asks(x, 20, "/a/x"); got != "200" || strings.Count(hosts.took(), "a") != 2 {
			t.Errorf("got %s", got)
		}
	})
}

func TestAPanicCountsAndAProbeIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, hosts := judging(t, judgedRoute(), Options{})
		hosts.set("a", func(*http.Request) (int, error) { panic("a bug") })
		for range 6 {
			func() {
				defer func() { _ = recover() }()
				asks(x, 1, "/a/x")
			}()
		}
		known := x.Pipelines().Pipeline("/a/{all}").Hosts()
		if all := known.All(); all[0].State != breaker.Open {
			t.Fatalf("got %+v", all)
		}
		time.Sleep(10 * time.Second)
		hosts.set("a", nil)
		hosts.took()
		if asks(x, 6, "/a/x"); !strings.Contains(hosts.took(), "a") || known.Troubled() {
			t.Errorf("got %+v", known.All())
		}
	})
}

// TestAProbeThatIsRefusedCostsNoClient: another host is asked in its place, where
// nothing can have been sent.
func TestAProbeThatIsRefusedCostsNoClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var last Record
		x, hosts := judging(t, judgedRoute(), Options{Done: func(_ context.Context, r *Record) { last = *r }})
		hosts.set("b", refuses)
		asks(x, 6, "/a/x")
		for range 3 {
			time.Sleep(10 * time.Second)
			hosts.took()
			if got := asks(x, 9, "/a/x"); got != "200" || strings.Count(hosts.took(), "b") != 1 {
				t.Errorf("got %s, want one probe that nobody notices", got)
			}
		}
		time.Sleep(10 * time.Second)
		post := func() int {
			w := httptest.NewRecorder()
			x.ServeHTTP(w, httptest.NewRequest("POST", "/a/x", strings.NewReader("body")))
			return w.Code
		}
		if codes := []int{post(), post(), post()}; !slices.Contains(codes, 502) {
			t.Errorf("got %v, want a request with a body sent once", codes)
		}
		hosts.set("a", refuses)
		hosts.set("c", refuses)
		asks(x, 9, "/a/x")
		time.Sleep(10 * time.Second)
		if got := asks(x, 1, "/a/x"); got != "502" || last.Attempts != 2 {
			t.Errorf("got %s after %d attempts where every host refuses", got, last.Attempts)
		}
	})
}
