package balance_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/balance"
	"github.com/margay-dev/margay/runtime/plan"
)

func balancer(t *testing.T, o plan.LoadBalancer) *balance.Balancer {
	t.Helper()
	b, err := balance.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func three(b *balance.Balancer) []*balance.Host {
	return b.Hosts("http", []plan.Host{{Name: "a"}, {Name: "b"}, {Name: "c"}})
}

// picks returns the first letters of what is chosen for requests with cookies.
func picks(b *balance.Balancer, hosts []*balance.Host, cookies ...string) string {
	var out strings.Builder
	for _, c := range cookies {
		h := b.Pick(hosts, &http.Request{Header: http.Header{"Cookie": {c}}})
		out.WriteString(h.Address[:1])
		h.Release()
	}
	return out.String()
}

func TestKindsOfBalancers(t *testing.T) {
	six := []string{"", "", "", "", "", ""}
	for kind, want := range map[string]string{"": "aaaaaa", "NoLoadBalancer": "aaaaaa", "RoundRobin": "abcabc", "LeastConnection": "aaaaaa"} {
		b := balancer(t, plan.LoadBalancer{Type: kind})
		if got := picks(b, three(b), six...); got != want {
			t.Errorf("%s: got %s, want %s", kind, got, want)
		}
	}
	for _, unknown := range []string{"Random", "roundrobin"} {
		if _, err := balance.New(plan.LoadBalancer{Type: unknown}); err == nil {
			t.Errorf("%s: no error", unknown)
		}
	}
	b := balancer(t, plan.LoadBalancer{})
	if b.Pick(nil, &http.Request{}) != nil {
		t.Error("picked a host of none")
	}
}

func TestLeastConnectionCountsLeases(t *testing.T) {
	b := balancer(t, plan.LoadBalancer{Type: "LeastConnection"})
	hosts := three(b)
	r := &http.Request{}
	first, second := b.Pick(hosts, r), b.Pick(hosts, r)
	if first != hosts[0] || second != hosts[1] || b.Pick(hosts, r) != hosts[2] {
		t.Error("three requests at a time did not go to three hosts")
	}
	second.Release()
	if got := b.Pick(hosts, r); got != hosts[1] || got.Leases() != 1 {
		t.Errorf("got %s with %d leases, want the host that was given back", got.Address, got.Leases())
	}
}

func TestLeastConnectionSkipsAHostThatRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := balancer(t, plan.LoadBalancer{Type: "LeastConnection"})
		hosts := three(b)
		hosts[0].Refused()
		if got := picks(b, hosts, "", ""); got != "bb" {
			t.Errorf("got %s, want another host", got)
		}
		hosts[1].Refused()
		hosts[2].Refused()
		if got := picks(b, hosts, ""); got != "a" {
			t.Errorf("got %s where all refuse, want one of them", got)
		}
		time.Sleep(time.Second)
		if got := picks(b, hosts, ""); got != "a" {
			t.Errorf("got %s after a moment", got)
		}
	})
}

func TestStickySessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := balancer(t, plan.LoadBalancer{Type: "CookieStickySessions", Key: "sid", Expiry: 1000})
		hosts := three(b)
		if got := picks(b, hosts, "sid=1", "sid=1", "SID=1", "x=y; sid=2", "", "sid=1", ""); got != "aaabcac" {
			t.Errorf("got %s", got)
		}
		if got := picks(b, hosts[1:], "sid=1"); got == "a" {
			t.Error("got a host that is not among those of the request")
		}
		time.Sleep(999 * time.Millisecond)
		if got := picks(b, hosts, "sid=2"); got != "b" {
			t.Errorf("got %s within the session", got)
		}
		time.Sleep(time.Second)
		if got := picks(b, hosts, "sid=9", "sid=2", "sid=2"); got != "bcc" {
			t.Errorf("got %s after the session", got)
		}
	})
}

