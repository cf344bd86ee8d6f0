// Package gatewaygen writes Ocelot configurations of any size that look as if
// people had written them: about twelve properties and 570 bytes a route,
// comments, trailing commas, groups of routes by key. All values are sound, so
// a linter has nothing to say about the QoS of any route.
//
// It takes a size and a seed and gives the same bytes for the same two. Only
// tests and benchmarks use it.
package gatewaygen

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
)

// groupEvery is how often a route belongs to the group of the global section.
const groupEvery = 8

// Write writes a configuration with the given number of static routes.
func Write(w io.Writer, routes int, seed uint64) error {
	out := bufio.NewWriterSize(w, 1<<16)
	g := generator{out: out, rand: rand.New(rand.NewPCG(seed, seed^0x9E3779B97F4A7C15))}
	g.print("// Gateway of the shop. One block per service; ask the platform team before\n// changing the global section.\n{\n  \"Routes\": [\n")
	for i := range routes {
		g.route(i)
	}
	g.print("  ],\n")
	g.global(routes)
	g.print("}\n")
	return out.Flush()
}

// Bytes returns what Write writes.
func Bytes(routes int, seed uint64) []byte {
	var b bytes.Buffer
	b.Grow(routes*600 + 1<<12)
	if err := Write(&b, routes, seed); err != nil {
		panic(err) // a bytes.Buffer takes everything
	}
	return b.Bytes()
}

type generator struct {
	out  *bufio.Writer
	rand *rand.Rand
}

func (g *generator) print(format string, args ...any) { fmt.Fprintf(g.out, format, args...) }

func (g *generator) pick(from []string) string { return from[g.rand.IntN(len(from))] }

var (
	services = []string{"orders", "payments", "catalogue", "basket", "customers", "shipping", "invoices", "search", "stock", "reviews"}
	methods  = []string{`[ "GET" ]`, `[ "GET", "POST" ]`, `[ "POST" ]`, `[ "PUT", "DELETE" ]`, `[ "Get", "Head" ]`}
	balance  = []string{"RoundRobin", "LeastConnection"}
	remarks  = []string{"// read side", "// moved here in spring", "/* the old host stays until the end of the year */", "// see the runbook before touching this one"}
)

func key(i int) string { return fmt.Sprintf("route-%06d", i) }

func (g *generator) route(i int) {
	service := g.pick(services)
	if g.rand.IntN(4) == 0 {
		g.print("    %s\n", g.pick(remarks))
	}
	g.print("    {\n      \"Key\": %q,\n", key(i))
	g.print("      \"UpstreamPathTemplate\": \"/%s/v%d/%06d/{id}\",\n", service, 1+g.rand.IntN(3), i)
	g.print("      \"UpstreamHttpMethod\": %s,\n", g.pick(methods))
	g.print("      \"DownstreamPathTemplate\": \"/api/%s/{id}\",\n      \"DownstreamScheme\": \"http\",\n", service)
	g.print("      \"DownstreamHostAndPorts\": [\n        { \"Host\": \"%s-%d.internal.example\", \"Port\": %d }", service, i%97, 8000+g.rand.IntN(100))
	if g.rand.IntN(6) == 0 {
		g.print(",\n        { \"Host\": \"%s-%d.standby.example\", \"Port\": %d },", service, i%97, 8000+g.rand.IntN(100))
	}
	g.print("\n      ],\n")
	if g.rand.IntN(3) > 0 {
		g.print("      \"LoadBalancerOptions\": { \"Type\": %q },\n", g.pick(balance))
	}
	g.print("      \"Priority\": %d,\n      \"Timeout\": %d,%s\n", 1+g.rand.IntN(5), 30+g.rand.IntN(60), g.pick([]string{"", "", "", " // seconds"}))
	if g.rand.IntN(4) == 0 {
		g.print("      \"RouteIsCaseSensitive\": false,\n")
	}
	g.qos(i)
	g.print("    },\n")
}

// qos writes a section that is within the bounds of both providers, or none:
// then the route lives on the global one, if its group does.
func (g *generator) qos(i int) {
	if i%groupEvery == 0 {
		return
	}
	g.print("      \"QoSOptions\": {\n        \"MinimumThroughput\": %d,\n        \"BreakDuration\": %d,\n", 2+g.rand.IntN(99), 1000*(1+g.rand.IntN(30)))
	if g.rand.IntN(3) == 0 {
		g.print("        \"FailureRatio\": 0.%d,\n        \"SamplingDuration\": %d,\n", 1+g.rand.IntN(9), 1000*(5+g.rand.IntN(55)))
	}
	comma := ""
	if g.rand.IntN(2) == 0 {
		comma = ","
	}
	g.print("        \"Timeout\": %d%s\n      },\n", 500*(1+g.rand.IntN(40)), comma)
}

func (g *generator) global(routes int) {
	g.print("  \"GlobalConfiguration\": {\n    \"BaseUrl\": \"https://gateway.example\",\n    \"RequestIdKey\": \"X-Request-Id\",\n")
	g.print("    \"QoSOptions\": {\n      \"RouteKeys\": [")
	for i := 0; i < routes; i += groupEvery {
		if i > 0 {
			g.print(",")
		}
		g.print("\n        %q", key(i))
	}
	g.print("\n      ],\n      \"MinimumThroughput\": 20,\n      \"BreakDuration\": 5000,\n      \"Timeout\": 10000\n    }\n  }\n")
}
