package pipeline_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	fstimeout "github.com/failsafe-go/failsafe-go/timeout"

	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
)

// bare is a transport that answers at once. Like a real one it asks for the end
// of its context.
type bare struct{ response *http.Response }

func (b bare) RoundTrip(req *http.Request) (*http.Response, error) {
	select {
	case <-req.Context().Done():
		return nil, req.Context().Err()
	default:
		return fresh(b.response), nil
	}
}

// fresh returns a response of its own, as a transport does: strategies wrap its
// body.
func fresh(r *http.Response) *http.Response {
	own := *r
	return &own
}

func newBare() bare {
	return bare{&http.Response{StatusCode: 200, Header: http.Header{}, Body: http.NoBody}}
}

// blind is a transport that never looks at its context.
type blind struct{ response *http.Response }

func (b blind) RoundTrip(*http.Request) (*http.Response, error) { return fresh(b.response), nil }

func wholeRoute() plan.Route {
	r := onlyRoute()
	r.Limiter = &plan.Limiter{PermitLimit: 1000}
	r.OuterTimeout = new(plan.Millis(30_000))
	r.AttemptTimeout = 10_000
	r.Retry = &plan.Retry{MaxRetryAttempts: 3, Delay: 200, Backoff: plan.Exponential, UseJitter: true, RetryAfter: true,
		StatusCodes: []plan.StatusRange{{First: 500, Last: 599}}, Methods: []string{"GET"},
		Budget: &plan.Budget{RetryRatio: 0.1, MinimumThroughput: 10, SamplingDuration: 10_000, Scope: plan.PerRoute}}
	r.Breaker = &plan.Breaker{Kind: plan.Ratio, MinimumThroughput: 10, FailureRatio: 0.5, SamplingDuration: 10_000, BreakDuration: 5000}
	return r
}

func onlyRoute() plan.Route {
	return plan.Route{
		ID: "GET /a", Name: "/a",
		Match:    plan.Match{Kind: plan.Static, Methods: []string{"GET"}, Path: "/a"},
		Backend:  plan.Backend{Hosts: []plan.Host{{Name: "b", Port: 80}}},
		Failures: plan.Failures{StatusCodes: []plan.StatusRange{{First: 500, Last: 508}}, TransportErrors: plan.Failure},
	}
}

func benchmark(b *testing.B, rt http.RoundTripper) {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://b/a", nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		resp, err := rt.RoundTrip(req)
		if err != nil {
			b.Fatal(err)
		}
		resp.Body.Close()
	}
}

// BenchmarkSuccess is one successful request through everything, beside the
// bare transport and failsafe-go with the same policies.
func BenchmarkSuccess(b *testing.B) {
	for _, transport := range []struct {
		name string
		http.RoundTripper
	}{{"blind", blind(newBare())}, {"watching", newBare()}} {
		b.Run(transport.name+"/bare", func(b *testing.B) { benchmark(b, transport) })
		b.Run(transport.name+"/margay", func(b *testing.B) {
			p, err := pipeline.New(wholeRoute(), pipeline.Options{})
			if err != nil {
				b.Fatal(err)
			}
			benchmark(b, p.RoundTripper(transport))
		})
		b.Run(transport.name+"/failsafe-go", func(b *testing.B) { benchmark(b, failsafeTransport(transport)) })
	}
}

// failsafeTransport sends requests by way of failsafe-go's executor. Its own
// failsafehttp does the same with a body buffer and more.
func failsafeTransport(next http.RoundTripper) http.RoundTripper {
	return &failsafePeer{next: next, executor: failsafe.With(
		failsafe.Policy[*http.Response](bulkhead.New[*http.Response](1000)),
		fstimeout.New[*http.Response](30*time.Second),
		retrypolicy.NewBuilder[*http.Response]().WithBackoff(200*time.Millisecond, 2*time.Second).
			HandleIf(func(r *http.Response, err error) bool { return err != nil || r.StatusCode >= 500 }).Build(),
		circuitbreaker.NewBuilder[*http.Response]().WithFailureRateThreshold(0.5, 10, 10*time.Second).
			HandleIf(func(r *http.Response, err error) bool { return err != nil || r.StatusCode >= 500 }).Build(),
		fstimeout.New[*http.Response](10*time.Second),
	)}
}

type failsafePeer struct {
	next     http.RoundTripper
	executor failsafe.Executor[*http.Response]
}

func (p *failsafePeer) RoundTrip(req *http.Request) (*http.Response, error) {
	return p.executor.WithContext(req.Context()).GetWithExecution(func(e failsafe.Execution[*http.Response]) (*http.Response, error) {
		return p.next.RoundTrip(req.WithContext(e.Context()))
	})
}

// BenchmarkDo is one successful call of a function, beside failsafe-go's
// executor with retry, breaker and timeout.
func BenchmarkDo(b *testing.B) {
	b.Run("margay", func(b *testing.B) {
		p, err := pipeline.New(wholeRoute(), pipeline.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := pipeline.Do(context.Background(), p, func(context.Context) (int, error) { return 1, nil }); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("failsafe-go", func(b *testing.B) {
		executor := failsafe.With(
			retrypolicy.NewBuilder[int]().WithBackoff(200*time.Millisecond, 2*time.Second).Build(),
			circuitbreaker.NewBuilder[int]().WithFailureRateThreshold(0.5, 10, 10*time.Second).Build(),
			fstimeout.New[int](10*time.Second),
		)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := executor.GetWithExecution(func(failsafe.Execution[int]) (int, error) { return 1, nil }); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkParallel is BenchmarkSuccess from every processor at once.
func BenchmarkParallel(b *testing.B) {
	p, err := pipeline.New(wholeRoute(), pipeline.Options{})
	if err != nil {
		b.Fatal(err)
	}
	next := blind(newBare())
	for name, rt := range map[string]http.RoundTripper{"margay": p.RoundTripper(next), "failsafe-go": failsafeTransport(next)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				req, _ := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://b/a", nil)
				for pb.Next() {
					if _, err := rt.RoundTrip(req); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}

// BenchmarkRejected is one request that the open circuit turns away.
func BenchmarkRejected(b *testing.B) {
	r := wholeRoute()
	r.Breaker = &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 1, BreakDuration: 86_400_000}
	p, err := pipeline.New(r, pipeline.Options{})
	if err != nil {
		b.Fatal(err)
	}
	fail(b, p, 1)
	rt := p.RoundTripper(blind(newBare()))
	req, _ := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://b/a", nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rt.RoundTrip(req); err == nil {
			b.Fatal("got an answer from an open circuit")
		}
	}
}
