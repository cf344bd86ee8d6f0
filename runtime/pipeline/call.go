package pipeline

import (
	"context"
	"errors"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/runtime/timeout"
)

// operation is what a pipeline does again and again until it is good: a request
// or a function. It holds the result of the last attempt.
type operation interface {
	// try makes one attempt.
	try(ctx context.Context) error
	// status is the HTTP status of the result, 0 if it has none.
	status() int
	// value is the result as hooks see it.
	value() any
	// onError says what an error is that no rule of the pipeline is about.
	onError(err error, transport breaker.Result) breaker.Result
	// worthRepeating reports whether the outcome calls for a retry, as far as the
	// operation knows.
	worthRepeating(ctx context.Context, err error) bool
	// repeatable reports whether another attempt is possible.
	repeatable() bool
	// awaitsCaller reports whether the last attempt still waits for something that
	// the caller sends.
	awaitsCaller() bool
	// delay is the wait that the result asks for.
	delay() (time.Duration, bool)
	// judged passes the verdict on an attempt on to whoever chose the host.
	judged(breaker.Result)
	// keep hands the attempt's context to the result, which outlives it.
	keep(c *timeout.Context)
	// discard gives the result up.
	discard()
	// finish takes the outcome of the whole call and may put another in its place.
	finish(ctx context.Context, err error) error
}

// call is one call on its way through the strategies.
type call struct {
	*Pipeline
	ctx      context.Context
	op       operation
	timeouts timeout.Call
	attempts retry.State
	started  time.Time // of the attempt; zero in a pipeline that is not clocked
}

// run puts op through the pipeline. The error is nil where op holds a result.
func (p *Pipeline) run(ctx context.Context, op operation) error {
	if p.hopeless != nil {
		return p.hopeless
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if p.events.silent {
		return op.finish(ctx, p.limited(ctx, op))
	}
	start := time.Now()
	done := false
	defer func() {
		if !done {
			p.events.emit(ctx, telemetry.Event{Kind: telemetry.PipelineExecuted, Duration: time.Since(start), Reason: telemetry.ReasonPanic})
		}
	}()
	err := op.finish(ctx, p.limited(ctx, op))
	done = true
	p.events.emit(ctx, telemetry.Event{Kind: telemetry.PipelineExecuted, Duration: time.Since(start),
		StatusCode: op.status(), Err: err, Reason: p.reason(ctx, op, err)})
	return err
}

// limited runs op while it holds a permit of the limiter.
func (p *Pipeline) limited(ctx context.Context, op operation) error {
	if p.limiter == nil {
		return p.timed(ctx, op)
	}
	permit, err := p.limiter.Acquire(ctx)
	if err != nil {
		if ctx.Err() == nil {
			p.events.emit(ctx, telemetry.Event{Kind: telemetry.OnRateLimiterRejected, Strategy: telemetry.ConcurrencyLimiter,
				Reason: telemetry.ReasonLimited})
		}
		return err
	}
	defer permit.Release()
	return p.timed(ctx, op)
}

// timed starts the total timeout and repeats op under it.
func (p *Pipeline) timed(ctx context.Context, op operation) error {
	c := call{Pipeline: p, ctx: ctx, op: op}
	if p.clocked {
		c.started = time.Now()
	}
	c.timeouts = p.timeouts.BeginAt(ctx, c.started)
	if p.retry == nil {
		return c.attempt()
	}
	return c.repeat()
}

// repeat makes attempts until one is good or none is left.
func (c *call) repeat() error {
	c.budget.RequestAt(c.started)
	for {
		err := c.attempt()
		if !c.again(err) {
			return err
		}
		n := c.attempts.Attempt()
		delay := c.nextDelay(err)
		c.events.retry(c, n, err, delay)
		c.op.discard()
		if err := c.sleep(delay); err != nil {
			return err
		}
		if c.clocked {
			c.started = time.Now()
		}
	}
}

// again reports whether another attempt follows, and takes it from the budget.
func (c *call) again(err error) bool {
	n := c.attempts.Attempt()
	last := c.retry.Last(&c.attempts)
	handled := c.handles(n, err)
	granted := !handled || last || c.budget.TryRetry()
	if !granted {
		c.events.exhausted(c, n, err)
	}
	c.events.attempt(c, n, err, handled && granted, last)
	return handled && granted && !last
}

// handles reports whether the outcome is worth another attempt.
func (c *call) handles(n int, err error) bool {
	if err != nil && !c.mayRepeat(err) {
		return false
	}
	if c.retryIf != nil {
		return c.op.repeatable() && c.retryIf(Outcome{Attempt: n, Value: c.op.value(), Err: err})
	}
	return c.op.worthRepeating(c.ctx, err) && c.op.repeatable()
}

// mayRepeat reports whether an error leaves room for another attempt.
func (c *call) mayRepeat(err error) bool {
	if missed, ok := errors.AsType[*timeout.Error](err); ok && missed.Kind == timeout.Total {
		return false
	}
	return c.ctx.Err() == nil && !errors.Is(err, breaker.ErrOpen) && !isCallers(c.ctx, c.op, err)
}

// nextDelay moves on to the next attempt and returns the wait before it: the
// hook's, the header's or the policy's, in this order.
func (c *call) nextDelay(err error) time.Duration {
	n := c.attempts.Attempt()
	computed := c.retry.Next(&c.attempts)
	if c.retryDelay != nil {
		if d, ok := c.retryDelay(Outcome{Attempt: n, Value: c.op.value(), Err: err}); ok && d >= 0 {
			return d
		}
	}
	if d, ok := c.op.delay(); ok && d >= 0 && err == nil {
		return d
	}
	return computed
}

// sleep waits between two attempts, in whole milliseconds as .NET's timers do.
func (c *call) sleep(d time.Duration) error {
	if d != retry.Forever {
		if c.ctx.Err() == nil && d > retry.Longest {
			return retry.ErrDelayTooLong
		}
		d = d.Truncate(time.Millisecond)
	}
	if err := c.timeouts.Sleep(d); err != nil {
		return err
	}
	if c.ctx.Err() != nil { // it ended with the wait
		return context.Cause(c.ctx)
	}
	return nil
}
