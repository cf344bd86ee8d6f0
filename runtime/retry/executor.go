package retry

import (
	"context"
	"errors"
	"time"

	"github.com/margay-dev/margay/runtime/budget"
	"github.com/margay-dev/margay/runtime/timeout"
)

// Do calls f until it returns no error, until p allows no further attempt, or
// until ctx is done, and returns the last outcome. An error that is the
// cancellation of a context is not retried. When ctx ends before an attempt or
// during a wait, the error is its cause, and the failure before it is lost.
func Do[T any](ctx context.Context, p *Policy, f func(context.Context) (T, error)) (T, error) {
	e := Executor[T]{Policy: p}
	return e.Do(ctx, f)
}

// Executor runs calls under a policy and lets its owner decide and observe.
// Only Policy must be set; every hook may be nil. It must not change while it
// is used, and is then safe for concurrent use.
//
// The hooks are called on the calling goroutine, in the order of their fields.
// A panic in one of them passes to the caller.
type Executor[T any] struct {
	Policy *Policy
	Budget *budget.Budget // what retries are taken from; nil: no limit

	// ShouldHandle reports whether an outcome is worth another attempt. Nil: every
	// error is but a cancellation, see [IsFailure].
	ShouldHandle func(ctx context.Context, a Attempt[T]) bool

	// OnRetryBudgetExhausted is called where only the budget denied the retry.
	OnRetryBudgetExhausted func(ctx context.Context, a Attempt[T])

	// OnAttempt is called after every attempt, with Handled and Last set.
	OnAttempt func(ctx context.Context, a Attempt[T])

	// DelayGenerator returns a delay in place of the policy's, which MaxDelay does
	// not cap, or false for the policy's. A negative delay counts as false.
	DelayGenerator func(ctx context.Context, a Attempt[T]) (time.Duration, bool)

	// OnRetry is called before the wait for the next attempt.
	OnRetry func(ctx context.Context, a Attempt[T], delay time.Duration)

	// Discard releases what an attempt returned that will be repeated, for example
	// the body of a response.
	Discard func(v T)

	// Sleep waits between attempts in place of timeout.Sleep, for example under a
	// total timeout.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Attempt is one attempt and its outcome.
type Attempt[T any] struct {
	Number   int // counted from 0
	Value    T
	Err      error
	Duration time.Duration // 0 unless a hook observes attempts or retries
	Handled  bool          // worth another attempt, and not denied by the budget
	Last     bool          // no further attempt is allowed
}

// IsFailure reports whether err is a failure that another attempt may mend. The
// cancellation of a context is none, and neither is the end of the whole call: a
// total timeout, or the deadline or the cause with which ctx itself ended. The
// timeout of one attempt is.
func IsFailure(ctx context.Context, err error) bool {
	if e, ok := errors.AsType[*timeout.Error](err); ok {
		return e.Kind != timeout.Total
	}
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return false
	case ctx.Err() == nil:
		return true
	}
	// An http.Transport returns the cause of its context.
	return !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Cause(ctx))
}

// Do runs f as [Do] does.
func (e *Executor[T]) Do(ctx context.Context, f func(context.Context) (T, error)) (T, error) {
	var none T
	if ctx.Err() != nil {
		return none, context.Cause(ctx)
	}
	e.Budget.Request()
	var s State
	for {
		a := e.attempt(ctx, &s, f)
		if a.Last || !a.Handled {
			return a.Value, a.Err
		}
		delay := e.delay(ctx, &s, a)
		if e.OnRetry != nil {
			e.OnRetry(ctx, a, delay)
		}
		if e.Discard != nil {
			e.Discard(a.Value)
		}
		if err := e.wait(ctx, delay); err != nil {
			return none, err
		}
	}
}

// attempt runs f once and judges the outcome. The budget is asked only where
// nothing else stands against a retry.
func (e *Executor[T]) attempt(ctx context.Context, s *State, f func(context.Context) (T, error)) Attempt[T] {
	a := Attempt[T]{Number: s.Attempt(), Last: e.Policy.Last(s)}
	timed := e.OnAttempt != nil || e.OnRetry != nil
	var start time.Time
	if timed {
		start = time.Now()
	}
	a.Value, a.Err = f(ctx)
	a.Handled = e.handles(ctx, a)
	if timed {
		a.Duration = time.Since(start)
	}
	if a.Handled && !a.Last && !e.Budget.TryRetry() {
		a.Handled = false
		if e.OnRetryBudgetExhausted != nil {
			e.OnRetryBudgetExhausted(ctx, a)
		}
	}
	if e.OnAttempt != nil {
		e.OnAttempt(ctx, a)
	}
	return a
}

func (e *Executor[T]) handles(ctx context.Context, a Attempt[T]) bool {
	if e.ShouldHandle != nil {
		return e.ShouldHandle(ctx, a)
	}
	return IsFailure(ctx, a.Err)
}

// delay returns the wait before the next attempt. The policy's state moves on
// even where the generator decides.
func (e *Executor[T]) delay(ctx context.Context, s *State, a Attempt[T]) time.Duration {
	delay := e.Policy.Next(s)
	if e.DelayGenerator != nil {
		if d, ok := e.DelayGenerator(ctx, a); ok && d >= 0 {
			return d
		}
	}
	return delay
}

func (e *Executor[T]) wait(ctx context.Context, d time.Duration) error {
	if e.Sleep != nil {
		return wait(ctx, d, e.Sleep)
	}
	return Wait(ctx, d)
}
