package retry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/timeout"
	"pgregory.net/rapid"
)

func TestZeroOptionsRetryThreeTimesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, calls := time.Now(), 0
		_, err := retry.Do(t.Context(), mustNew(t, retry.Options{}), func(context.Context) (int, error) {
			calls++
			return 0, errFail
		})
		if calls != 4 || !errors.Is(err, errFail) || time.Since(start) != 0 {
			t.Errorf("got %d calls in %v, %v, want 4 at once and the failure", calls, time.Since(start), err)
		}
	})
}

func TestIsFailure(t *testing.T) {
	gone := errors.New("client gone")
	live := t.Context()
	cancelled, cancel := context.WithCancelCause(live)
	cancel(gone)
	late, stop := context.WithTimeout(live, 0)
	defer stop()
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		want bool
	}{
		{"no error", live, nil, false},
		{"any error", live, errFail, true},
		{"any error of a caller that is gone", cancelled, errFail, true},
		{"cancellation", live, fmt.Errorf("call: %w", context.Canceled), false},
		{"the caller's cause", cancelled, fmt.Errorf("call: %w", gone), false},
		{"a deadline further inside", live, context.DeadlineExceeded, true},
		{"the caller's deadline", late, context.DeadlineExceeded, false},
		{"attempt timeout", live, &timeout.Error{Kind: timeout.Attempt}, true},
		{"total timeout", live, &timeout.Error{Kind: timeout.Total}, false},
	} {
		if got := retry.IsFailure(c.ctx, c.err); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestTotalTimeoutEndsTheExecution(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := timeout.New(timeout.Options{Attempt: time.Second, Total: 5 * time.Second})
		call, start, calls := limits.Begin(t.Context()), time.Now(), 0
		e := retry.Executor[int]{
			Policy: mustNew(t, retry.Options{MaxRetryAttempts: retry.Unlimited, Delay: time.Second}),
			Sleep:  func(_ context.Context, d time.Duration) error { return call.Sleep(d) },
		}
		_, err := e.Do(t.Context(), func(context.Context) (int, error) {
			calls++
			attempt := call.Attempt()
			defer attempt.Release()
			<-attempt.Done()
			return 0, attempt.Outcome(attempt.Err())
		})
		ended, _ := errors.AsType[*timeout.Error](err)
		if ended == nil || ended.Kind != timeout.Total || calls != 3 || time.Since(start) != 5*time.Second {
			t.Errorf("got %v after %v and %d calls, want the total timeout after 5s and 3", err, time.Since(start), calls)
		}
	})
}

// No delay is above the cap, negative, or lost, whatever the options.
func TestDelaysStayInBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := time.Duration(rapid.Int64Range(0, int64(retry.MaxDelay)).Draw(t, "max delay"))
		p, err := retry.New(retry.Options{
			MaxRetryAttempts: retry.Unlimited,
			Delay:            time.Duration(rapid.Int64Range(0, int64(retry.MaxDelay)).Draw(t, "delay")),
			BackoffType:      rapid.SampledFrom([]retry.BackoffType{retry.Constant, retry.Linear, retry.Exponential}).Draw(t, "type"),
			UseJitter:        rapid.Bool().Draw(t, "jitter"),
			MaxDelay:         &limit,
			Randomizer:       func() float64 { return rapid.Float64Range(0, 1-0x1p-53).Draw(t, "random") },
		})
		if err != nil {
			t.Fatal(err)
		}
		var s retry.State
		for i := range 40 {
			if p.Last(&s) || s.Attempt() != i {
				t.Fatalf("attempt %d: got number %d, last %v", i, s.Attempt(), p.Last(&s))
			}
			if d := p.Next(&s); d < 0 || d > limit {
				t.Fatalf("attempt %d: got %v, want between 0 and %v", i, d, limit)
			}
		}
	})
}

func TestSuccessAllocatesNothing(t *testing.T) {
	e := retry.Executor[int]{Policy: mustNew(t, retry.Defaults())}
	f := func(context.Context) (int, error) { return 1, nil }
	if got := testing.AllocsPerRun(100, func() { _, _ = e.Do(t.Context(), f) }); got != 0 {
		t.Errorf("allocations: got %v, want 0", got)
	}
}
