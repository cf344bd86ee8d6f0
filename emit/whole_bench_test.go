package emit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	stdruntime "runtime"
	"slices"
	"testing"
	"time"

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

var sizes = []int{10, 1_000, 10_000, 100_000}

// BenchmarkWhole measures a whole lint, from bytes to the printed report, with
// every rule, beside what people would write instead: a library for comments
// and encoding/json into structs, which finds nothing. The two take turns, so
// that a machine that is busy with other things is so for both; ratio is the
// median of the pairs, cpu-ratio that of the processor time of both cores.
func BenchmarkWhole(b *testing.B) {
	all := rules.All()
	for _, routes := range sizes {
		text := gatewaygen.Bytes(routes, 1)
		b.Run(fmt.Sprint(routes), func(b *testing.B) {
			var lint, peer measured
			var ratios []float64
			for b.Loop() {
				mine := lint.time(func() {
					wholeLint(b, text, emit.Options{Rules: all, Workers: stdruntime.GOMAXPROCS(0)})
				})
				theirs := peer.time(func() {
					var g peerGateway
					if err := json.Unmarshal(jsonc.ToJSON(text), &g); err != nil {
						b.Fatal(err)
					}
				})
				ratios = append(ratios, float64(mine)/float64(theirs))
			}
			lint.report(b, "lint", routes)
			peer.report(b, "peer", routes)
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "ratio")
			if peer.cpu > 0 {
				b.ReportMetric(float64(lint.cpu)/float64(peer.cpu), "cpu-ratio")
			}
			b.ReportMetric(0, "ns/op") // of both together: says nothing
		})
	}
}

// BenchmarkWarmPass measures what an editor waits for after a keystroke: a
// whole lint of another text in a process that runs already.
func BenchmarkWarmPass(b *testing.B) {
	const routes = 1_000
	texts := [...][]byte{gatewaygen.Bytes(routes, 1), gatewaygen.Bytes(routes, 2)}
	opts := emit.Options{Rules: rules.All(), Workers: stdruntime.GOMAXPROCS(0)}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		wholeLint(b, texts[i%len(texts)], opts)
	}
}

// measured adds up what calls cost.
type measured struct {
	calls         int
	wall, cpu     time.Duration
	bytes, allocs uint64
}

// time calls f on a heap without garbage of others and returns how long it took.
func (m *measured) time(f func()) time.Duration {
	var before, after stdruntime.MemStats
	stdruntime.GC()
	stdruntime.ReadMemStats(&before)
	cpu, start := processorTime(), time.Now()
	f()
	took := time.Since(start)
	m.cpu += processorTime() - cpu
	stdruntime.ReadMemStats(&after)
	m.calls++
	m.wall += took
	m.bytes += after.TotalAlloc - before.TotalAlloc
	m.allocs += after.Mallocs - before.Mallocs
	return took
}

func (m *measured) report(b *testing.B, who string, routes int) {
	calls := float64(m.calls)
	b.ReportMetric(float64(m.wall.Nanoseconds())/calls/float64(routes), who+"-ns/route")
	b.ReportMetric(float64(m.wall.Microseconds())/1000/calls, who+"-ms")
	if m.cpu > 0 {
		b.ReportMetric(float64(m.cpu.Microseconds())/1000/calls, who+"-cpu-ms")
	}
	b.ReportMetric(float64(m.bytes)/calls, who+"-B")
	b.ReportMetric(float64(m.allocs)/calls, who+"-allocs")
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
