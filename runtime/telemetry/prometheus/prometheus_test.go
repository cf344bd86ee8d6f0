package prometheus_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	client "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/runtime/telemetry/prometheus"
)

func TestMetrics(t *testing.T) {
	o := prometheus.New(prometheus.Options{Buckets: []float64{.1, 1}})
	for _, e := range []telemetry.Event{
		{Kind: telemetry.ExecutionAttempt, Strategy: telemetry.Retry, Route: "orders", Duration: 50 * time.Millisecond, Handled: true, Reason: telemetry.ReasonStatus, StatusCode: 503},
		{Kind: telemetry.OnRetry, Strategy: telemetry.Retry, Route: "orders", Reason: telemetry.ReasonStatus, StatusCode: 503},
		{Kind: telemetry.ExecutionAttempt, Strategy: telemetry.Retry, Route: "orders", Attempt: 1, Duration: 200 * time.Millisecond, Last: true},
		{Kind: telemetry.PipelineExecuted, Route: "orders", Duration: 2 * time.Second},
		{Kind: telemetry.OnTimeout, Strategy: telemetry.TotalTimeout, Route: "users", Reason: telemetry.ReasonTotalTimeout},
	} {
		o.Observe(t.Context(), e)
	}
	const want = `
# HELP margay_pipeline_duration_seconds Duration of calls through the whole pipeline, until the headers.
# TYPE margay_pipeline_duration_seconds histogram
margay_pipeline_duration_seconds_bucket{error_type="",pipeline_name="orders",le="0.1"} 0
margay_pipeline_duration_seconds_bucket{error_type="",pipeline_name="orders",le="1"} 0
margay_pipeline_duration_seconds_bucket{error_type="",pipeline_name="orders",le="+Inf"} 1
margay_pipeline_duration_seconds_sum{error_type="",pipeline_name="orders"} 2
margay_pipeline_duration_seconds_count{error_type="",pipeline_name="orders"} 1
# HELP margay_strategy_attempt_duration_seconds Duration of single attempts.
# TYPE margay_strategy_attempt_duration_seconds histogram
margay_strategy_attempt_duration_seconds_bucket{attempt_handled="false",error_type="",pipeline_name="orders",strategy_name="Retry",le="0.1"} 0
margay_strategy_attempt_duration_seconds_bucket{attempt_handled="false",error_type="",pipeline_name="orders",strategy_name="Retry",le="1"} 1
margay_strategy_attempt_duration_seconds_bucket{attempt_handled="false",error_type="",pipeline_name="orders",strategy_name="Retry",le="+Inf"} 1
margay_strategy_attempt_duration_seconds_sum{attempt_handled="false",error_type="",pipeline_name="orders",strategy_name="Retry"} 0.2
margay_strategy_attempt_duration_seconds_count{attempt_handled="false",error_type="",pipeline_name="orders",strategy_name="Retry"} 1
margay_strategy_attempt_duration_seconds_bucket{attempt_handled="true",error_type="status",pipeline_name="orders",strategy_name="Retry",le="0.1"} 1
margay_strategy_attempt_duration_seconds_bucket{attempt_handled="true",error_type="status",pipeline_name="orders",strategy_name="Retry",le="1"} 1
margay_strategy_attempt_duration_seconds_bucket{attempt_handled="true",error_type="status",pipeline_name="orders",strategy_name="Retry",le="+Inf"} 1
margay_strategy_attempt_duration_seconds_sum{attempt_handled="true",error_type="status",pipeline_name="orders",strategy_name="Retry"} 0.05
margay_strategy_attempt_duration_seconds_count{attempt_handled="true",error_type="status",pipeline_name="orders",strategy_name="Retry"} 1
# HELP margay_strategy_events_total Events of resilience strategies.
# TYPE margay_strategy_events_total counter
margay_strategy_events_total{error_type="status",event_name="OnRetry",event_severity="Warning",pipeline_name="orders",strategy_name="Retry"} 1
margay_strategy_events_total{error_type="total-timeout",event_name="OnTimeout",event_severity="Error",pipeline_name="users",strategy_name="TotalTimeout"} 1
`
	if err := testutil.CollectAndCompare(o, strings.NewReader(want)); err != nil {
		t.Error(err)
	}
	problems, err := testutil.CollectAndLint(o)
	if err != nil || len(problems) > 0 {
		t.Errorf("got problems %v, %v, want none", problems, err)
	}
}

