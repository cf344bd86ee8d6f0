package syntax_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/tidwall/jsonc"

	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
	"github.com/margay-dev/margay/testdata/gatewaygen"
)

// BenchmarkParse reads gateways of three sizes, beside the peers: blanking the
// comments alone, and reading the result into structs.
func BenchmarkParse(b *testing.B) {
	for _, routes := range []int{10, 1_000, 100_000} {
		text := gatewaygen.Bytes(routes, 1)
		file := source.NewFile("ocelot.json", text)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/routes=%d", name, routes), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		run("margay", func() {
			var tree syntax.Tree
			if doc := syntax.Parse(&tree, file); len(doc.Defects) > 0 {
				b.Fatal(doc.Defects)
			}
		})
		run("peer-jsonc", func() { jsonc.ToJSON(text) })
		run("peer-jsonc-structs", func() {
			var g gateway
			if err := json.Unmarshal(jsonc.ToJSON(text), &g); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// gateway is what the generated files hold.
type gateway struct {
	Routes []struct {
		Key, UpstreamPathTemplate, DownstreamPathTemplate, DownstreamScheme string

		UpstreamHttpMethod     []string
		DownstreamHostAndPorts []struct {
			Host string
			Port int
		}
		LoadBalancerOptions  struct{ Type string }
		Priority, Timeout    int
		RouteIsCaseSensitive bool
		QoSOptions           qos
	}
	GlobalConfiguration struct {
		BaseUrl, RequestIdKey string
		QoSOptions            struct {
			RouteKeys []string
			qos
		}
	}
}

type qos struct {
	MinimumThroughput, BreakDuration, SamplingDuration, Timeout int
	FailureRatio                                                float64
}
