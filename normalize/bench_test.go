package normalize_test

import (
	"fmt"
	"testing"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

func BenchmarkResolve(b *testing.B) {
	for _, p := range []profile.Profile{{}, {Version: "25.0"}, {Version: "25.0", Provider: profile.Polly}} {
		for _, n := range []int{10, 1000, 100_000} {
			cfg := manyRoutes(n)
			b.Run(fmt.Sprintf("%s%s/%d", p.Version, p.Provider, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					normalize.Resolve(cfg, p)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/route")
			})
		}
	}
}

// manyRoutes makes a gateway of n routes: of five, two have no section of their
// own, one has a timeout, one is outside of the group, and one is something on
// which the documentation and the program differ.
func manyRoutes(n int) *config.Configuration {
	cfg := &config.Configuration{Global: &config.GlobalConfiguration{Timeout: written[int32](60)}}
	cfg.Global.QoSOptions = &config.GlobalQoSOptions{RouteKeys: &config.List[string]{Items: []config.Value[string]{written("grouped")}}}
	cfg.Global.QoSOptions.MinimumThroughput = written[int32](3)
	cfg.Global.QoSOptions.DurationOfBreak = written[int32](1000)
	cfg.Routes = make([]config.Route, n)
	for i := range cfg.Routes {
		r := &cfg.Routes[i]
		r.Index, r.Key = i, written("grouped")
		r.UpstreamPathTemplate = written(fmt.Sprintf("/service-%d/{everything}", i))
		r.UpstreamHttpMethod = &config.List[string]{Items: []config.Value[string]{written("GET"), written("POST")}}
		r.DownstreamHostAndPorts = []config.HostAndPort{{Host: written("backend.example"), Port: written[int32](8080)}}
		switch i % 5 {
		case 1:
			r.Timeout = written[int32](5)
			r.QoSOptions = &config.QoSOptions{Timeout: written[int32](5000), FailureRatio: written(0.5)}
		case 2:
			r.Key = written("alone")
			r.QoSOptions = &config.QoSOptions{MinimumThroughput: written[int32](10), BreakDuration: written[int32](100)}
		case 3:
			r.QoSOptions = &config.QoSOptions{BreakDuration: written[int32](2000)}
		}
	}
	return cfg
}

func written[T any](v T) config.Value[T] {
	return config.Value[T]{V: v, Origin: config.Origin{Kind: config.Explicit, End: 1}}
}
