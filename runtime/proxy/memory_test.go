package proxy

import (
	"fmt"
	stdruntime "runtime"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// manyRoutes is a plan with QoS on every route.
func manyRoutes(n int) *plan.Plan {
	p := &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}}
	for i := range n {
		p.Routes = append(p.Routes, plan.Route{ID: fmt.Sprintf("GET /api/%d/{id}", i), Name: fmt.Sprintf("/api/%d/{id}", i),
			Match:          plan.Match{Kind: plan.Static, Methods: []string{"GET"}, Path: fmt.Sprintf("/api/%d/{id}", i), Priority: 1},
			Backend:        plan.Backend{Scheme: "http", Path: fmt.Sprintf("/v1/%d/{id}", i), Hosts: []plan.Host{{Name: "backend", Port: 81}}},
			Failures:       plan.Failures{StatusCodes: []plan.StatusRange{{First: 500, Last: 508}}, TransportErrors: plan.Failure},
			OuterTimeout:   new(plan.Millis(90_000)),
			AttemptTimeout: 5000,
			Breaker:        &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 10, BreakDuration: 1000}})
	}
	return p
}

// TestAnIdleRouteIsSmall: what the proxy keeps for a route beside the plan, which
// takes 1 to 1.5 KiB; together they stay below 4 KiB.
func TestAnIdleRouteIsSmall(t *testing.T) {
	const routes, most = 5000, 2560
	p := manyRoutes(routes)
	before := heap()
	x, err := New(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	per := (heap() - before) / routes
	t.Logf("%d bytes a route", per)
	if per > most {
		t.Errorf("a route takes %d bytes, want %d at most", per, most)
	}
	stdruntime.KeepAlive(p)
}

func heap() int64 {
	var m stdruntime.MemStats
	stdruntime.GC()
	stdruntime.GC()
	stdruntime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkSwap is a reload, once the plan is compiled.
func BenchmarkSwap(b *testing.B) {
	for _, n := range []int{10, 1000, 10_000} {
		b.Run(fmt.Sprintf("routes=%d", n), func(b *testing.B) {
			p := manyRoutes(n)
			x, err := New(p, Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer x.Close()
			b.ReportAllocs()
			for b.Loop() {
				if err := x.Swap(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
