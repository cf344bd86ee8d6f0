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

// TestHealthSurvivesReloads of a route that is judged as before.
func TestHealthSurvivesReloads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, hosts := judging(t, judgedRoute(), Options{})
		hosts.set("b", status(500))
		asks(x, 6, "/a/x")
		for what, test := range map[string]struct {
			change func(*plan.Route)
			kept   bool
		}{
			"1 nothing":  {func(*plan.Route) {}, true},
			"2 timeouts": {func(r *plan.Route) { r.AttemptTimeout = 500 }, true},
			"3 balancer": {func(r *plan.Route) { r.LoadBalancer.Type = "LeastConnection" }, true},
		} {
			if err := x.Swap(judgedRoute(test.change)); err != nil {
				t.Fatal(err)
			}
			if got := x.Pipelines().Pipeline("/a/{all}").Hosts().Troubled(); got != test.kept {
				t.Errorf("%s: got state kept %v, want %v", what, got, test.kept)
			}
		}
		if err := x.Swap(judgedRoute(func(r *plan.Route) { r.PassiveHealth.MinimumThroughput = 3 })); err != nil {
			t.Fatal(err)
		}
		if x.Pipelines().Pipeline("/a/{all}").Hosts().Troubled() {
			t.Error("other numbers kept the state")
		}
	})
}

// lists is a discovery that changes its mind.
type lists struct {
	mu    sync.Mutex
	hosts map[string][]plan.Host // guarded by mu: by service
}

func (l *lists) set(service string, names ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hosts[service] = nil
	for _, name := range names {
		l.hosts[service] = append(l.hosts[service], plan.Host{Name: name})
	}
}

func (l *lists) Find(_ context.Context, service, _ string) (string, []plan.Host, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return "http", l.hosts[service], nil
}

// TestServicesHaveHealthOfTheirOwn: dynamic routes, services that nobody lists,
// and hosts that go and come back.
func TestServicesHaveHealthOfTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := judgedRoute(func(r *plan.Route) {
			r.ID, r.Match, r.Backend = "*", plan.Match{Kind: plan.Unlisted}, plan.Backend{Scheme: "http"}
		})
		found := &lists{hosts: map[string][]plan.Host{}}
		found.set("one", "a", "b", "c")
		found.set("two", "b", "c")
		x, hosts := judging(t, p, Options{Discovery: found})
		hosts.set("b", status(500))
		asks(x, 6, "/one/x")
		hosts.took()
		if asks(x, 4, "/one/x"); strings.Contains(hosts.took(), "b") {
			t.Error("a failing host of a service is asked")
		}
		if asks(x, 2, "/two/x"); !strings.Contains(hosts.took(), "b") {
			t.Error("another service does not ask its host")
		}
		found.set("one", "a", "c")
		asks(x, 1, "/one/x")
		found.set("one", "a", "b", "c")
		hosts.took()
		if asks(x, 3, "/one/x"); !strings.Contains(hosts.took(), "b") {
			t.Error("a host that was gone is not asked again")
		}
		if err := x.Swap(p); err != nil {
			t.Fatal(err)
		}
		hosts.took()
		asks(x, 3, "/one/x")
		if asks(x, 4, "/one/x"); !x.Pipelines().Service(".one").Hosts().Troubled() {
			t.Error("a reload lost the state of a service")
		}
	})
}

// addresses is a name server that knows one name.
type addresses struct{ *lists }

func (a addresses) LookupHost(ctx context.Context, name string) (out []string, err error) {
	_, found, _ := a.Find(ctx, name, "")
	for _, h := range found {
		out = append(out, h.Name)
	}
	return out, nil
}

func (a addresses) LookupSRV(context.Context, string, string, string) (string, []*net.SRV, error) {
	return "", nil, errors.New("not asked for")
}

// TestHostsThatNameServersKnowAreJudged: those that stay keep their state over
// new answers, in another order too, and one that goes loses it.
func TestHostsThatNameServersKnowAreJudged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := judgedRoute(func(r *plan.Route) {
			r.Backend.Hosts, r.Backend.Service = nil, "orders"
			r.PassiveHealth.BreakDuration = 600_000
		})
		p.Services = []plan.Service{{Name: "orders", Scheme: "http", Lookup: plan.LookupAddresses, Hosts: []plan.Host{{Name: "orders.svc"}}}}
		server := addresses{&lists{hosts: map[string][]plan.Host{}}}
		server.set("orders.svc", "a", "b", "c")
		x, hosts := judging(t, p, Options{Resolver: server})
		hosts.set("b", status(500))
		asks(x, 6, "/a/x")
		answered := func(names ...string) string {
			server.set("orders.svc", names...)
			time.Sleep(6 * time.Second)
			asks(x, 1, "/a/x") // looks them up anew, aside
			time.Sleep(time.Second)
			hosts.took()
			asks(x, 6, "/a/x")
			return hosts.took()
		}
		if got := answered("c", "b", "a", "d"); strings.Contains(got, "b") || !strings.Contains(got, "d") {
			t.Errorf("got %s, want a new host and none that fails", got)
		}
		answered("a", "c")
		if got := answered("a", "b", "c"); !strings.Contains(got, "b") {
			t.Errorf("got %s, want the host that came back", got)
		}
	})
}

// TestTheRecordSaysWhatWasPassedOver is about the access log.
func TestTheRecordSaysWhatWasPassedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		x, hosts := judging(t, judgedRoute(), Options{Done: func(_ context.Context, r *Record) {
			seen = append(seen, fmt.Sprintf("%s %s %d", r.Backend, r.HostCircuit, r.HostsSkipped))
		}})
		hosts.set("b", status(500))
		asks(x, 6, "/a/x")
		seen = nil
		asks(x, 2, "/a/x")
		time.Sleep(10 * time.Second)
		asks(x, 3, "/a/x")
		want := []string{"http://a:80 closed 1", "http://c:80 closed 1", "http://c:80 closed 0", "http://a:80 closed 0", "http://b:80 half-open 0"}
		if !slices.Equal(seen, want) {
			t.Errorf("got %q, want %q", seen, want)
		}
		for _, h := range []string{"a", "b", "c"} {
			hosts.set(h, status(500))
		}
		asks(x, 9, "/a/x")
		if last := seen[len(seen)-1]; !strings.Contains(last, " open 0") {
			t.Errorf("got %q where all fail", last)
		}
	})
}

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
		backends := map[string]*pipes{}
		for i, name := range []string{"a", "b", "c"} {
			l := &pipes{conns: make(chan net.Conn, 10), done: make(chan struct{})}
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
		x, err := New(p, Options{Dial: func(_ context.Context, _, address string) (net.Conn, error) { return backends[address].dial(), nil }})
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
