package timeout_test

import (
	"context"
	"testing"
	"time"

	"github.com/failsafe-go/failsafe-go"
	fstimeout "github.com/failsafe-go/failsafe-go/timeout"
	"github.com/margay-dev/margay/runtime/timeout"
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

func idle(context.Context) (int, error) { return 1, nil }

func watching(ctx context.Context) (int, error) {
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	default:
		return 1, nil
	}
}

// A call that comes back at once, and one that waits for its context as a
// transport does. The caller can be cancelled, as a server's request can.
func BenchmarkCall(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	one := timeout.New(timeout.Options{Attempt: time.Minute})
	two := timeout.New(timeout.Options{Attempt: time.Minute, Total: time.Hour})
	fs := failsafe.With(fstimeout.New[int](time.Minute)).WithContext(ctx)
	for _, callee := range []struct {
		name string
		f    func(context.Context) (int, error)
	}{{"idle", idle}, {"watching", watching}} {
		bench(b, callee.name+"/margay", func() { _, _ = timeout.Run(ctx, one, callee.f) })
		bench(b, callee.name+"/margay-both-limits", func() { _, _ = timeout.Run(ctx, two, callee.f) })
		bench(b, callee.name+"/context.WithTimeout", func() {
			inner, stop := context.WithTimeout(ctx, time.Minute)
			_, _ = callee.f(inner)
			stop()
		})
		bench(b, callee.name+"/failsafe-go", func() {
			_, _ = fs.GetWithExecution(func(e failsafe.Execution[int]) (int, error) { return callee.f(e.Context()) })
		})
	}
}
