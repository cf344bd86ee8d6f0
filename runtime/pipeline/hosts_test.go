package pipeline_test

import (
	"context"
	"errors"
	"net/http"
	stdruntime "runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
)

// chooser is a transport that chooses hosts, and is told what came of it.
type chooser struct {
	roundTripper
	told []breaker.Result
}

func (c *chooser) Judged(r breaker.Result) { c.told = append(c.told, r) }

// TestWhoeverChoosesHostsIsToldOfEachAttempt, once, by the verdict that the
// breaker of the route gets, whether the route has one or not.
func TestWhoeverChoosesHostsIsToldOfEachAttempt(t *testing.T) {
	judged := guarded()
	judged.LoadBalancer.Type = "RoundRobin"
	judged.PassiveHealth = &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 1, BreakDuration: 1}
	alone := judged
	alone.Breaker = nil
	slow := alone
	slow.AttemptTimeout = 100
	retried := alone
	retried.Retry = &plan.Retry{MaxRetryAttempts: 1, Backoff: plan.Constant, StatusCodes: alone.Failures.StatusCodes, Methods: []string{"POST"}}
	unasked := alone
	unasked.PassiveHealth = nil
	for _, test := range []struct {
		name  string
		route plan.Route
		next  roundTripper
		want  []breaker.Result
	}{
		{"success", judged, answer(200), []breaker.Result{breaker.Success}},
		{"failure", judged, answer(500), []breaker.Result{breaker.Failure}},
		{"without a breaker", alone, answer(500), []breaker.Result{breaker.Failure}},
		{"no connection", alone, refuse, []breaker.Result{breaker.Failure}},
		{"timeout", slow, hang, []breaker.Result{breaker.Failure}},
		{"retry", retried, answer(500), []breaker.Result{breaker.Failure, breaker.Failure}},
		{"panic", alone, func(*http.Request) (*http.Response, error) { panic("a bug") }, []breaker.Result{breaker.Failure}},
		{"Goexit", alone, func(*http.Request) (*http.Response, error) { stdruntime.Goexit(); return nil, nil }, []breaker.Result{breaker.Failure}},
		{"nobody asks", unasked, answer(500), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				next := &chooser{roundTripper: test.next}
				p := build(t, test.route, pipeline.Options{})
				if (p.Hosts() == nil) != (test.route.PassiveHealth == nil) {
					t.Errorf("got hosts %v", p.Hosts())
				}
				var call sync.WaitGroup
				call.Go(func() {
					defer func() { _ = recover() }()
					_, _ = p.RoundTrip(request(t, t.Context(), nil), next)
				})
				call.Wait()
				if !slices.Equal(next.told, test.want) {
					t.Errorf("got %v, want %v", next.told, test.want)
				}
			})
		})
	}
}

func TestACallerThatGivesUpBlamesNoHost(t *testing.T) {
	route := guarded()
	route.LoadBalancer.Type = "RoundRobin"
	route.PassiveHealth = &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 1, BreakDuration: 1}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		next := &chooser{roundTripper: func(r *http.Request) (*http.Response, error) { cancel(); return hang(r) }}
		_, err := build(t, route, pipeline.Options{}).RoundTrip(request(t, ctx, nil), next)
		if !errors.Is(err, context.Canceled) || !slices.Equal(next.told, []breaker.Result{breaker.Ignored}) {
			t.Errorf("got %v and %v", next.told, err)
		}
	})
}
