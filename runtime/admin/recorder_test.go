package admin

import (
	"fmt"
	"testing"

	"github.com/margay-dev/margay/runtime/telemetry"
)

// TestForRouteCountsTheSame: what is counted for one route stands in the same
// record as what is counted for all, and services are found by name.
func TestForRouteCountsTheSame(t *testing.T) {
	var all Recorder
	for _, route := range []string{"orders", telemetry.ServiceRoute("shop.orders")} {
		one := telemetry.ForRoute(&all, route)
		for _, to := range []telemetry.Observer{one, &all, one} {
			for _, e := range []telemetry.Event{
				{Kind: telemetry.PipelineExecuted},
				{Kind: telemetry.PipelineExecuted, Reason: telemetry.ReasonStatus},
				{Kind: telemetry.PipelineExecuted, Reason: telemetry.ReasonCircuitOpen},
				{Kind: telemetry.OnTimeout, Strategy: telemetry.AttemptTimeout},
				{Kind: telemetry.OnTimeout, Strategy: telemetry.TotalTimeout},
				{Kind: telemetry.OnCircuitOpened, Strategy: telemetry.CircuitBreaker},
				{Kind: telemetry.OnCircuitOpened, Strategy: telemetry.PassiveHealth},
				{Kind: telemetry.OnRetry},
			} {
				e.Route = route
				to.Observe(t.Context(), e)
			}
		}
		r := all.peek(route)
		got := fmt.Sprint(r.calls.Load(), r.failures.Load(), r.rejected.Load(), r.attemptTimeouts.Load(), r.opened.Load())
		if want := "6 3 3 3 3"; got != want {
			t.Errorf("%s: got %s calls, failures, rejections, timeouts and openings, want %s", route, got, want)
		}
	}
}

// TestARouteThatNobodyAskedForHasNoRecord, so that plans which come and go leave
// nothing behind.
func TestARouteThatNobodyAskedForHasNoRecord(t *testing.T) {
	var all Recorder
	telemetry.ForRoute(&all, "orders").Observe(t.Context(), telemetry.Event{Kind: telemetry.OnRetry, Route: "orders"})
	if _, known := all.routes.Load("orders"); known {
		t.Error("got a record of a route without calls")
	}
}
