package breaker

import (
	"context"
	"errors"
	"time"
)

// Option adds to what a breaker does, whatever its kind.
type Option func(*Breaker)

type options struct {
	breakDuration time.Duration // set by the kind
	probeLease    time.Duration // zero: never ends
	classify      func(error) Result
}

// ProbeLease bounds how long a probe keeps others out. When the lease is over
// the next call may probe, and the old probe's result is dropped. Without it,
// or with a duration of zero or less, a probe that never reports blocks the
// circuit, as in Ocelot and Polly. The timeout of a call is a good lease.
func ProbeLease(d time.Duration) Option {
	return func(b *Breaker) { b.options.probeLease = max(d, 0) }
}

// OnTransition calls f after every change of state, in the order of the
// changes, one call at a time and without any lock: f may call the breaker. It
// runs on a goroutine that caused or waited for one of the changes and holds
// that one up.
func OnTransition(f func(Transition)) Option {
	return func(b *Breaker) { b.journal = &journal{tell: f} }
}

// ClassifyWith makes Do and DoContext judge what a call returned by f instead
// of by Classify.
func ClassifyWith(f func(error) Result) Option {
	return func(b *Breaker) { b.options.classify = f }
}

// Classify is how Do judges by default: no error is a Success, context.Canceled
// is Ignored, any other error is a Failure.
func Classify(err error) Result {
	switch {
	case err == nil:
		return Success
	case errors.Is(err, context.Canceled):
		return Ignored
	}
	return Failure
}
