package retry_test

import (
	"context"
	"testing"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/margay-dev/margay/runtime/budget"
	"github.com/margay-dev/margay/runtime/retry"
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

// A call that succeeds at once, and one that fails twice and is not waited for.
func BenchmarkDo(b *testing.B) {
	ctx := context.Background()
	ours := retry.Executor[int]{Policy: mustNew(b, retry.Options{MaxRetryAttempts: 2})}
	budgeted := ours
	var err error
	if budgeted.Budget, err = budget.New(budget.Options{}); err != nil {
		b.Fatal(err)
	}
	theirs := failsafe.With(retrypolicy.NewBuilder[int]().WithMaxRetries(2).Build())
	ok := func(context.Context) (int, error) { return 1, nil }
	fail := func(context.Context) (int, error) { return 0, errFail }

	bench(b, "success/margay", func() { _, _ = ours.Do(ctx, ok) })
	bench(b, "success/margay-with-budget", func() { _, _ = budgeted.Do(ctx, ok) })
	bench(b, "success/failsafe-go", func() { _, _ = theirs.Get(func() (int, error) { return 1, nil }) })
	bench(b, "two-failures/margay", func() { _, _ = ours.Do(ctx, fail) })
	bench(b, "two-failures/failsafe-go", func() { _, _ = theirs.Get(func() (int, error) { return 0, errFail }) })
}

func BenchmarkNext(b *testing.B) {
	for name, o := range map[string]retry.Options{
		"constant": {Delay: 1000}, "exponential": {Delay: 1000, BackoffType: retry.Exponential}, "decorrelated": retry.Defaults(),
	} {
		p := mustNew(b, o)
		bench(b, name, func() {
			var s retry.State
			p.Next(&s)
		})
	}
}
