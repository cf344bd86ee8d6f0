package breaker

import (
	"context"
	"time"
)

// Do calls f if the circuit admits it and returns its error, or the error of
// Acquire if it does not. The outcome is what Classify, or the function given
// to ClassifyWith, says of the error; a panic or runtime.Goexit in f is a
// Failure and goes on.
func (b *Breaker) Do(f func() error) error {
	permit, err := b.Acquire()
	if err != nil {
		return err
	}
	defer permit.Failure() // after a panic or Goexit only: else it is reported
	started := b.started()
	err = f()
	permit.Report(b.outcome(b.options.classify(err), started))
	return err
}

// DoContext is Do for a function that takes a context. A context that is done
// already never reaches the breaker: its error is returned. When f fails and
// ctx was cancelled (not timed out), the outcome is Ignored.
func (b *Breaker) DoContext(ctx context.Context, f func(context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	permit, err := b.Acquire()
	if err != nil {
		return err
	}
	defer permit.Failure()
	started := b.started()
	err = f(ctx)
	result := b.options.classify(err)
	if err != nil && ctx.Err() == context.Canceled {
		result = Ignored
	}
	permit.Report(b.outcome(result, started))
	return err
}

// started returns the time, if the kind wants latencies.
func (b *Breaker) started() int64 {
	if !b.traits.timed {
		return 0
	}
	return b.now()
}

func (b *Breaker) outcome(r Result, started int64) Outcome {
	o := Outcome{Result: r}
	if b.traits.timed {
		o.Latency = time.Duration(b.now() - started)
	}
	return o
}
