package timeout

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Context is the context of one attempt: its parent's values and cancellation,
// and an end of its own. It costs one allocation; the timer, the channel and
// the place among the parent's children are only taken when somebody asks for
// [Context.Done], and the timer goes back to the strategy with [Context.Stop].
//
// A context is not reused for another attempt: whoever still holds it from an
// earlier one must not see the later one's end.
type Context struct {
	parent   context.Context
	deadline time.Time // of this attempt; never zero
	end      time.Time // of the whole call; zero: none
	reason   *Error    // what missing the deadline means
	strategy *Strategy

	inner atomic.Pointer[cancellable] // nil until Done is asked for

	mu    sync.Mutex
	alarm *alarm // guarded by mu; nil: not armed
	state state  // guarded by mu
}

type cancellable struct {
	context.Context
	cancel context.CancelCauseFunc
}

type state uint8

const (
	running  state = iota
	stopped        // the deadline no longer matters
	expired        // the deadline passed while it mattered
	released       // nobody uses the context any more
)

// Deadline returns the end of the attempt or the parent's, whichever is first.
// After [Context.Stop] only the parent's counts.
func (c *Context) Deadline() (time.Time, bool) {
	parent, ok := c.parent.Deadline()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == stopped || c.state == released || ok && parent.Before(c.deadline) {
		return parent, ok
	}
	return c.deadline, true
}

// Done returns a channel that is closed when the attempt is over: its deadline
// passed, its parent is done, or it was released.
func (c *Context) Done() <-chan struct{} {
	if inner := c.inner.Load(); inner != nil {
		return inner.Done()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if inner := c.inner.Load(); inner != nil {
		return inner.Done()
	}
	inner := &cancellable{}
	inner.Context, inner.cancel = context.WithCancelCause(c.parent)
	c.inner.Store(inner)
	switch c.state {
	case running:
		c.alarm = c.strategy.arm(c, time.Until(c.deadline))
	case expired:
		inner.cancel(c.reason)
	case released:
		inner.cancel(nil)
	case stopped:
	}
	return inner.Done()
}

// Err returns nil while the attempt runs, [context.DeadlineExceeded] after its
// own deadline, and otherwise what a cancelled context returns.
func (c *Context) Err() error {
	if c.pastDeadline() {
		return context.DeadlineExceeded
	}
	if err := c.parent.Err(); err != nil {
		return err
	}
	if inner := c.inner.Load(); inner != nil {
		return inner.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == released {
		return context.Canceled
	}
	return nil
}

// Value returns the parent's value for key.
func (c *Context) Value(key any) any {
	// The inner context answers the standard library's question for its own kind,
	// so that contexts derived from this one are linked without a goroutine.
	if inner := c.inner.Load(); inner != nil {
		return inner.Value(key)
	}
	return c.parent.Value(key)
}

// Stop ends the watch over the deadline: the answer's headers are here, and its
// body may take as long as it takes. The context stays usable until
// [Context.Release] or until its parent is done.
func (c *Context) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == running {
		c.state = stopped
	}
	c.disarm()
}

// Release ends the attempt: it cancels the context and gives its timer back.
// Call it when the callee and everything that uses its result are done. Any
// further call does nothing.
func (c *Context) Release() {
	c.mu.Lock()
	if c.state != expired {
		c.state = released
	}
	c.disarm()
	c.mu.Unlock()
	if inner := c.inner.Load(); inner != nil {
		inner.cancel(nil)
	}
}

// InUse reports whether anybody has asked for [Context.Done], that is, whether
// there is something that only [Context.Release] ends.
func (c *Context) InUse() bool { return c.inner.Load() != nil }

// Outcome returns what err, the callee's outcome, means to the caller. A
// cancellation becomes the [*Error] of this attempt where its deadline passed
// and the parent is not done, and the parent's cause where the parent is done.
// Everything else is returned as it is, nil and the [*Error] of an attempt
// further inside included.
//
// An outer timeout therefore wins over an inner one where both have ended when
// the callee returns, as in Polly: its end is the inner one's parent being done
// (`std-0278-timeout`).
func (c *Context) Outcome(err error) error {
	if err == nil || !c.isCancellation(err) {
		return err
	}
	switch {
	case c.parent.Err() != nil:
		return context.Cause(c.parent)
	case !c.pastDeadline():
		return err
	}
	reason := c.reason
	if !c.end.IsZero() && !time.Now().Before(c.end) {
		reason = c.strategy.totalError // a callee that is slow to give up outlasts both limits
	}
	if f := c.strategy.onTimeout; f != nil {
		f(c.parent, reason)
	}
	return reason
}

// isCancellation reports whether err says that the callee gave up because its
// context ended. A connection whose deadline is the context's says so with
// [os.ErrDeadlineExceeded].
func (c *Context) isCancellation(err error) bool {
	if inside, ok := errors.AsType[*Error](err); ok {
		return inside == c.reason
	}
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, os.ErrDeadlineExceeded)
}

// pastDeadline reports whether the deadline has passed while it mattered.
// Without an alarm nobody has noticed so far.
func (c *Context) pastDeadline() bool {
	c.mu.Lock()
	now := c.state
	c.mu.Unlock()
	if now == running && !time.Now().Before(c.deadline) {
		return c.expire()
	}
	return now == expired
}

// expire ends the attempt because of its deadline, unless that no longer
// matters or the parent was done first, and reports whether it is so ended.
func (c *Context) expire() bool {
	c.mu.Lock()
	if c.state == running {
		c.state = expired
		if c.parent.Err() != nil {
			c.state = stopped
		}
	}
	ended := c.state == expired
	c.mu.Unlock()
	if inner := c.inner.Load(); ended && inner != nil {
		inner.cancel(c.reason)
	}
	return ended
}

// disarm gives the timer back. c.mu is held.
func (c *Context) disarm() {
	if c.alarm != nil {
		c.strategy.disarm(c.alarm)
		c.alarm = nil
	}
}
