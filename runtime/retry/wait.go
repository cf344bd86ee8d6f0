package retry

import (
	"context"
	"errors"
	"time"

	"github.com/margay-dev/margay/runtime/timeout"
)

// Forever is a delay without end: the retry never happens, and only the end of
// the context ends the wait.
const Forever = timeout.Forever

// Longest is the longest finite wait, 49.7 days: .NET's timers reach no further.
const Longest = 4_294_967_294 * time.Millisecond

// ErrDelayTooLong is the outcome of an execution whose next delay is finite and
// above [Longest]. The failure that called for the retry is lost, as in Polly.
var ErrDelayTooLong = errors.New("the retry delay is too long to wait for")

// Wait waits for d before a retry, in whole milliseconds as .NET's timers count
// them. It returns the cause of ctx when that is or gets done, and
// [ErrDelayTooLong] for a finite wait above [Longest].
func Wait(ctx context.Context, d time.Duration) error {
	return wait(ctx, d, timeout.Sleep)
}

func wait(ctx context.Context, d time.Duration, sleep func(context.Context, time.Duration) error) error {
	if d != Forever {
		if ctx.Err() == nil && d > Longest {
			return ErrDelayTooLong
		}
		d = d.Truncate(time.Millisecond)
	}
	return sleep(ctx, d)
}
