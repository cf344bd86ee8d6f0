// Package chaos makes calls fail on purpose, as Polly's chaos strategies (Simmy)
// do: a share of them is delayed, fails, gets another result, or is preceded by
// some behavior.
//
// Each strategy stands alone by its Inject method, which a call makes before
// the real one. A [Chaos] puts them into one order, and [NewTransport] around an
// http.RoundTripper.
package chaos

import (
	"context"
	"errors"
	"time"

	"github.com/margay-dev/margay/runtime/timeout"
)

// Chaos is what may happen to a call that returns a T. A nil part does not
// happen; the zero value does nothing.
//
// The parts are in the order in which a call meets them. Each decides for
// itself, and what fails or answers the call keeps it from the parts behind.
type Chaos[T any] struct {
	Latency  *Latency
	Fault    *Fault
	Outcome  *Outcome[T]
	Behavior *Behavior
}

// Do calls f, unless c answers in its place. When ctx is done by then, f is not
// called and the error is the cause of ctx.
func Do[T any](ctx context.Context, c *Chaos[T], f func(context.Context) (T, error)) (T, error) {
	var none T
	if c.Latency != nil {
		if err := c.Latency.Inject(ctx); err != nil {
			return none, err
		}
	}
	if c.Fault != nil {
		if err := c.Fault.Inject(ctx); err != nil {
			return none, err
		}
	}
	if c.Outcome != nil {
		if v, injected, err := c.Outcome.Inject(ctx); injected || err != nil {
			return v, err
		}
	}
	if c.Behavior != nil {
		if err := c.Behavior.Inject(ctx); err != nil {
			return none, err
		}
	}
	if ctx.Err() != nil {
		return none, context.Cause(ctx)
	}
	return f(ctx)
}

// Validate returns everything in c that Polly refuses, or nil.
func (c *Chaos[T]) Validate() error {
	var errs []error
	if c.Latency != nil {
		errs = append(errs, c.Latency.Validate())
	}
	if c.Fault != nil {
		errs = append(errs, c.Fault.Validate())
	}
	if c.Outcome != nil {
		errs = append(errs, c.Outcome.Validate())
	}
	if c.Behavior != nil {
		errs = append(errs, c.Behavior.Validate())
	}
	return errors.Join(errs...)
}

// DefaultLatency is the delay that Polly takes where none is given.
const DefaultLatency = 30 * time.Second

// Latency delays calls.
type Latency struct {
	Injection
	Latency          time.Duration // 0 or less: no delay
	LatencyGenerator func(ctx context.Context) time.Duration

	OnLatency  func(ctx context.Context, latency time.Duration) // before the delay
	OnInjected func(ctx context.Context, latency time.Duration) // after it
}

// Inject delays a call that is struck. The error is the cause of ctx, which
// also ends the delay.
func (l *Latency) Inject(ctx context.Context) error {
	if inject, err := l.ShouldInject(ctx); !inject {
		return err
	}
	latency := l.Latency
	if l.LatencyGenerator != nil {
		latency = l.LatencyGenerator(ctx)
	}
	if latency <= 0 {
		return nil
	}
	if l.OnLatency != nil {
		l.OnLatency(ctx, latency)
	}
	if err := timeout.Sleep(ctx, latency); err != nil {
		return err
	}
	if l.OnInjected != nil {
		l.OnInjected(ctx, latency)
	}
	return nil
}

// ErrInjected is the failure of a [Fault] that has none of its own.
var ErrInjected = errors.New("fault injected by chaos")

// Fault makes calls fail.
type Fault struct {
	Injection
	Fault          error                           // nil: [ErrInjected]
	FaultGenerator func(ctx context.Context) error // nil result: the call passes

	OnFault func(ctx context.Context, fault error)
}

// Inject returns the failure of a call that is struck, or the cause of ctx.
func (f *Fault) Inject(ctx context.Context) error {
	if inject, err := f.ShouldInject(ctx); !inject {
		return err
	}
	fault := f.fault(ctx)
	if fault != nil && f.OnFault != nil {
		f.OnFault(ctx, fault)
	}
	return fault
}

func (f *Fault) fault(ctx context.Context) error {
	switch {
	case f.FaultGenerator != nil:
		return f.FaultGenerator(ctx)
	case f.Fault != nil:
		return f.Fault
	}
	return ErrInjected
}

// Outcome gives calls another result.
type Outcome[T any] struct {
	Injection

	// OutcomeGenerator returns what a call gets, or false to let it pass. Nil: no
	// call gets anything.
	OutcomeGenerator func(ctx context.Context) (v T, err error, ok bool)

	OnOutcome func(ctx context.Context, v T, err error)
}

// Inject returns the result of a call that is struck, with true, or the cause
// of ctx.
func (o *Outcome[T]) Inject(ctx context.Context) (v T, injected bool, err error) {
	if inject, err := o.ShouldInject(ctx); !inject || o.OutcomeGenerator == nil {
		return v, false, err
	}
	v, err, injected = o.OutcomeGenerator(ctx)
	if !injected {
		return v, false, nil
	}
	if o.OnOutcome != nil {
		o.OnOutcome(ctx, v, err)
	}
	return v, true, err
}

// Behavior runs something before calls.
type Behavior struct {
	Injection
	Behavior func(ctx context.Context) error // an error fails the call

	OnBehavior func(ctx context.Context) // after a behavior that returned no error
}

// Inject runs the behavior before a call that is struck, and returns its error,
// or the cause of ctx.
func (b *Behavior) Inject(ctx context.Context) error {
	if inject, err := b.ShouldInject(ctx); !inject || b.Behavior == nil {
		return err
	}
	if err := b.Behavior(ctx); err != nil {
		return err
	}
	if b.OnBehavior != nil {
		b.OnBehavior(ctx)
	}
	return nil
}
