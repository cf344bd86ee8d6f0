package schema_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/gatewaygen"
)

func loaded(b *testing.B, n int) *load.Result {
	b.Helper()
	text := gatewaygen.Bytes(n, 1)
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
			text := bytes.ReplaceAll(gatewaygen.Bytes(n, 1), []byte(`"DownstreamScheme"`), []byte(`"DownstreamProtocol"`))
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