func TestHostsAreOnePerAddress(t *testing.T) {
	b := balancer(t, plan.LoadBalancer{})
	for _, test := range []struct {
		scheme  string
		host    plan.Host
		address string
		header  string
	}{
		{"http", plan.Host{Name: "Shop"}, "shop:80", "shop"},
		{"wss", plan.Host{Name: "shop"}, "shop:443", "shop"},
		{"ws", plan.Host{Name: "shop", Port: 81}, "shop:81", "shop:81"},
		{"http", plan.Host{Name: "::1", Port: 80}, "[::1]:80", "[::1]"},
		{"http", plan.Host{Name: "[::1]", Port: 81}, "[::1]:81", "[::1]:81"},
		{"http", plan.Host{Name: "127.1", Port: 8080}, "127.0.0.1:8080", "127.0.0.1:8080"},
		{"http", plan.Host{Name: "0x7f000001"}, "127.0.0.1:80", "127.0.0.1"},
		{"http", plan.Host{Name: "1.2.3.4.5"}, "1.2.3.4.5:80", "1.2.3.4.5"},
	} {
		h := b.Host(test.scheme, test.host)
		if h.Address != test.address || h.Header != test.header || b.Host(test.scheme, test.host) != h {
			t.Errorf("%v: got %s and %s", test.host, h.Address, h.Header)
		}
	}
}

func TestManyHostsAreOnePerAddressToo(t *testing.T) {
	b := balancer(t, plan.LoadBalancer{})
	seen := map[*balance.Host]bool{}
	for range 2 {
		for i := range 500 {
			seen[b.Host("http", plan.Host{Name: fmt.Sprint("h", i)})] = true
		}
	}
	if len(seen) != 500 {
		t.Errorf("500 addresses became %d hosts", len(seen))
	}
}

func TestBalancersOutliveAPlan(t *testing.T) {
	var s balance.Set
	o := plan.LoadBalancer{Type: "RoundRobin"}
	first, _ := s.Of("route", o)
	if again, _ := s.Of("route", o); again != first {
		t.Error("an unchanged route got another balancer")
	}
	if other, _ := s.Of("route", plan.LoadBalancer{Type: "LeastConnection"}); other == first {
		t.Error("a changed route kept its balancer")
	}
	if again, _ := s.Of("route", o); again != first {
		t.Error("a plan that came to nothing took the balancer of a route")
	}
	o.Share = "together"
	one, _ := s.Of("one", o)
	if two, _ := s.Of("two", o); two != one {
		t.Error("routes that share a balancer got two")
	}
	s.Keep(func(b *balance.Balancer) bool { return false })
	if after, _ := s.Of("one", o); after == one {
		t.Error("a balancer that is not in use was kept")
	}
}

// TestServicesThatClientsMakeUpTakeBoundedMemory: the one that was asked for
// longest ago goes.
func TestServicesThatClientsMakeUpTakeBoundedMemory(t *testing.T) {
	s := balance.Set{MaxServices: 2}
	of := func(service string) *balance.Balancer {
		b, err := s.OfService(service, "prod", plan.LoadBalancer{Type: "RoundRobin", Share: "no meaning"})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	a, b := of("a"), of("b")
	if a == b || of("a") != a {
		t.Fatal("a service has not one balancer of its own")
	}
	of("c") // b was asked for longest ago
	if of("a") != a {
		t.Error("a service in use was forgotten")
	}
	if of("b") == b {
		t.Error("more services are known than there is room for")
	}
	s.Keep(func(*balance.Balancer) bool { return false })
	if of("a") != a {
		t.Error("a service was forgotten with a plan")
	}
}

// nameServer answers from a table; an empty one is down.
type nameServer struct {
	mu    sync.Mutex
	hosts map[string][]string // guarded by mu
	asked int                 // guarded by mu
}

func (n *nameServer) know(hosts map[string][]string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hosts = hosts
}

func (n *nameServer) questions() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.asked
}

