package limiter_test

import (
	"context"
	"testing"

	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/margay-dev/margay/runtime/limiter"
)

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

func BenchmarkPermit(b *testing.B) {
	ctx := context.Background()
	ours, theirs := mustNew(b, limiter.Options{}), bulkhead.New[any](1000)
	bench(b, "margay", func() {
		p, _ := ours.Acquire(ctx)
		p.Release()
	})
	bench(b, "failsafe-go", func() {
		_ = theirs.AcquirePermit(ctx)
		theirs.ReleasePermit()
	})
}

func BenchmarkRejection(b *testing.B) {
	ctx := context.Background()
	ours, theirs := mustNew(b, limiter.Options{PermitLimit: 1}), bulkhead.New[any](1)
	_, _ = ours.Acquire(ctx)
	theirs.TryAcquirePermit()
	bench(b, "margay", func() { _, _ = ours.Acquire(ctx) })
	bench(b, "failsafe-go", func() { theirs.TryAcquirePermit() })
}
