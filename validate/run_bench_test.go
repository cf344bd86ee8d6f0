package validate_test

import (
	"fmt"
	stdruntime "runtime"
	"testing"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/gatewaygen"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/rules"
	"github.com/margay-dev/margay/validate/startup"
)

// BenchmarkRun measures the rules alone, over gateways that have been resolved
// before, as an editor has them: with one worker and with one for each
// processor.
func BenchmarkRun(b *testing.B) {
	all := rules.All()
	for _, routes := range []int{10, 1_000, 100_000} {
		loaded := load.Single(source.NewFile("ocelot.json", gatewaygen.Bytes(routes, 1)), load.Options{})
		cfg := schema.Decode(loaded.Tree, loaded.Bound, schema.DecodeOptions{})
		var p profile.Profile
		gateway, start := normalize.Resolve(cfg, p), startup.Check(cfg, p)
		for _, workers := range []int{1, stdruntime.GOMAXPROCS(0)} {
			b.Run(fmt.Sprintf("routes=%d/workers=%d", routes, workers), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					in := &validate.Input{Loaded: loaded, Config: cfg, Gateway: gateway, Startup: start, Profile: p}
					validate.Run(in, all, nil, validate.Options{Workers: workers})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*routes), "ns/route")
			})
		}
	}
}
