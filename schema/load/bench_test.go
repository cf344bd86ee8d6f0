package load_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// routes returns a configuration with n ordinary routes.
func routes(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"Routes":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{
  "Key": "r%d", "UpstreamPathTemplate": "/service-%d/{everything}", "DownstreamPathTemplate": "/{everything}",
  "DownstreamScheme": "http", "DownstreamHostAndPorts": [{"Host": "svc-%d", "Port": 80}],
  "UpstreamHttpMethod": ["Get", "Post"], "Timeout": %d,
  "QoSOptions": {"MinimumThroughput": 5, "BreakDuration": 5000, "FailureRatio": 0.5, "Timeout": 1000}
}`, i, i, i, i%90+1)
	}
	b.WriteString(`],"GlobalConfiguration":{"BaseUrl":"http://gw.example"}}`)
	return []byte(b.String())
}

func BenchmarkSingle(b *testing.B) {
	for _, n := range []int{10, 1000, 100_000} {
		text := routes(n)
		b.Run(fmt.Sprintf("parse/%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				var tree syntax.Tree
				syntax.Parse(&tree, source.NewFile("ocelot.json", text))
			}
		})
		b.Run(fmt.Sprintf("load/%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				load.Single(source.NewFile("ocelot.json", text), load.Options{})
			}
		})
	}
}

func BenchmarkMerge(b *testing.B) {
	for _, n := range []int{10, 1000, 35_000} {
		text := routes(n)
		files := fstest.MapFS{}
		for _, name := range []string{"ocelot.a.json", "ocelot.b.json", "ocelot.c.json"} {
			files[name] = &fstest.MapFile{Data: text}
		}
		for _, way := range []load.Provider{load.Merge{Environment: "Production"}, load.Swagger{}} {
			b.Run(fmt.Sprintf("%T/3x%d", way, n), func(b *testing.B) {
				b.SetBytes(int64(3 * len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := load.Run(load.Folder{FS: files}, []load.Provider{way}, load.Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
