package normalize_test

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// A deprecated name in the global section beats the route's own value in the
// program, though not by its documentation.
func ExampleResolve() {
	cfg := &config.Configuration{Global: &config.GlobalConfiguration{QoSOptions: &config.GlobalQoSOptions{}}}
	cfg.Global.QoSOptions.DurationOfBreak = written[int32](60_000)
	cfg.Routes = []config.Route{{
		RouteBase: config.RouteBase{QoSOptions: &config.QoSOptions{
			MinimumThroughput: written[int32](3),
			BreakDuration:     written[int32](1000),
		}},
		UpstreamPathTemplate: written("/orders/{id}"),
	}}

	for _, p := range []profile.Profile{{}, {Version: "25.0"}} {
		route := normalize.Resolve(cfg, p).Routes[0]
		fmt.Printf("%s: %s opens after %d failures in a row, for %d ms %v\n", p,
			route.Name(), route.Breaker.MinimumThroughput.V, route.Breaker.BreakDuration.V, route.Divergences.Names())
	}
	// Output:
	// by the documentation of Ocelot 25.0, built-in QoS: /orders/{id} opens after 3 failures in a row, for 1000 ms [merge-before-alias]
	// as Ocelot 25.0 with built-in QoS runs it: /orders/{id} opens after 3 failures in a row, for 60000 ms [merge-before-alias]
}
