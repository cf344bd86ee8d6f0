package budget_test

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/budget"
)

func describe(what string, got, want any) string {
	return fmt.Sprintf("%s: got %v, want %v", what, got, want)
}

func mustNew(t testing.TB, o budget.Options) *budget.Budget {
	t.Helper()
	b, err := budget.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestZeroOptionsAreTheDefaults(t *testing.T) {
	b := mustNew(t, budget.Options{})
	for range budget.DefaultMinimumThroughput {
		b.Request()
	}
	if !b.TryRetry() {
		t.Error("first retry of 10 requests: got denied, want granted")
	}
	if b.TryRetry() {
		t.Error("second retry of 10 requests: got granted, want denied")
	}
}

func TestNilBudgetGrantsEverything(t *testing.T) {
	var b *budget.Budget
	b.Request()
	b.RequestAt(time.Now())
	if !b.TryRetry() || !b.TryRetryAt(time.Now()) {
		t.Error("retry without a budget: got denied, want granted")
	}
	if got := b.Counts(); got != (budget.Counts{}) {
		t.Errorf("counts without a budget: got %v, want none", got)
	}
}

func TestRatioZeroDeniesBelowMinimumThroughput(t *testing.T) {
	b := mustNew(t, budget.Options{RetryRatio: new(0.0)})
	if b.TryRetry() {
		t.Error("retry with a ratio of 0: got granted, want denied")
	}
}

func TestOneRetryPerWindowAtLeast(t *testing.T) {
	b := mustNew(t, budget.Options{RetryRatio: new(0.001), MinimumThroughput: 1})
	b.Request()
	if !b.TryRetry() {
		t.Error("first retry in the window: got denied, want granted")
	}
	if b.TryRetry() {
		t.Error("second retry in the window: got granted, want denied")
	}
}

func TestMinimumThroughputRefused(t *testing.T) {
	for _, o := range []budget.Options{
		{MinimumThroughput: -1}, {RetryRatio: new(math.NaN())}, {RetryRatio: new(1.5)},
		{SamplingDuration: time.Millisecond}, {SamplingDuration: 25 * time.Hour},
	} {
		if _, err := budget.New(o); err == nil {
			t.Errorf("New(%+v): got no error, want one", o)
		}
	}
}

func TestCountingAllocatesNothing(t *testing.T) {
	b := mustNew(t, budget.Options{})
	now := time.Now()
	if got := testing.AllocsPerRun(100, func() {
		b.Request()
		b.RequestAt(now)
		b.TryRetry()
		b.TryRetryAt(now)
		b.Counts()
	}); got != 0 {
		t.Errorf("allocations: got %v, want 0", got)
	}
}

// TestGrantsNeverExceedTheCap has 64 goroutines fail at once: the grants must
// be exactly as many as the ratio allows (the real type gives more, because it
// checks and counts in two steps).
func TestGrantsNeverExceedTheCap(t *testing.T) {
	const goroutines, requests = 64, 50
	for range 20 {
		b := mustNew(t, budget.Options{RetryRatio: new(0.1), MinimumThroughput: 1, SamplingDuration: time.Hour})
		var counted, done sync.WaitGroup
		var granted atomic.Int64
		counted.Add(goroutines)
		for range goroutines {
			done.Go(func() {
				for range requests {
					b.Request()
				}
				counted.Done()
				counted.Wait()
				for range requests {
					if b.TryRetry() {
						granted.Add(1)
					}
				}
			})
		}
		done.Wait()
		if got, want := granted.Load(), int64(goroutines*requests/10); got != want {
			t.Fatalf("grants: got %d, want exactly %d", got, want)
		}
		if got := b.Counts(); got.Requests != goroutines*requests || got.Retries != goroutines*requests/10 {
			t.Fatalf("counts: got %+v, want %d requests, %d retries", got, goroutines*requests, goroutines*requests/10)
		}
	}
}

// TestRolloverLosesNothing counts from many goroutines while the buckets move:
// every request is in exactly one bucket.
func TestRolloverLosesNothing(t *testing.T) {
	const goroutines, steps = 16, 2000
	start := time.Now()
	b := mustNew(t, budget.Options{SamplingDuration: time.Second, Now: func() time.Time { return start }})
	var done sync.WaitGroup
	for step := range steps {
		now := start.Add(time.Duration(step) * time.Millisecond)
		for range goroutines {
			done.Go(func() { b.RequestAt(now) })
		}
		done.Wait()
		live := step%100 + 1 + min(900, step-step%100) // milliseconds of the current bucket and the nine before
		if got := b.CountsAt(now).Requests; got != live*goroutines {
			t.Fatalf("requests after %d ms: got %d, want %d", step, got, live*goroutines)
		}
	}
}
