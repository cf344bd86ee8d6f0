package breaker_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
)

func ExampleNew() {
	b := breaker.New(breaker.Consecutive{MinimumThroughput: 2, BreakDuration: time.Minute})
	fetch := func() error { return errors.New("backend is down") }
	for range 3 {
		fmt.Println(b.Do(fetch))
	}
	fmt.Println(b.State())
	// Output:
	// backend is down
	// backend is down
	// breaker: circuit is open
	// open
}

func ExampleBreaker_Acquire() {
	b := breaker.New(breaker.Ratio{FailureRatio: 0.5, MinimumThroughput: 10})

	permit, err := b.Acquire()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer permit.Ignore() // unless one of the others comes first

	switch status := http.StatusBadGateway; {
	case status >= 500:
		permit.Failure()
	default:
		permit.Success()
	}
	fmt.Printf("%+v\n", b.Snapshot().Counts)
	// Output: {Total:1 Failures:1}
}

func ExampleOpenError() {
	b := breaker.New(breaker.Polly{MinimumThroughput: 2, BreakDuration: 30 * time.Second})
	for range 2 {
		_ = b.Do(func() error { return errors.New("backend is down") })
	}

	_, err := b.Acquire()
	if open, ok := errors.AsType[*breaker.OpenError](err); ok {
		fmt.Println("retry after", open.RetryAfter().Round(time.Second))
	}
	// Output: retry after 30s
}

func ExampleBreaker_DoContext() {
	b := breaker.New(breaker.Consecutive{MinimumThroughput: 1})
	ctx, cancel := context.WithCancel(context.Background())
	err := b.DoContext(ctx, func(ctx context.Context) error {
		cancel() // the client goes away
		return ctx.Err()
	})
	fmt.Println(err, "-", b.State())
	// Output: context canceled - closed
}

func ExampleOnTransition() {
	b := breaker.New(breaker.Consecutive{MinimumThroughput: 1, BreakDuration: time.Minute},
		breaker.ProbeLease(10*time.Second),
		breaker.OnTransition(func(t breaker.Transition) {
			fmt.Printf("%v -> %v\n", t.From, t.To)
		}))
	_ = b.Do(func() error { return errors.New("backend is down") })
	b.Isolate()
	b.ForceClose()
	// Output:
	// closed -> open
	// open -> isolated
	// isolated -> closed
}
