package telemetry_test

import (
	"context"
	"fmt"
	"time"

	"github.com/margay-dev/margay/runtime/telemetry"
)

// An observer is a function, if it needs no state. Whoever emits events guards
// it with Safe.
func ExampleSafe() {
	print := telemetry.ObserverFunc(func(_ context.Context, e telemetry.Event) {
		fmt.Println(e.Severity(), e.Kind, e.Route, e.Delay)
	})
	broken := telemetry.ObserverFunc(func(context.Context, telemetry.Event) { panic("no disk space") })

	o := telemetry.Safe(telemetry.Multi(broken, print), func(e telemetry.Event, recovered any) {
		fmt.Println("observer failed at", e.Kind, "with", recovered)
	})
	o.Observe(context.Background(), telemetry.Event{
		Kind: telemetry.OnCircuitOpened, Strategy: telemetry.CircuitBreaker, Route: "orders", Delay: 5 * time.Second,
	})
	// Output:
	// observer failed at OnCircuitOpened with no disk space
	// Error OnCircuitOpened orders 5s
}
