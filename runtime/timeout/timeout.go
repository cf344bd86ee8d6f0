// Package timeout bounds how long a call may take: one attempt of it, and the
// whole of it with its retries and waits.
//
// A timeout is cooperative, as in Polly: the callee gets a context that ends at
// the deadline, and the strategy waits for the callee to return. Only an
// outcome that is a cancellation turns into an [*Error]; a late success or any
// other late error passes through untouched, and where the caller gave up
// first, the outcome stays the caller's cancellation.
//
// [Do] bounds one call. A [Strategy] is for who sends many: it recycles its
// timers, arms none before somebody waits for it, and puts both limits into
// one context per attempt.
package timeout

import (
	"context"
	"sync"
	"time"
)

// Options of a [Strategy]. The zero value bounds nothing.
type Options struct {
	Attempt time.Duration // one attempt; 0 or less: no limit
	Total   time.Duration // all attempts and the waits between them; 0 or less: no limit

	// OnTimeout is called on the calling goroutine for every outcome that turned
	// into e, before the caller gets it (Polly's event OnTimeout). Nil: nobody.
	OnTimeout func(ctx context.Context, e *Error)
}

// Strategy holds the limits of one kind of call, for example of one route. It
// is safe for concurrent use and must not be copied. The zero value bounds
// nothing.
type Strategy struct {
	attempt   time.Duration
	total     time.Duration
	onTimeout func(context.Context, *Error)

	// The errors are made once: they say which limit ended and how long it was,
	// nothing about the call.
	attemptError *Error
	totalError   *Error

	alarms sync.Pool // of *alarm; a pool per strategy, for timers belong to one clock
}

// New returns a strategy with the limits of o. It accepts any duration; what
// Polly would refuse is [Validate]'s to say.
func New(o Options) *Strategy {
	s := &Strategy{attempt: max(o.Attempt, 0), total: max(o.Total, 0), onTimeout: o.OnTimeout}
	s.attemptError = &Error{Kind: Attempt, Limit: s.attempt}
	s.totalError = &Error{Kind: Total, Limit: s.total}
	return s
}

// Do calls f with a context that ends after d, and returns what f returned.
// Where f was stopped by that, and not by ctx, the error is an [*Error] of kind
// [Attempt]. With d of 0 or less f is called with ctx itself. When ctx is
// already done, f is not called and the error is the cause of ctx.
func Do[T any](ctx context.Context, d time.Duration, f func(context.Context) (T, error)) (T, error) {
	return Run(ctx, &Strategy{attempt: d, attemptError: &Error{Kind: Attempt, Limit: d}}, f)
}

// Run calls f once under both limits of s, as [Do] does under one.
func Run[T any](ctx context.Context, s *Strategy, f func(context.Context) (T, error)) (T, error) {
	if ctx.Err() != nil {
		var none T
		return none, context.Cause(ctx)
	}
	if s.attempt <= 0 && s.total <= 0 {
		return f(ctx)
	}
	now := time.Now()
	call := s.BeginAt(ctx, now)
	attempt := call.AttemptAt(now)
	defer attempt.Release()
	v, err := f(attempt)
	return v, attempt.Outcome(err)
}
