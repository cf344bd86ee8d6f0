package proxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
)

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
