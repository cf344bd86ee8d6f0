package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	stdruntime "runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/runtime/timeout"
)

// roundTripper makes a transport of a function.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func answer(status int) roundTripper {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody}, nil
	}
}

func refuse(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") }

// hang answers when the context ends, and not before.
func hang(req *http.Request) (*http.Response, error) {
	<-req.Context().Done()
	return nil, req.Context().Err()
}

func request(t testing.TB, ctx context.Context, body io.Reader) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://backend/", body)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// guarded is a route whose circuit opens after two failures in a row.
func guarded() plan.Route {
	r := onlyRoute()
	r.Breaker = &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 2, BreakDuration: 1000}
	return r
}

func build(t testing.TB, r plan.Route, o pipeline.Options) *pipeline.Pipeline {
	t.Helper()
	p, err := pipeline.New(r, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// failures is how many failures in a row the breaker has seen.
func failures(p *pipeline.Pipeline) uint64 { return p.Breaker().Snapshot().Counts.Failures }

// fail lets n requests fail.
func fail(t testing.TB, p *pipeline.Pipeline, n int) {
	t.Helper()
	for range n {
		if _, err := p.RoundTrip(request(t, context.Background(), nil), roundTripper(refuse)); err == nil {
			t.Fatal("got an answer from a refused connection")
		}
	}
}

func TestOutcomesOfTheBackend(t *testing.T) {
	polly := guarded()
	polly.Failures.TransportErrors = plan.Success
	slow := guarded()
	slow.AttemptTimeout = 100
	bounded := guarded()
	bounded.OuterTimeout = new(plan.Millis(100))
	uncounted := slow
	uncounted.OuterTimeout, uncounted.Failures.Timeouts = new(plan.Millis(100)), plan.Success
	uncountedOuter := bounded
	uncountedOuter.Failures.Timeouts = plan.Success
	tests := []struct {
		name  string
		route plan.Route
		next  roundTripper
		want  uint64
	}{
		{"success", guarded(), answer(200), 0},
		{"not found", guarded(), answer(404), 0},
		{"failure code", guarded(), answer(500), 1},
		{"last failure code", guarded(), answer(508), 1},
		{"beyond the failure codes", guarded(), answer(509), 0},
		{"transport error", guarded(), refuse, 1},
		{"transport error as Ocelot with Polly runs it", polly, refuse, 0},
		{"attempt timeout", slow, hang, 1},
		{"outer timeout", bounded, hang, 1},
		{"attempt timeout as Ocelot 24.0 runs it", uncounted, hang, 0},
		{"outer timeout as Ocelot 24.0 runs it", uncountedOuter, hang, 0},
		{"neither response nor error", guarded(), func(*http.Request) (*http.Response, error) { return nil, nil }, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := build(t, test.route, pipeline.Options{})
				_, _ = p.RoundTrip(request(t, t.Context(), nil), test.next)
				if got := failures(p); got != test.want {
					t.Errorf("got %d failures, want %d", got, test.want)
				}
			})
		})
	}
}

// A deadline of the caller, such as the Timeout of an http.Client, is a limit
// on the backend like any other.
func TestDeadlineOfTheCallerCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := build(t, guarded(), pipeline.Options{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := p.RoundTrip(request(t, ctx, nil), roundTripper(hang))
		if got := failures(p); got != 1 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %d failures and %v, want one and a missed deadline", got, err)
		}
	})
}

// TestNothingStaysBehind has the transport panic and end its goroutine, as a
// probe, under every strategy. The bubble fails the test if a goroutine stays.
func TestNothingStaysBehind(t *testing.T) {
	ends := map[string]roundTripper{
		"panic":  func(*http.Request) (*http.Response, error) { panic("transport") },
		"Goexit": func(*http.Request) (*http.Response, error) { stdruntime.Goexit(); return nil, nil },
		"panic of one that waits for its context": func(req *http.Request) (*http.Response, error) {
			_ = req.Context().Done()
			panic("transport")
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := wholeRoute()
				r.Breaker, r.Limiter = guarded().Breaker, &plan.Limiter{PermitLimit: 1}
				var log eventLog
				p := build(t, r, pipeline.Options{Observer: &log})
				fail(t, p, 2)
				time.Sleep(time.Second)
				aside(func() { _, _ = p.RoundTrip(request(t, t.Context(), nil), end) })
				if got := p.Breaker().Snapshot(); got.State != breaker.Open || got.ProbeInFlight {
					t.Errorf("got %+v, want open again", got)
				}
				time.Sleep(time.Second)
				if _, err := p.RoundTrip(request(t, t.Context(), nil), answer(200)); err != nil {
					t.Errorf("got %v, want permit and probe free", err)
				}
				if !slices.Contains(log.lines(), "PipelineExecuted panic") {
					t.Errorf("got %q, want the panic reported", log.lines())
				}
			})
		})
	}
}

// aside runs f on a goroutine that may panic or end, and waits for it.
func aside(f func()) {
	var wg sync.WaitGroup
	wg.Go(func() {
		defer func() { _ = recover() }()
		f()
	})
	wg.Wait()
}

// eventLog keeps events as "KIND REASON".
type eventLog struct {
	mu   sync.Mutex
	text []string // guarded by mu
}

func (l *eventLog) Observe(_ context.Context, e telemetry.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, strings.TrimSpace(e.Kind.String()+" "+e.Reason.String()))
}

