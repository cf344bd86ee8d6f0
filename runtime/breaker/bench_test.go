package breaker

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/sony/gobreaker/v2"
)

// subject is one way to put a successful call through a breaker.
type subject struct {
	name string
	call func()
}

func closedSubjects() []subject {
	return []subject{
		{"margay-consecutive", permits(New(Consecutive{MinimumThroughput: 5}))},
		{"margay-ratio", permits(New(Ratio{}))},
		{"margay-polly", permits(New(Polly{}))},
		{"margay-consecutive-do", do(New(Consecutive{MinimumThroughput: 5}))},
		{"failsafe-consecutive", failsafe(circuitbreaker.NewBuilder[any]().WithFailureThreshold(5))},
		{"failsafe-window", failsafe(circuitbreaker.NewBuilder[any]().
			WithFailureRateThreshold(0.5, 100, 10*time.Second))},
		{"gobreaker-consecutive", gobreak(gobreaker.Settings{})},
		{"gobreaker-rolling", gobreak(gobreaker.Settings{
			Interval: 10 * time.Second, BucketPeriod: time.Second,
		})},
		{"floor-clock", clock(time.Now())},
		{"floor-call", func() {}}, // what calling a subject costs by itself
	}
}

func permits(b *Breaker) func() {
	return func() {
		permit, err := b.Acquire()
		if err == nil {
			permit.Success()
		}
	}
}

func do(b *Breaker) func() {
	f := func() error { return nil }
	return func() { _ = b.Do(f) }
}

func failsafe(c circuitbreaker.Builder[any]) func() {
	b := c.Build()
	return func() {
		if b.TryAcquirePermit() {
			b.RecordSuccess()
		}
	}
}

func gobreak(s gobreaker.Settings) func() {
	b := gobreaker.NewCircuitBreaker[any](s)
	f := func() (any, error) { return nil, nil }
	return func() { _, _ = b.Execute(f) }
}

func clock(base time.Time) func() {
	return func() { _ = time.Since(base) }
}

// BenchmarkClosed is one admission and the report of its success.
func BenchmarkClosed(b *testing.B) { compare(b, closedSubjects()) }

// BenchmarkRejected is one admission that an open circuit refuses.
func BenchmarkRejected(b *testing.B) {
	fail := errors.New("backend failed")
	margay := New(Consecutive{MinimumThroughput: 1, BreakDuration: time.Hour})
	_ = margay.Do(func() error { return fail })

	open := circuitbreaker.NewBuilder[any]().WithDelay(time.Hour).Build()
	open.Open()

	gob := gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
		Timeout: time.Hour, ReadyToTrip: func(gobreaker.Counts) bool { return true },
	})
	_, _ = gob.Execute(func() (any, error) { return nil, fail })

	compare(b, []subject{
		{"margay", permits(margay)},
		{"failsafe", func() { open.TryAcquirePermit() }},
		{"gobreaker", func() { _, _ = gob.Execute(nil) }},
		{"floor-clock", clock(time.Now())},
	})
}

// BenchmarkFailing is one admission and the report of a failure that does not
// trip.
func BenchmarkFailing(b *testing.B) {
	const never = 1 << 40
	failures := func(br *Breaker) func() {
		return func() {
			permit, err := br.Acquire()
			if err == nil {
				permit.Failure()
			}
		}
	}
	fs := circuitbreaker.NewBuilder[any]().WithFailureRateThreshold(1, 1<<30, 10*time.Second).Build()
	compare(b, []subject{
		{"margay-consecutive", failures(New(Consecutive{MinimumThroughput: never}))},
		{"margay-ratio", failures(New(Ratio{MinimumThroughput: never}))},
		{"margay-polly", failures(New(Polly{MinimumThroughput: never}))},
		{"failsafe-window", func() {
			if fs.TryAcquirePermit() {
				fs.RecordFailure()
			}
		}},
	})
}

// BenchmarkMany spreads successes over ten thousand breakers. Two goroutines
// that never use the same breaker must not slow each other down: they share no
// line that anybody writes.
func BenchmarkMany(b *testing.B) {
	const n = 10_000
	for name, config := range map[string]Config{
		"consecutive": Consecutive{MinimumThroughput: 5}, "ratio": Ratio{}, "polly": Polly{},
	} {
		all := make([]*Breaker, n)
		for i := range all {
			all[i] = New(config)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i += 2 {
				give1(all[i%n], Success)
			}
		})
		b.Run(name+"/parallel", func(b *testing.B) {
			b.ReportAllocs()
			var first atomic.Int64
			b.RunParallel(func(pb *testing.PB) {
				for i := int(first.Add(1)); pb.Next(); i += 2 {
					give1(all[i%n], Success)
				}
			})
		})
	}
}

func compare(b *testing.B, subjects []subject) {
	for _, s := range subjects {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.call()
			}
		})
		b.Run(s.name+"/parallel", func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					s.call()
				}
			})
		})
	}
}
