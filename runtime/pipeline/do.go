package pipeline

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/chaos"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/timeout"
)

// Do puts f through p and returns what its last attempt returned, or the error
// of the strategy that stopped it: one that errors.Is finds to be
// breaker.ErrOpen or limiter.ErrRejected, a *timeout.Error, or the cause of
// ctx. f must return soon after its context is done.
//
// An error of f is a failure, except for context.Canceled, which is ignored;
// Strategies.Classify and Strategies.RetryIf decide otherwise. The statuses and
// methods of HTTP have no meaning here.
func Do[T any](ctx context.Context, p *Pipeline, f func(context.Context) (T, error)) (T, error) {
	op := function[T]{f: f, chaos: p.chaos}
	err := p.run(ctx, &op)
	return op.result, err
}

// Run is Do for a function without a result.
func (p *Pipeline) Run(ctx context.Context, f func(context.Context) error) error {
	_, err := Do(ctx, p, func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) })
	return err
}

// function is the operation of Do.
type function[T any] struct {
	f      func(context.Context) (T, error)
	chaos  *chaos.Chaos[*http.Response] // nil: none
	result T
}

func (o *function[T]) try(ctx context.Context) (err error) {
	if o.chaos != nil {
		part := chaos.Chaos[T]{Latency: o.chaos.Latency, Fault: o.chaos.Fault, Behavior: o.chaos.Behavior}
		o.result, err = chaos.Do(ctx, &part, o.f)
		return err
	}
	o.result, err = o.f(ctx)
	return err
}

func (o *function[T]) status() int                  { return 0 }
func (o *function[T]) value() any                   { return o.result }
func (o *function[T]) delay() (time.Duration, bool) { return 0, false }
func (o *function[T]) keep(c *timeout.Context)      { c.Release() }

func (o *function[T]) judged(breaker.Result) {} // a function has no hosts

func (o *function[T]) onError(err error, transport breaker.Result) breaker.Result {
	if errors.Is(err, context.Canceled) {
		return breaker.Ignored
	}
	return transport
}

func (o *function[T]) worthRepeating(ctx context.Context, err error) bool {
	return retry.IsFailure(ctx, err)
}

func (o *function[T]) repeatable() bool { return true }

func (o *function[T]) awaitsCaller() bool { return false }

func (o *function[T]) finish(_ context.Context, err error) error { return err }

func (o *function[T]) discard() {
	var none T
	o.result = none
}
