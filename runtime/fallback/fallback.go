// Package fallback answers in place of a call that failed.
//
// A [Fallback] does so for any function, as Polly's fallback does. [HTTP] does
// so for requests: with the last good response while that is not too old (the
// stale-if-error of RFC 5861, from a bounded [Cache]), and otherwise with a
// fixed answer.
package fallback

import (
	"context"

	"github.com/margay-dev/margay/runtime/retry"
)

// Fallback replaces outcomes. Only Action must be set. It must not change while
// it is used, and is then safe for concurrent use.
type Fallback[T any] struct {
	// ShouldHandle reports whether an outcome is to be replaced. Nil: every error
	// is but a cancellation, see retry.IsFailure.
	ShouldHandle func(ctx context.Context, v T, err error) bool

	// OnFallback is called before the action. Nil: nobody.
	OnFallback func(ctx context.Context, v T, err error)

	// Action returns what the caller gets in place of v and err. It runs even if
	// ctx is done by then, and releases v where that needs to be.
	Action func(ctx context.Context, v T, err error) (T, error)
}

// Do returns what f returns, or what the action returns in its place.
func (f *Fallback[T]) Do(ctx context.Context, call func(context.Context) (T, error)) (T, error) {
	v, err := call(ctx)
	if !f.handles(ctx, v, err) {
		return v, err
	}
	if f.OnFallback != nil {
		f.OnFallback(ctx, v, err)
	}
	return f.Action(ctx, v, err)
}

func (f *Fallback[T]) handles(ctx context.Context, v T, err error) bool {
	if f.ShouldHandle != nil {
		return f.ShouldHandle(ctx, v, err)
	}
	return retry.IsFailure(ctx, err)
}