func (l *eventLog) lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.text)
}

func TestPanickingObserverHurtsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := 0
		p := build(t, guarded(), pipeline.Options{
			Observer:        telemetry.ObserverFunc(func(context.Context, telemetry.Event) { panic("observer") }),
			OnObserverPanic: func(telemetry.Event, any) { told++ },
		})
		fail(t, p, 2)
		time.Sleep(time.Second)
		if _, err := p.RoundTrip(request(t, t.Context(), nil), answer(200)); err != nil {
			t.Errorf("got %v, want an answer", err)
		}
		if got := p.Breaker().State(); got != breaker.Closed || told == 0 {
			t.Errorf("got %v and %d panics told, want closed and some", got, told)
		}
	})
}

func TestOuterTimeoutsThatLeaveNoTime(t *testing.T) {
	for ms, want := range map[plan.Millis]int{0: 503, -1: 500} {
		r := guarded()
		r.OuterTimeout = &ms
		p := build(t, r, pipeline.Options{Profile: plan.Profile{Ocelot: "25.0", Provider: plan.Builtin}})
		_, err := p.RoundTrip(request(t, t.Context(), nil), answer(200))
		if got := p.Answer(err).Status; got != want {
			t.Errorf("%d ms: got status %d for %v, want %d", ms, got, err, want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	r := guarded()
	r.Breaker = &plan.Breaker{Kind: plan.Expression, Expression: "NetworkErrorRatio() > 1", CheckPeriod: 100,
		FallbackDuration: 1000, RecoveryDuration: 1000, ResponseCode: 503}
	_, err := pipeline.New(r, pipeline.Options{})
	if err == nil || !strings.Contains(err.Error(), "routes[0]") || !strings.Contains(err.Error(), "\n    NetworkErrorRatio() > 1\n                          ^") {
		t.Errorf("got %v, want the place in the plan and a caret", err)
	}
	if _, err = pipeline.New(plan.Route{}, pipeline.Options{}); err == nil {
		t.Error("got no error for an empty route")
	}
}

func TestChaosOfAPlan(t *testing.T) {
	tests := []struct {
		name  string
		chaos plan.Chaos
		want  string
	}{
		{"fault", plan.Chaos{Fault: &plan.ChaosFault{InjectionRate: 1}}, "fault injected by chaos after 0s"},
		{"outcome", plan.Chaos{Outcome: &plan.ChaosOutcome{InjectionRate: 1, StatusCode: 503}}, "503 after 0s"},
		{"latency", plan.Chaos{Latency: &plan.ChaosLatency{InjectionRate: 1, Latency: 300}}, "200 after 300ms"},
		{"latency beyond the attempt", plan.Chaos{Latency: &plan.ChaosLatency{InjectionRate: 1, Latency: 3000}}, "attempt timeout of 1s exceeded after 1s"},
		{"at a rate of 0", plan.Chaos{Fault: &plan.ChaosFault{}}, "200 after 0s"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := guarded()
				r.Chaos, r.AttemptTimeout = &test.chaos, 1000
				start := time.Now()
				resp, err := build(t, r, pipeline.Options{}).RoundTrip(request(t, t.Context(), nil), answer(200))
				got := fmt.Sprint(err)
				if err == nil {
					got = fmt.Sprint(resp.StatusCode)
				}
				if got += fmt.Sprintf(" after %v", time.Since(start)); got != test.want {
					t.Errorf("got %s, want %s", got, test.want)
				}
			})
		})
	}
}

func TestDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := wholeRoute()
		r.Breaker, r.Limiter = guarded().Breaker, &plan.Limiter{PermitLimit: 1}
		r.Retry = nil
		p := build(t, r, pipeline.Options{})
		do := func(f func(context.Context) (int, error)) (int, error) { return pipeline.Do(t.Context(), p, f) }
		bad := errors.New("bad")
		if v, err := do(func(context.Context) (int, error) { return 7, bad }); v != 7 || err != bad {
			t.Errorf("got %d, %v, want what the function returned", v, err)
		}
		if _, err := do(func(context.Context) (int, error) { return 0, context.Canceled }); failures(p) != 1 {
			t.Errorf("got %d failures after %v, want a cancellation ignored", failures(p), err)
		}
		_, err := do(func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() })
		if missed, ok := errors.AsType[*timeout.Error](err); !ok || missed.Limit != 10*time.Second {
			t.Errorf("got %v, want the attempt timeout", err)
		}
		if _, err := do(func(context.Context) (int, error) { return 0, nil }); !errors.Is(err, breaker.ErrOpen) {
			t.Errorf("got %v, want the circuit open", err)
		}
		time.Sleep(time.Second)
		_, err = do(func(context.Context) (int, error) {
			_, inner := do(func(context.Context) (int, error) { return 0, nil })
			return 0, inner
		})
		if !errors.Is(err, limiter.ErrRejected) {
			t.Errorf("got %v, want the one permit taken", err)
		}
	})
}

func TestEmptyPipelinePassesCallsThrough(t *testing.T) {
	p := pipeline.Compose(pipeline.Strategies{})
	if err := p.Run(t.Context(), func(ctx context.Context) error {
		if ctx != t.Context() {
			t.Error("got another context")
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	if err := p.Run(ctx, func(context.Context) error { t.Error("called"); return nil }); err != gone {
		t.Errorf("got %v, want the cause of the context", err)
	}
}
