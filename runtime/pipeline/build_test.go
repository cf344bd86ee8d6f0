package pipeline_test

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// TestRetryOfAPlan reads off when attempts are made what became of the plan's
// numbers.
func TestRetryOfAPlan(t *testing.T) {
	base := plan.Retry{MaxRetryAttempts: 3, Delay: 100, Backoff: plan.Constant, Methods: []string{"POST"},
		StatusCodes: []plan.StatusRange{{First: 503, Last: 503}}}
	with := func(change func(r *plan.Retry)) plan.Retry {
		r := base
		change(&r)
		return r
	}
	unavailable := answer(503)
	asking := func(seconds string) roundTripper {
		return func(req *http.Request) (*http.Response, error) {
			resp, err := unavailable(req)
			resp.Header.Set("Retry-After", seconds)
			return resp, err
		}
	}
	tests := []struct {
		name  string
		retry plan.Retry
		next  roundTripper
		want  string // when attempts begin, in ms
	}{
		{"constant", base, unavailable, "[0 100 200 300]"},
		{"linear", with(func(r *plan.Retry) { r.Backoff = plan.Linear }), unavailable, "[0 100 300 600]"},
		{"exponential", with(func(r *plan.Retry) { r.Backoff = plan.Exponential }), unavailable, "[0 100 300 700]"},
		{"capped", with(func(r *plan.Retry) { r.Backoff, r.MaxDelay = plan.Exponential, 150 }), unavailable, "[0 100 250 400]"},
		{"jitter", with(func(r *plan.Retry) { r.UseJitter = true }), unavailable, "[0 75 150 225]"},
		{"fewer", with(func(r *plan.Retry) { r.MaxRetryAttempts = 1 }), unavailable, "[0 100]"},
		{"transport error", base, refuse, "[0 100 200 300]"},
		{"another status", base, answer(500), "[0]"},
		{"another method", with(func(r *plan.Retry) { r.Methods = []string{"GET"} }), unavailable, "[0]"},
		{"no method", with(func(r *plan.Retry) { r.Methods = nil }), unavailable, "[0]"},
		{"header not honoured", base, asking("1"), "[0 100 200 300]"},
		{"header honoured", with(func(r *plan.Retry) { r.RetryAfter = true }), asking("1"), "[0 1000 2000 3000]"},
		{"header within the bound", with(func(r *plan.Retry) { r.RetryAfter, r.MaxRetryAfter = true, new(plan.Millis(1000)) }), asking("1"), "[0 1000 2000 3000]"},
		{"header beyond the bound", with(func(r *plan.Retry) { r.RetryAfter, r.MaxRetryAfter = true, new(plan.Millis(999)) }), asking("1"), "[0]"},
		{"budget", with(func(r *plan.Retry) {
			r.Budget = &plan.Budget{RetryRatio: 0.5, MinimumThroughput: 1, SamplingDuration: 1000, Scope: plan.PerRoute}
		}), unavailable, "[0 100]"},
		{"no budget", with(func(r *plan.Retry) {
			r.Budget = &plan.Budget{MinimumThroughput: 1, SamplingDuration: 1000, Scope: plan.PerRoute}
		}), unavailable, "[0]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := onlyRoute()
				r.Retry = &test.retry
				p := build(t, r, pipeline.Options{Random: func() float64 { return 0 }})
				start := time.Now()
				var at []int64
				_, _ = p.RoundTrip(request(t, t.Context(), nil), roundTripper(func(req *http.Request) (*http.Response, error) {
					at = append(at, time.Since(start).Milliseconds())
					return test.next(req)
				}))
				if got := fmt.Sprint(at); got != test.want {
					t.Errorf("got attempts at %s, want %s", got, test.want)
				}
			})
		})
	}
}

