package retry_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/telemetry"
)

var (
	errFail    = errors.New("FailEx")
	errIgnored = errors.New("IgnoredEx")
	errCaller  = errors.New("the caller gave up")
	errOver    = errors.New("the simulation is over")
)

// Timers that are due at the same instant fire in the order of their creation
// in the recordings: the caller's before the others. Here they are a nanosecond
// apart.
const apart = time.Nanosecond

// player runs one recorded execution under virtual time.
type player struct {
	options
	got    recorded
	start  time.Time
	cancel context.CancelCauseFunc
	calls  int
	mu     sync.Mutex // the caller's timer has a goroutine of its own
}

func (p *player) now() int64 { return time.Since(p.start).Round(time.Millisecond).Milliseconds() }

func (p *player) log(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got.Order = append(p.got.Order, fmt.Sprintf(format, args...))
}

// play returns what an execution with these options does.
func play(t *testing.T, o options, policy retry.Options) recorded {
	p := &player{options: o}
	synctest.Test(t, func(t *testing.T) { p.run(t, policy) })
	return p.got
}

func (p *player) run(t *testing.T, o retry.Options) {
	policy, err := retry.New(o)
	if err != nil {
		t.Fatal(err)
	}
	p.start = time.Now()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	p.cancel = cancel
	defer p.endAfter(p.MaxSimDays)()
	if at := p.CallerCancelsAt; at != nil {
		timer := time.AfterFunc(at.Duration()-apart, func() { p.log("cancel"); cancel(errCaller) })
		defer timer.Stop()
	}
	if p.CancelIn == "before" {
		cancel(errCaller)
	}
	e := p.executor(policy)
	p.got.Outcome = p.outcome(func() (string, error) { return e.Do(ctx, p.call) })
	p.got.EndedAtMs = p.now()
	p.got.Completed = p.got.Outcome != errOver.Error()
	if !p.got.Completed {
		p.got.Outcome, p.got.EndedAtMs = "", 0
	}
}

// endAfter ends the simulation that never ends by itself.
func (p *player) endAfter(days int) (stop func() bool) {
	if days == 0 {
		return func() bool { return true }
	}
	return time.AfterFunc(time.Duration(days)*24*time.Hour, func() { p.cancel(errOver) }).Stop
}

func (p *player) executor(policy *retry.Policy) *retry.Executor[string] {
	e := &retry.Executor[string]{Policy: policy, OnAttempt: p.onAttempt, OnRetry: p.onRetry, Discard: p.discard}
	if p.ShouldHandle != "default" {
		e.ShouldHandle = func(ctx context.Context, a retry.Attempt[string]) bool {
			if a.Err != nil {
				return retry.IsFailure(ctx, a.Err) && !errors.Is(a.Err, errIgnored)
			}
			return strings.Contains(a.Value, "bad")
		}
	}
	if p.ThrowIn == "shouldHandle" {
		e.ShouldHandle = func(context.Context, retry.Attempt[string]) bool { panic("from ShouldHandle") }
	}
	if p.Generator != nil || p.ThrowIn == "delayGenerator" {
		e.DelayGenerator = p.delay
	}
	return e
}

func (p *player) onAttempt(_ context.Context, a retry.Attempt[string]) {
	severity := telemetry.Event{Kind: telemetry.ExecutionAttempt, Handled: a.Handled, Last: a.Last}.Severity()
	p.got.Attempts = append(p.got.Attempts, struct {
		Attempt, DurationMs int64
		Handled             bool
		Severity            string
	}{int64(a.Number), a.Duration.Round(time.Millisecond).Milliseconds(), a.Handled, severity.String()})
}

func (p *player) onRetry(_ context.Context, a retry.Attempt[string], delay time.Duration) {
	p.got.OnRetry = append(p.got.OnRetry, struct {
		T, Attempt, DurationMs int64
		DelayMs                span
		Outcome                string
	}{p.now(), int64(a.Number), a.Duration.Round(time.Millisecond).Milliseconds(), span{true, delay}, text(a.Value, a.Err)})
	p.got.Events = append(p.got.Events, "OnRetry/"+telemetry.OnRetry.Severity().String())
	p.log("onRetry:%d", a.Number)
	if p.CancelIn == "onRetry" {
		p.cancel(errCaller)
	}
	if p.ThrowIn == "onRetry" {
		panic("from OnRetry")
	}
}

func (p *player) delay(_ context.Context, a retry.Attempt[string]) (time.Duration, bool) {
	if p.ThrowIn == "delayGenerator" {
		panic("from DelayGenerator")
	}
	g := p.Generator[min(a.Number, len(p.Generator)-1)]
	return g.d, g.set
}

// discard logs the disposal of a result; there, only some results can be.
func (p *player) discard(v string) {
	kind, n, _ := strings.Cut(v, ":")
	_, n, _ = strings.Cut(n, ":")
	switch kind {
	case "res":
		p.log("disposeAsync:%s", n)
	case "sync":
		p.log("dispose:%s", n)
	}
}

// call is the callee: it takes its time, unless the caller gives up, and then
// does as the script says.
func (p *player) call(ctx context.Context) (string, error) {
	n := p.calls
	p.calls++
	p.got.CallsAtMs = append(p.got.CallsAtMs, p.now())
	p.log("call:%d", n)
	if len(p.CallDurationMs) > 0 {
		timer := time.NewTimer(p.CallDurationMs[min(n, len(p.CallDurationMs)-1)].Duration() + apart)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	switch step := p.Script[min(n, len(p.Script)-1)]; step {
	case "fail", "throw":
		return "", errFail
	case "ignored", "unhandled":
		return "", errIgnored
	case "cancel":
		return "", context.Canceled
	case "cancelCaller":
		p.cancel(errCaller)
		return "", ctx.Err()
	case "cancelThenFail":
		p.cancel(errCaller)
		return "", errFail
	case "badres":
		return fmt.Sprintf("res:bad:%d", n), nil
	case "okres":
		return fmt.Sprintf("res:ok:%d", n), nil
	case "badsync":
		return fmt.Sprintf("sync:bad:%d", n), nil
	default:
		return step, nil
	}
}

func (p *player) outcome(f func() (string, error)) (outcome string) {
	defer func() {
		if v := recover(); v != nil {
			outcome = fmt.Sprintf("faulted:InvalidOperationException: %v", v)
		}
	}()
	return text(f())
}

// text returns an outcome in the words of the recordings.
func text(v string, err error) string {
	switch {
	case err == nil:
		return v
	case errors.Is(err, errCaller), errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, retry.ErrDelayTooLong):
		return "faulted:ArgumentOutOfRangeException: The value needs to translate in milliseconds to -1 " +
			"(signifying an infinite timeout), 0, or a positive integer less than or equal to the maximum allowed timer duration. (Parameter 'delay')"
	}
	return err.Error()
}
