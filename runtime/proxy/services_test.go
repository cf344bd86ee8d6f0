package proxy

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/margay-dev/margay/runtime/balance"
	"github.com/margay-dev/margay/runtime/plan"
)

// twoHosts is a plan whose service is answered by two backends, "a" and "b", in
// turns.
func twoHosts(t *testing.T, kind plan.RouteKind) *plan.Plan {
	t.Helper()
	answers := func(text string) plan.Host {
		server := backend(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) })
		return plan.Host{Name: "127.0.0.1", Port: server.Listener.Addr().(*net.TCPAddr).Port}
	}
	hosts := []plan.Host{answers("a"), answers("b")}
	p := backendPlan(t, backend(t, echo), func(r *plan.Route) {
		r.ID, r.Name, r.Match = "prod.orders", "prod.orders", plan.Match{Kind: kind}
		r.Backend = plan.Backend{Scheme: "http"}
		if kind == plan.Dynamic {
			r.Backend.Service, r.Backend.Namespace = "orders", "prod"
		}
		r.LoadBalancer.Type = "RoundRobin"
	})
	p.Services = []plan.Service{{Name: plan.AnyService, Hosts: hosts}}
	return p
}

// TestAReloadKeepsTheTurnOfAService: listed or not, what is unchanged goes on.
func TestAReloadKeepsTheTurnOfAService(t *testing.T) {
	for _, kind := range []plan.RouteKind{plan.Dynamic, plan.Unlisted} {
		t.Run(string(kind), func(t *testing.T) {
			p := twoHosts(t, kind)
			x, front := serve(t, p, Options{})
			var got string
			for range 4 {
				_, body := get(t, front.URL+"/prod.orders/x")
				got += body
				if err := x.Swap(p); err != nil {
					t.Fatal(err)
				}
			}
			if got != "abab" {
				t.Errorf("got answers of %s, want abab", got)
			}
		})
	}
}

// TestServicesThatClientsMakeUpLeaveNoBalancers: a gateway may list hosts for
// every service, so that each name is one.
func TestServicesThatClientsMakeUpLeaveNoBalancers(t *testing.T) {
	x, front := serve(t, twoHosts(t, plan.Unlisted), Options{MaxServices: 3})
	for i := range 10 {
		if resp, body := get(t, fmt.Sprintf("%s/made-up-%d/x", front.URL, i)); resp.StatusCode != 200 || body != "a" {
			t.Fatalf("got %d %s, want the first host of a service of its own", resp.StatusCode, body)
		}
	}
	if _, body := get(t, front.URL+"/made-up-0/x"); body != "a" {
		t.Error("a service is known that there is no room for")
	}
	if _, body := get(t, front.URL+"/made-up-9/x"); body != "b" {
		t.Error("the service that was asked for last is not known any more")
	}
	n := 0
	x.balancers.Keep(func(*balance.Balancer) bool { n++; return true })
	if n != 1 {
		t.Errorf("got %d balancers beside those of services, want that of the route", n)
	}
}
