package timeout

import (
	"context"
	"time"
)

// Call is one call under a strategy, from its first attempt to its last. It is
// a value of a few words that belongs to one goroutine.
type Call struct {
	strategy *Strategy
	parent   context.Context
	end      time.Time // of the total timeout; zero: none
}

// Begin starts a call: the total timeout runs from now on. Nothing is armed and
// nothing has to be given back.
func (s *Strategy) Begin(ctx context.Context) Call {
	if s.total <= 0 {
		return Call{strategy: s, parent: ctx}
	}
	return s.BeginAt(ctx, time.Now())
}

// BeginAt is [Strategy.Begin] for callers that have read the clock.
func (s *Strategy) BeginAt(ctx context.Context, now time.Time) Call {
	c := Call{strategy: s, parent: ctx}
	if s.total > 0 {
		c.end = now.Add(s.total)
	}
	return c
}

// Attempt returns the context for the next attempt, or nil when neither limit
// is set: then use the one given to Begin. Give it to the callee, pass the
// callee's error through [Context.Outcome], call [Context.Stop] when there is
// an answer whose body is still to be read, and [Context.Release] at the end.
func (c *Call) Attempt() *Context {
	if c.strategy.attempt <= 0 && c.end.IsZero() {
		return nil
	}
	return c.AttemptAt(time.Now())
}

// AttemptAt is [Call.Attempt] for callers that have read the clock.
func (c *Call) AttemptAt(now time.Time) *Context {
	s := c.strategy
	x := &Context{parent: c.parent, strategy: s, deadline: c.end, end: c.end, reason: s.totalError}
	if s.attempt > 0 {
		if end := now.Add(s.attempt); c.end.IsZero() || end.Before(c.end) {
			x.deadline, x.reason = end, s.attemptError
		}
	}
	if x.deadline.IsZero() {
		return nil
	}
	return x
}

// Sleep waits for d between two attempts. It returns early with the cause of
// the parent when that is done, and with the [*Error] of the total timeout when
// that ends first or at the same moment.
func (c *Call) Sleep(d time.Duration) error {
	if c.end.IsZero() {
		return Sleep(c.parent, d)
	}
	left := time.Until(c.end)
	if d < left {
		return Sleep(c.parent, d)
	}
	if err := Sleep(c.parent, left); err != nil {
		return err
	}
	s := c.strategy
	if s.onTimeout != nil {
		s.onTimeout(c.parent, s.totalError)
	}
	return s.totalError
}

// Forever is a wait without end: [Sleep] returns only when its context is done.
const Forever time.Duration = 1<<63 - 1

// Sleep waits for d and returns nil, or returns the cause of ctx as soon as ctx
// is done, before it looks at d. With d of 0 or less it does not wait.
func Sleep(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if d <= 0 {
		return nil
	}
	var end <-chan time.Time
	if d < Forever {
		t := time.NewTimer(d)
		defer t.Stop()
		end = t.C
	}
	select {
	case <-end:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
