package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
)

func swap(t testing.TB, s *pipeline.Set, routes ...plan.Route) {
	t.Helper()
	if err := s.Swap(planOf(routes...)); err != nil {
		t.Fatal(err)
	}
}

func TestSwapKeepsTheStateOfEqualBreakers(t *testing.T) {
	changed := func(change func(r *plan.Route)) plan.Route {
		r := named("/a", guarded())
		breaker := *r.Breaker
		r.Breaker = &breaker
		change(&r)
		return r
	}
	tests := []struct {
		name string
		next plan.Route
		kept bool
	}{
		{"nothing changed", named("/a", guarded()), true},
		{"timeouts changed", changed(func(r *plan.Route) { r.AttemptTimeout = 5000; r.OuterTimeout = new(plan.Millis(9000)) }), true},
		{"backend changed", changed(func(r *plan.Route) { r.Backend.Hosts = []plan.Host{{Name: "c"}} }), true},
		{"retry added", changed(func(r *plan.Route) { r.Retry = wholeRoute().Retry }), true},
		{"break duration changed", changed(func(r *plan.Route) { r.Breaker.BreakDuration++ }), false},
		{"failures changed", changed(func(r *plan.Route) { r.Failures.StatusCodes = nil }), false},
		{"another route", named("/b", guarded()), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				set := newSet(t, pipeline.Options{}, named("/a", guarded()))
				fail(t, set.Pipeline("/a"), 2)
				swap(t, set, test.next)
				if kept := set.Pipeline(test.next.ID).Breaker().State() == breaker.Open; kept != test.kept {
					t.Errorf("got state kept %t, want %t", kept, test.kept)
				}
			})
		})
	}
}

// A call that began under a breaker which another replaced does not reach it.
func TestSwapDropsResultsFromBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newSet(t, pipeline.Options{}, guarded())
		old := set.Pipeline("GET /a")
		fail(t, old, 1)
		next := guarded()
		next.Breaker = &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 1, BreakDuration: 1000}
		_, _ = old.RoundTrip(request(t, t.Context(), nil), roundTripper(func(*http.Request) (*http.Response, error) {
			swap(t, set, next)
			return nil, errors.New("reset")
		}))
		if got := set.Pipeline("GET /a").Breaker().State(); got != breaker.Closed {
			t.Errorf("got %v, want the new circuit closed", got)
		}
	})
}

func TestSwapAppliesTheLeaseOfTheNewTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newSet(t, pipeline.Options{}, guarded())
		fail(t, set.Pipeline("GET /a"), 2)
		r := guarded()
		r.AttemptTimeout = 3000
		swap(t, set, r)
		time.Sleep(time.Second)
		b := set.Pipeline("GET /a").Breaker()
		if _, err := b.Acquire(); err != nil { // a probe that never reports
			t.Fatal(err)
		}
		time.Sleep(4 * time.Second)
		if _, err := b.Acquire(); err != nil {
			t.Errorf("got %v, want the lease over a second after the new attempt timeout", err)
		}
	})
}

// TestAProbeThatTimesOutOpensTheCircuitAgain: its lease outlasts its timeout
// (halfopen-probe-qos-timeout).
func TestAProbeThatTimesOutOpensTheCircuitAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := guarded()
		r.AttemptTimeout = 300
		set := newSet(t, pipeline.Options{}, r)
		p := set.Pipeline("GET /a")
		fail(t, p, 2)
		time.Sleep(time.Second)
		_, err := p.RoundTrip(request(t, t.Context(), nil), roundTripper(func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, req.Context().Err()
		}))
		if got := p.Breaker().State(); err == nil || got != breaker.Open {
			t.Errorf("got %v, %v after a probe that timed out, want the circuit open", got, err)
		}
	})
}

func TestRefusedPlanChangesNothing(t *testing.T) {
	set := newSet(t, pipeline.Options{}, named("/a", guarded()), named("/b", guarded()))
	before := set.Plan()
	bad := named("/b", guarded())
	bad.Breaker = &plan.Breaker{Kind: plan.Expression, Expression: "nonsense", CheckPeriod: 1, FallbackDuration: 1, RecoveryDuration: 1, ResponseCode: 503}
	err := set.Swap(planOf(named("/a", guarded()), bad, named("/c", bad)))
	invalid, ok := errors.AsType[*plan.InvalidError](err)
	if !ok || len(invalid.Problems) != 2 || !strings.HasPrefix(invalid.Problems[1].Path, "routes[2]") {
		t.Errorf("got %v, want both expressions refused", err)
	}
	if set.Plan() != before {
		t.Error("got another plan in force")
	}
}

// A plan that is refused leaves the circuits of unlisted services the leases that
// they have.
func TestRefusedPlanLeavesTheLeasesOfServices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick, patient, bad := unlisted(), unlisted(), named("/a", guarded())
		quick.AttemptTimeout, patient.AttemptTimeout = 300, 60_000
		set := newSet(t, pipeline.Options{}, named("/a", guarded()), quick)
		fail(t, set.Service("orders"), 2)
		bad.Breaker = &plan.Breaker{Kind: plan.Expression, Expression: "nonsense", CheckPeriod: 1, FallbackDuration: 1, RecoveryDuration: 1, ResponseCode: 503}
		if err := set.Swap(planOf(bad, patient)); err == nil {
			t.Fatal("the plan is not refused")
		}
		time.Sleep(time.Second)
		b := set.Service("orders").Breaker()
		if _, err := b.Acquire(); err != nil { // a probe that never reports
			t.Fatal(err)
		}
		time.Sleep(30 * time.Second)
		if _, err := b.Acquire(); err != nil {
			t.Errorf("got %v, want the lease of the plan in force", err)
		}
	})
}

func TestSwapKeepsThePermitsOfAnEqualLimiter(t *testing.T) {
	limited := func(n int) plan.Route {
		r := onlyRoute()
		r.Limiter = &plan.Limiter{PermitLimit: n}
		return r
	}
	for next, want := range map[int]string{1: "rejected by the concurrency limiter", 2: "<nil>"} {
		set := newSet(t, pipeline.Options{}, limited(1))
		_, _ = set.Pipeline("GET /a").RoundTrip(request(t, t.Context(), nil), roundTripper(func(*http.Request) (*http.Response, error) {
			swap(t, set, limited(next))
			_, err := set.Pipeline("GET /a").RoundTrip(request(t, t.Context(), nil), answer(200))
			if got := fmt.Sprint(err); got != want {
				t.Errorf("limit %d: got %s, want %s", next, got, want)
			}
			return answer(200)(nil)
		}))
	}
}

// TestSwapUnderLoad replaces the plan while requests are on their way: none may
// fail, and every one must be counted by a breaker that stays.
func TestSwapUnderLoad(t *testing.T) {
	set := newSet(t, pipeline.Options{Route: func(*http.Request) string { return "/a" }}, named("/a", wholeRoute()), unlisted())
	rt := set.RoundTripper(answer(200))
	var stop atomic.Bool
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for !stop.Load() {
				if _, err := rt.RoundTrip(request(t, t.Context(), strings.NewReader("body"))); err != nil {
					t.Error(err)
					return
				}
				_ = set.Service(fmt.Sprint("s", worker)).Run(t.Context(), func(context.Context) error { return nil })
			}
		})
	}
	for i := range 200 {
		r := named("/a", wholeRoute())
		if i%2 == 0 {
			r.Breaker = guarded().Breaker
		}
		swap(t, set, r, unlisted())
	}
	stop.Store(true)
	wg.Wait()
}
