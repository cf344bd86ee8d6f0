package reach_test

import (
	"fmt"
	"testing"

	"github.com/margay-dev/margay/validate/reach"
)

// BenchmarkShadow looks at every route of a gateway: ordinary ones that all are
// reached, and such that all but one are shadowed by a catch-all.
func BenchmarkShadow(b *testing.B) {
	for _, shape := range []string{"reached", "shadowed"} {
		for _, n := range []int{10, 1000, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", shape, n), func(b *testing.B) {
				all := make([]reach.Entry, n)
				for i := range all {
					all[i] = reach.Entry{Template: fmt.Sprintf("/svc%d/orders/{id}/items/{item}", i), Methods: []string{"Get"}, Priority: 1}
				}
				if shape == "shadowed" {
					all[0] = reach.Entry{Template: "/{area}/{rest}", Priority: 1}
				}
				b.ReportAllocs()
				for b.Loop() {
					table := reach.New(all)
					found := 0
					for i := range all {
						if _, ok := table.Shadow(i); ok {
							found++
						}
					}
					if (found > 0) != (shape == "shadowed") {
						b.Fatalf("got %d shadowed routes", found)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/route")
			})
		}
	}
}