// A body above the plan's bound is sent once; without a bound none is kept.
func TestBufferedBodyOfAPlan(t *testing.T) {
	for limit, want := range map[int64]int{0: 1, 3: 1, 4: 2} {
		r := onlyRoute()
		r.Retry = &plan.Retry{MaxRetryAttempts: 1, Backoff: plan.Constant, Methods: []string{"POST"}, MaxBufferedBody: limit}
		attempts := 0
		_, _ = build(t, r, pipeline.Options{}).RoundTrip(request(t, t.Context(), strings.NewReader("ping")),
			roundTripper(func(req *http.Request) (*http.Response, error) { attempts++; return upload(req) }))
		if attempts != want {
			t.Errorf("bound of %d bytes: got %d attempts, want %d", limit, attempts, want)
		}
	}
}

// TestBreakersOfAPlan opens the circuit of each kind with as many failures as
// its numbers ask for.
func TestBreakersOfAPlan(t *testing.T) {
	tests := []struct {
		breaker plan.Breaker
		want    int // failures that open the circuit, after two successes
		lasts   time.Duration
	}{
		{plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 3, BreakDuration: 700}, 3, 700 * time.Millisecond},
		{plan.Breaker{Kind: plan.Ratio, MinimumThroughput: 4, FailureRatio: 0.6, SamplingDuration: 1000, BreakDuration: 800}, 3, 800 * time.Millisecond},
		{plan.Breaker{Kind: plan.PollyRatio, MinimumThroughput: 4, FailureRatio: 0.5, SamplingDuration: 1000, BreakDuration: 900}, 2, 900 * time.Millisecond},
		{plan.Breaker{Kind: plan.Expression, Expression: "NetworkErrorRatio() > 0.45", CheckPeriod: 1, FallbackDuration: 600,
			RecoveryDuration: 1000, ResponseCode: 429}, 2, 600 * time.Millisecond},
	}
	for _, test := range tests {
		t.Run(string(test.breaker.Kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := onlyRoute()
				r.Breaker = &test.breaker
				var opened telemetry.Event
				p := build(t, r, pipeline.Options{Observer: telemetry.ObserverFunc(func(_ context.Context, e telemetry.Event) {
					if e.Kind == telemetry.OnCircuitOpened {
						opened = e
					}
				})})
				for range 2 {
					_, _ = p.RoundTrip(request(t, t.Context(), nil), answer(200))
				}
				failed := 0
				for ; failed < 10 && p.Breaker().State() == breaker.Closed; failed++ {
					time.Sleep(2 * time.Millisecond) // beyond the check period
					fail(t, p, 1)
				}
				if failed != test.want {
					t.Errorf("got the circuit open after %d failures, want %d", failed, test.want)
				}
				if opened.Delay != test.lasts || opened.Reason != telemetry.ReasonTransport || opened.Route != r.ID || opened.Err == nil {
					t.Errorf("got %+v, want the break of %v and what tripped it", opened, test.lasts)
				}
				_, err := p.RoundTrip(request(t, t.Context(), nil), answer(200))
				if got, want := p.Answer(err).Status, cmp.Or(test.breaker.ResponseCode, 503); got != want {
					t.Errorf("got status %d for %v, want %d", got, err, want)
				}
			})
		})
	}
}

// TestOrderOfTheStrategies has every strategy speak once, and reads their order
// off the events.
func TestOrderOfTheStrategies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := withRetries()
		r.Retry.MaxRetryAttempts = 1
		r.OuterTimeout = new(plan.Millis(2500))
		r.Chaos = &plan.Chaos{Latency: &plan.ChaosLatency{InjectionRate: 1, Latency: 5000}}
		var mu sync.Mutex
		var got []string
		p := build(t, r, pipeline.Options{Observer: telemetry.ObserverFunc(func(_ context.Context, e telemetry.Event) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, fmt.Sprint(e.Strategy, " ", e.Kind))
		})})
		_, _ = p.RoundTrip(request(t, t.Context(), nil), answer(200))
		want := []string{
			"Chaos Chaos.OnLatency", "AttemptTimeout OnTimeout", "Retry ExecutionAttempt", "Retry OnRetry",
			"Chaos Chaos.OnLatency", "TotalTimeout OnTimeout", "Retry ExecutionAttempt", "Pipeline PipelineExecuted",
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	})
}
