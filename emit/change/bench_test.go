package change_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/testdata/gatewaygen"
)

// BenchmarkDiff compares two gateways of which every tenth route differs, from
// bytes to the report: in the order of the old one, and with the routes turned
// round.
func BenchmarkDiff(b *testing.B) {
	for _, routes := range []int{10, 1_000, 10_000, 100_000} {
		old := string(gatewaygen.Bytes(routes, 1))
		for name, new := range map[string]string{"tenth": tenth(old), "turned": turned(old)} {
			b.Run(fmt.Sprintf("%s/%d", name, routes), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					var sides [2]*change.Side
					var group sync.WaitGroup
					for i, text := range []string{old, new} {
						group.Go(func() { sides[i] = side(b, "ocelot.json", text) })
					}
					group.Wait()
					change.Compare(sides[0], sides[1])
				}
			})
		}
	}
}

// tenth changes a value in every tenth route.
func tenth(text string) string {
	parts := strings.Split(text, "\"DownstreamScheme\": \"http\"")
	var out strings.Builder
	for i, part := range parts {
		out.WriteString(part)
		switch {
		case i == len(parts)-1:
		case i%10 == 0:
			out.WriteString("\"DownstreamScheme\": \"https\"")
		default:
			out.WriteString("\"DownstreamScheme\": \"http\"")
		}
	}
	return out.String()
}

// turned puts the routes into the opposite order.
func turned(text string) string {
	start := strings.Index(text, "    {\n      \"Key\"")
	end := strings.LastIndex(text, "  ],\n  \"GlobalConfiguration\"")
	parts := strings.SplitAfter(text[start:end], "\n    },\n")
	var out strings.Builder
	out.WriteString(text[:start])
	for i := len(parts) - 1; i >= 0; i-- {
		out.WriteString(parts[i])
	}
	return out.String() + text[end:]
}
