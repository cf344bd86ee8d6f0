package schema_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
)

// gateway returns a configuration of n routes with about a dozen properties
// each, some of them sections.
func gateway(n int) []byte {
	var b strings.Builder
	b.WriteString("{\n  // generated\n  \"Routes\": [\n")
	for i := range n {
		fmt.Fprintf(&b, `    {
      "UpstreamPathTemplate": "/api/v1/service-%[1]d/{everything}",
      "UpstreamHttpMethod": [ "GET", "POST", "PUT" ],
      "DownstreamPathTemplate": "/service-%[1]d/{everything}",
      "DownstreamScheme": "https",
      "DownstreamHostAndPorts": [ { "Host": "service-%[1]d.internal.example", "Port": 8443 } ],
      "Key": "service-%[1]d",
      "Priority": 1,
      "Timeout": 30,
      "QoSOptions": { "MinimumThroughput": 5, "BreakDuration": 5000, "Timeout": %[2]d },
      "LoadBalancerOptions": { "Type": "RoundRobin" },
      "AuthenticationOptions": { "AuthenticationProviderKeys": [ "Bearer" ], "AllowedScopes": [ "api" ] },
      "Metadata": { "team": "team-%[3]d" }
    },
`, i, 1000+i%9000, i%50)
	}
	b.WriteString("  ],\n  \"GlobalConfiguration\": { \"BaseUrl\": \"https://gateway.example\", \"Timeout\": 60 }\n}\n")
	return []byte(b.String())
}

func loaded(b *testing.B, n int) *load.Result {
	b.Helper()
	text := gateway(n)
	res := load.Single(source.NewFile("ocelot.json", text), load.Options{})
	if res.Failure != nil {
		b.Fatal(res.Failure)
	}
	b.SetBytes(int64(len(text)))
	return res
}

func BenchmarkDecode(b *testing.B) {
	for _, n := range []int{10, 1_000, 100_000} {
		b.Run(fmt.Sprintf("routes=%d", n), func(b *testing.B) {
			res := loaded(b, n)
			b.ReportAllocs()
			for b.Loop() {
				if cfg := schema.Decode(res.Tree, res.Bound, schema.DecodeOptions{}); len(cfg.Routes) != n {
					b.Fatal(len(cfg.Routes))
				}
			}
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{10, 1_000, 100_000} {
		b.Run(fmt.Sprintf("routes=%d", n), func(b *testing.B) {
			res := loaded(b, n)
			cfg := schema.Decode(res.Tree, res.Bound, schema.DecodeOptions{})
			b.ReportAllocs()
			for b.Loop() {
				if found, _ := schema.Check(res, cfg, schema.CheckOptions{}); found.Len() != 0 {
					b.Fatal(found.Sorted()[0])
				}
			}
		})
	}
}

// BenchmarkCheckUnknownName has an option in every route that Ocelot does not
// know, so that something has to be said about each.
func BenchmarkCheckUnknownName(b *testing.B) {
	for _, n := range []int{10, 1_000, 10_000} {
		b.Run(fmt.Sprintf("routes=%d", n), func(b *testing.B) {
			text := bytes.ReplaceAll(gateway(n), []byte(`"Priority": 1`), []byte(`"RouteName": 1`))
			res := load.Single(source.NewFile("ocelot.json", text), load.Options{})
			cfg := schema.Decode(res.Tree, res.Bound, schema.DecodeOptions{})
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if found, _ := schema.Check(res, cfg, schema.CheckOptions{}); found.Len() != n {
					b.Fatal(found.Len())
				}
			}
		})
	}
}
