package budget_test

import (
	"testing"
	"time"

	fsbudget "github.com/failsafe-go/failsafe-go/budget"
	"github.com/margay-dev/margay/runtime/budget"
)

// peer is what failsafe-go's budget does; its policies call it under the hood.
// It bounds retries in flight, not retries per window, and so reads no clock.
type peer interface {
	RecordExecution()
	ReleaseExecution()
	TryAcquirePermit() bool
	ReleasePermit()
}

func bench(b *testing.B, name string, f func()) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f()
		}
	})
	b.Run(name+"/parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				f()
			}
		})
	})
}

func BenchmarkRequest(b *testing.B) {
	ours := mustNew(b, budget.Options{})
	now := time.Now()
	theirs := fsbudget.New().(peer)
	bench(b, "margay", ours.Request)
	bench(b, "margay-clock-read-already", func() { ours.RequestAt(now) })
	bench(b, "failsafe-go", func() { theirs.RecordExecution(); theirs.ReleaseExecution() })
}

func BenchmarkRetry(b *testing.B) {
	ours := mustNew(b, budget.Options{})
	for range 1000 {
		ours.Request()
	}
	theirs := fsbudget.New().(peer)
	bench(b, "margay", func() { ours.TryRetry() })
	bench(b, "failsafe-go", func() {
		if theirs.TryAcquirePermit() {
			theirs.ReleasePermit()
		}
	})
}