func (n *nameServer) LookupHost(_ context.Context, name string) ([]string, error) {
	time.Sleep(10 * time.Millisecond)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked++
	switch found, ok := n.hosts[name]; {
	case n.hosts == nil:
		return nil, errors.New("no name server answers")
	case !ok:
		return nil, &net.DNSError{IsNotFound: true}
	default:
		return append([]string(nil), found...), nil
	}
}

func (n *nameServer) LookupSRV(_ context.Context, _, _, name string) (string, []*net.SRV, error) {
	return name, []*net.SRV{{Target: "b.example.", Port: 82, Priority: 1}, {Target: "a.example.", Port: 81, Priority: 1},
		{Target: "spare.example.", Port: 83, Priority: 2}}, nil
}

func find(t *testing.T, d balance.Discovery, service, namespace string) string {
	t.Helper()
	scheme, hosts, err := d.Find(t.Context(), service, namespace)
	if err != nil {
		return err.Error()
	}
	return scheme + fmt.Sprint(hosts)
}

func TestServicesAreListedOrKnownToNameServers(t *testing.T) {
	n := &nameServer{hosts: map[string][]string{"orders.prod.svc": {"10.0.0.2", "10.0.0.1"}}}
	d := balance.Services{DNS: &balance.DNS{Resolver: n}, List: []plan.Service{
		{Name: "shop", Namespace: "prod", Scheme: "http", Hosts: []plan.Host{{Name: "10.1.1.1", Port: 80}}},
		{Name: "pay", Lookup: plan.LookupSRV, Scheme: "https", Hosts: []plan.Host{{Name: "_https._tcp.pay"}}},
		{Name: plan.AnyService, Lookup: plan.LookupAddresses, Scheme: "http", Hosts: []plan.Host{{Name: "{service}.{namespace}.svc", Port: 8080}}},
	}}
	for _, test := range []struct{ service, namespace, want string }{
		{"shop", "prod", "http[{10.1.1.1 80}]"},
		{"pay", "", "https[{a.example 81} {b.example 82}]"},
		{"orders", "prod", "http[{10.0.0.1 8080} {10.0.0.2 8080}]"},
		{"orders", "test", "http[]"},
		{"or/ders", "prod", "[]"},
		{"..", "", "[]"},
	} {
		if got := find(t, d, test.service, test.namespace); got != test.want {
			t.Errorf("%s in %s: got %s, want %s", test.service, test.namespace, got, test.want)
		}
	}
}

// TestNameServersThatAreGoneTakeNobodysHosts: what is known stays, nobody waits
// for what is looked up anew, and what changes is seen.
func TestNameServersThatAreGoneTakeNobodysHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &nameServer{hosts: map[string][]string{"orders": {"10.0.0.1"}}}
		d := balance.Services{DNS: &balance.DNS{Resolver: n}, List: []plan.Service{
			{Name: "orders", Lookup: plan.LookupAddresses, Hosts: []plan.Host{{Name: "orders"}}}}}
		ask := func() string { defer synctest.Wait(); return find(t, d, "orders", "") }
		if got := ask(); got != "[{10.0.0.1 0}]" || n.questions() != 1 {
			t.Fatalf("got %s after %d questions", got, n.questions())
		}
		ask()
		if n.questions() != 1 {
			t.Error("asked again within the time of an answer")
		}
		n.know(nil)
		for range 3 {
			time.Sleep(6 * time.Second)
			start := time.Now()
			if got := find(t, d, "orders", ""); got != "[{10.0.0.1 0}]" || time.Since(start) != 0 {
				t.Errorf("got %s after %v while no name server answers", got, time.Since(start))
			}
		}
		n.know(map[string][]string{"orders": {"10.0.0.9"}})
		time.Sleep(6 * time.Second)
		find(t, d, "orders", "")
		time.Sleep(time.Second)
		if got := find(t, d, "orders", ""); got != "[{10.0.0.9 0}]" {
			t.Errorf("got %s after a change", got)
		}
	})
}
