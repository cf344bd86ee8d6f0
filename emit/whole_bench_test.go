package emit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	stdruntime "runtime"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/tidwall/jsonc"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/gatewaygen"
	"github.com/margay-dev/margay/validate/rules"
)

var sizes = []int{10, 1_000, 100_000}

// BenchmarkWhole measures a whole lint, from bytes to the printed report, with
// every rule, beside what people would write instead: a library for comments
// and encoding/json into structs, which finds nothing.
func BenchmarkWhole(b *testing.B) {
	all := rules.All()
	for _, routes := range sizes {
		text := gatewaygen.Bytes(routes, 1)
		b.Run(fmt.Sprintf("lint/%d", routes), func(b *testing.B) {
			measure(b, text, routes)
			for b.Loop() {
				wholeLint(b, text, emit.Options{Rules: all, Workers: stdruntime.GOMAXPROCS(0)})
			}
		})
		b.Run(fmt.Sprintf("jsonc-and-structs/%d", routes), func(b *testing.B) {
			measure(b, text, routes)
			for b.Loop() {
				var g peerGateway
				if err := json.Unmarshal(jsonc.ToJSON(text), &g); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSchemaAlone measures the check of the JSON Schema by its library,
// on values that have been parsed before.
func BenchmarkSchemaAlone(b *testing.B) {
	compiled := jsonschema.MustCompileString("ocelot.schema.json", string(schema.JSON()))
	for _, routes := range sizes {
		text := gatewaygen.Bytes(routes, 1)
		b.Run(fmt.Sprint(routes), func(b *testing.B) {
			var v any
			if err := json.Unmarshal(jsonc.ToJSON(text), &v); err != nil {
				b.Fatal(err)
			}
			measure(b, text, routes)
			for b.Loop() {
				if err := compiled.Validate(v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func measure(b *testing.B, text []byte, routes int) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	b.Cleanup(func() { b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*routes), "ns/route") })
}

func wholeLint(b *testing.B, text []byte, opts emit.Options) {
	r, err := emit.Compile(context.Background(), load.Input{Name: "ocelot.json", File: source.NewFile("ocelot.json", text)}, opts)
	if err != nil {
		b.Fatal(err)
	}
	printer, ok := report.New("text", report.Options{})
	if !ok {
		b.Fatal("there is no report of texts")
	}
	var out bytes.Buffer
	if err := printer.Print(&out, r.Findings); err != nil {
		b.Fatal(err)
	}
}

// peerGateway is what a program without margay decodes into.
type peerGateway struct {
	Routes []struct {
		UpstreamPathTemplate, DownstreamPathTemplate, DownstreamScheme, Key, UpstreamHost string

		UpstreamHttpMethod     []string
		DownstreamHostAndPorts []struct {
			Host string
			Port int
		}
		Priority, Timeout *int
		QoSOptions        *struct {
			BreakDuration, MinimumThroughput, SamplingDuration, Timeout *int
			FailureRatio                                                *float64
		}
		LoadBalancerOptions   *struct{ Type, Key string }
		AuthenticationOptions *struct{ AuthenticationProviderKeys, AllowedScopes []string }
		RateLimitOptions      *struct {
			EnableRateLimiting *bool
			Period             string
			Limit              *int64
		}
		Metadata map[string]string
	}
	GlobalConfiguration map[string]any
}