func TestCircuitState(t *testing.T) {
	o := prometheus.New(prometheus.Options{Namespace: "gateway"})
	for _, tc := range []struct {
		event telemetry.Event
		want  int
	}{
		{telemetry.Event{Kind: telemetry.OnCircuitOpened}, 2},
		{telemetry.Event{Kind: telemetry.OnRetry}, 2},
		{telemetry.Event{Kind: telemetry.OnCircuitHalfOpened}, 1},
		{telemetry.Event{Kind: telemetry.OnCircuitClosed}, 0},
		{telemetry.Event{Kind: telemetry.OnCircuitOpened, Manual: true}, 3},
	} {
		tc.event.Route = "orders"
		o.Observe(t.Context(), tc.event)
		want := fmt.Sprintf(`
# HELP gateway_circuit_state State of the circuit: 0 closed, 1 half-open or recovering, 2 open, 3 isolated.
# TYPE gateway_circuit_state gauge
gateway_circuit_state{pipeline_name="orders"} %d
`, tc.want)
		if err := testutil.CollectAndCompare(o, strings.NewReader(want), "gateway_circuit_state"); err != nil {
			t.Errorf("after %v: %v", tc.event.Kind, err)
		}
	}
}

func TestRoutesAreBounded(t *testing.T) {
	o := prometheus.New(prometheus.Options{MaxRoutes: 3})
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			o.Observe(t.Context(), telemetry.Event{Kind: telemetry.OnCircuitOpened, Strategy: telemetry.CircuitBreaker, Route: fmt.Sprint("route ", i)})
		})
	}
	wg.Wait()
	if got, want := testutil.CollectAndCount(o, "margay_strategy_events_total"), 4; got != want {
		t.Errorf("got %d series of events, want %d", got, want)
	}
	if got, want := testutil.CollectAndCount(o, "margay_circuit_state"), 3; got != want {
		t.Errorf("got %d series of circuits, want %d", got, want)
	}
}

// TestForRouteCountsTheSame: an observer of one route feeds the same series.
func TestForRouteCountsTheSame(t *testing.T) {
	of := map[bool]*prometheus.Observer{false: prometheus.New(prometheus.Options{MaxRoutes: 2}), true: prometheus.New(prometheus.Options{MaxRoutes: 2})}
	for bound, o := range of {
		for _, route := range []string{"a", "b", "beyond", "too"} {
			var to telemetry.Observer = o
			if bound {
				to = telemetry.ForRoute(o, route)
			}
			for _, kind := range []telemetry.Kind{telemetry.PipelineExecuted, telemetry.ExecutionAttempt, telemetry.OnCircuitOpened} {
				for _, reason := range []telemetry.Reason{telemetry.ReasonNone, telemetry.ReasonStatus, telemetry.ReasonNone} {
					to.Observe(t.Context(), telemetry.Event{Kind: kind, Reason: reason, Route: route, Duration: time.Second})
				}
			}
		}
	}
	all := map[bool]string{}
	for bound, o := range of {
		r, w := client.NewPedanticRegistry(), httptest.NewRecorder()
		r.MustRegister(o)
		promhttp.HandlerFor(r, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		all[bound] = w.Body.String()
	}
	if all[true] != all[false] || !strings.Contains(all[true], telemetry.OtherRoutes) {
		t.Errorf("got %s\nwant %s", all[true], all[false])
	}
}

func BenchmarkObserve(b *testing.B) {
	for _, e := range []telemetry.Event{
		{Kind: telemetry.PipelineExecuted, Route: "orders", Duration: time.Millisecond},
		{Kind: telemetry.ExecutionAttempt, Strategy: telemetry.Retry, Route: "orders", Duration: time.Millisecond},
		{Kind: telemetry.OnRetry, Strategy: telemetry.Retry, Route: "orders", Reason: telemetry.ReasonStatus},
	} {
		o := prometheus.New(prometheus.Options{})
		b.Run(e.Kind.String(), func(b *testing.B) {
			b.ReportAllocs()
			ctx := b.Context()
			for b.Loop() {
				o.Observe(ctx, e)
			}
		})
		b.Run(e.Kind.String()+"/ForRoute", func(b *testing.B) {
			b.ReportAllocs()
			ctx, o := b.Context(), telemetry.ForRoute(o, e.Route)
			for b.Loop() {
				o.Observe(ctx, e)
			}
		})
	}
}

func Example() {
	o := prometheus.New(prometheus.Options{})
	client.NewRegistry().MustRegister(o)

	observer := telemetry.Safe(o, nil)
	observer.Observe(context.Background(), telemetry.Event{
		Kind: telemetry.OnCircuitOpened, Strategy: telemetry.CircuitBreaker, Route: "orders",
	})
	fmt.Println(testutil.CollectAndCount(o, "margay_circuit_state"), "circuit")
	// Output:
	// 1 circuit
}
