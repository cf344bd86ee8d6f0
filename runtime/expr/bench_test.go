package expr_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/expr"
)

const typical = "LatencyAtQuantileMS(50.0) > 100 || NetworkErrorRatio() > 0.10 || ResponseCodeRatio(500, 600, 0, 600) > 0.25 && RequestThreshold() >= 20"

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := expr.Parse(typical); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseLong is about the growth: a text of a hundred thousand
// comparisons takes a hundred times as long as one of a thousand.
func BenchmarkParseLong(b *testing.B) {
	for _, n := range []int{10, 1_000, 100_000} {
		text := strings.Repeat("RequestThreshold() > 1 && ", n-1) + "RequestThreshold() > 1"
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := expr.Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// counts are metrics that cost nothing, for the benchmark and the count of
// allocations.
type counts struct{ n int64 }

func (c *counts) Requests() int64             { return c.n }
func (c *counts) NetworkErrors() int64        { return 0 }
func (c *counts) Responses(int) int64         { return c.n }
func (c *counts) Latencies() int64            { return c.n }
func (c *counts) LatenciesWithin(i int) int64 { return c.n }

func BenchmarkHolds(b *testing.B) {
	e, err := expr.Parse(typical)
	if err != nil {
		b.Fatal(err)
	}
	m := &counts{n: 10}
	b.ReportAllocs()
	for b.Loop() {
		if !e.Holds(m) == (m.n < 0) {
			b.Fatal("wrong result")
		}
	}
}

func TestHoldsAllocatesNothing(t *testing.T) {
	e, err := expr.Parse(typical)
	if err != nil {
		t.Fatal(err)
	}
	m := &counts{n: 10}
	if got := testing.AllocsPerRun(100, func() { e.Holds(m) }); got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
}
