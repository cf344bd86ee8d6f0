package timeout_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/timeout"
)

// hang waits for the end of ctx.
func hang(ctx context.Context) (struct{}, error) {
	<-ctx.Done()
	return struct{}{}, context.Cause(ctx)
}

// kindOf returns which limit ended the call, "" for none.
func kindOf(err error) string {
	if e, ok := errors.AsType[*timeout.Error](err); ok {
		return e.Kind.String()
	}
	return ""
}

func TestErrorIsADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := timeout.Do(t.Context(), time.Second, hang)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("errors.Is(%v, DeadlineExceeded): got false, want true", err)
		}
		if got, want := err.Error(), "attempt timeout of 1s exceeded"; got != want {
			t.Errorf("text: got %q, want %q", got, want)
		}
		if ne, ok := errors.AsType[interface {
			error
			Timeout() bool
		}](err); !ok || !ne.Timeout() {
			t.Errorf("Timeout(): got false, want true")
		}
	})
}

func TestTheFirstLimitWins(t *testing.T) {
	for _, c := range []struct {
		attempt, total time.Duration
		want           string
		at             time.Duration
	}{
		{attempt: time.Second, want: "attempt", at: time.Second},
		{total: time.Second, want: "total", at: time.Second},
		{attempt: time.Second, total: 2 * time.Second, want: "attempt", at: time.Second},
		{attempt: 2 * time.Second, total: time.Second, want: "total", at: time.Second},
		{attempt: time.Second, total: time.Second, want: "total", at: time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			_, err := timeout.Run(t.Context(), timeout.New(timeout.Options{Attempt: c.attempt, Total: c.total}), hang)
			if got := kindOf(err); got != c.want {
				t.Errorf("attempt %v, total %v: got %q (%v), want %q", c.attempt, c.total, got, err, c.want)
			}
			if got := time.Since(start); got != c.at {
				t.Errorf("attempt %v, total %v: ended after %v, want %v", c.attempt, c.total, got, c.at)
			}
		})
	}
}

func TestTotalSpansAttemptsAndWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := timeout.New(timeout.Options{Attempt: time.Second, Total: 2500 * time.Millisecond})
		call := s.Begin(t.Context())
		for i, want := range []string{"attempt", "total"} {
			attempt := call.Attempt()
			<-attempt.Done()
			if got := kindOf(attempt.Outcome(attempt.Err())); got != want {
				t.Errorf("attempt %d: got %q, want %q", i, got, want)
			}
			attempt.Release()
			if i == 0 {
				if err := call.Sleep(time.Second); err != nil {
					t.Errorf("wait within the total timeout: got %v, want nil", err)
				}
			}
		}
	})
}

func TestTotalEndsAWait(t *testing.T) {
	for _, d := range []time.Duration{time.Second, time.Minute} { // the total timeout comes first where they meet
		synctest.Test(t, func(t *testing.T) {
			called := 0
			s := timeout.New(timeout.Options{Total: time.Second, OnTimeout: func(context.Context, *timeout.Error) { called++ }})
			call, start := s.Begin(t.Context()), time.Now()
			if got := kindOf(call.Sleep(d)); got != "total" {
				t.Errorf("wait of %v under 1s: got %q, want total", d, got)
			}
			if got := time.Since(start); got != time.Second || called != 1 {
				t.Errorf("wait of %v under 1s: ended after %v with %d events, want 1s and 1", d, got, called)
			}
		})
	}
}

func TestCallerEndsAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := errors.New("client gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(gone) })
		call := timeout.New(timeout.Options{Total: time.Minute}).Begin(ctx)
		if err := call.Sleep(timeout.Forever); !errors.Is(err, gone) {
			t.Errorf("wait: got %v, want %v", err, gone)
		}
	})
}

func TestSleepForever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 1000*time.Hour)
		defer cancel()
		if err := timeout.Sleep(ctx, timeout.Forever); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Sleep: got %v, want the end of the context", err)
		}
	})
}

func TestNoLimitNoContext(t *testing.T) {
	call := new(timeout.Strategy).Begin(t.Context())
	if got := call.Attempt(); got != nil {
		t.Errorf("attempt without limits: got %v, want nil", got)
	}
	v, err := timeout.Do(t.Context(), 0, func(ctx context.Context) (bool, error) { return ctx == t.Context(), nil })
	if !v || err != nil {
		t.Errorf("Do without a limit: got another context (error %v), want the caller's", err)
	}
}

// A connection whose deadline is the context's reports an i/o timeout and never
// waits for the context.
func TestOwnDeadlineByConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call := timeout.New(timeout.Options{Attempt: time.Second}).Begin(t.Context())
		attempt := call.Attempt()
		defer attempt.Release()
		if err := attempt.Outcome(os.ErrDeadlineExceeded); kindOf(err) != "" {
			t.Errorf("i/o timeout before the deadline: got %v, want it untouched", err)
		}
		end, _ := attempt.Deadline()
		time.Sleep(time.Until(end))
		if err := attempt.Outcome(os.ErrDeadlineExceeded); kindOf(err) != "attempt" {
			t.Errorf("i/o timeout at the deadline: got %v, want an attempt timeout", err)
		}
		if attempt.InUse() {
			t.Error("the context was armed, want it left alone")
		}
	})
}

func TestContextMeetsItsContract(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		parent := context.WithValue(t.Context(), key{}, "v")
		call := timeout.New(timeout.Options{Attempt: time.Second}).Begin(parent)
		attempt := call.Attempt()
		child, cancel := context.WithCancel(attempt)
		defer cancel()
		if got := child.Value(key{}); got != "v" {
			t.Errorf("value: got %v, want v", got)
		}
		if err := attempt.Err(); err != nil {
			t.Errorf("Err while running: got %v, want nil", err)
		}
		<-child.Done()
		if err := attempt.Err(); err != context.DeadlineExceeded {
			t.Errorf("Err after the deadline: got %v, want DeadlineExceeded", err)
		}
		if got := kindOf(context.Cause(child)); got != "attempt" {
			t.Errorf("cause: got %v, want the attempt timeout", context.Cause(child))
		}
		attempt.Release()
		if err := attempt.Err(); err != context.DeadlineExceeded {
			t.Errorf("Err after the release: got %v, want it unchanged", err)
		}
	})
}

// Whoever ends the context first decides how it ended, for good.
func TestCallerFirstStaysFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := errors.New("client gone")
		for _, watched := range []bool{true, false} {
			ctx, cancel := context.WithCancelCause(t.Context())
			call := timeout.New(timeout.Options{Attempt: time.Second}).Begin(ctx)
			attempt := call.Attempt()
			if watched {
				attempt.Done()
			}
			cancel(gone)
			time.Sleep(time.Minute)
			if err := attempt.Err(); err != context.Canceled {
				t.Errorf("watched %v: Err after the deadline: got %v, want the caller's cancellation", watched, err)
			}
			if err := attempt.Outcome(attempt.Err()); err != gone {
				t.Errorf("watched %v: outcome: got %v, want %v", watched, err, gone)
			}
			attempt.Release()
		}
	})
}

// The deadline ends with the headers: the body takes as long as it takes, and
// closing it releases the context.
func TestAttachLetsTheBodyLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call := timeout.New(timeout.Options{Attempt: time.Second}).Begin(t.Context())
		attempt := call.Attempt()
		done := attempt.Done()
		resp := &http.Response{Body: io.NopCloser(strings.NewReader("late"))}
		attempt.Attach(resp)
		time.Sleep(time.Hour)
		if err := attempt.Err(); err != nil {
			t.Errorf("context of a slow body: got %v, want nil", err)
		}
		if text, err := io.ReadAll(resp.Body); string(text) != "late" || err != nil {
			t.Errorf("body: got %q, %v, want late", text, err)
		}
		select {
		case <-done:
		default:
			t.Error("context after the end of the body: got running, want released")
		}
		if err := resp.Body.Close(); err != nil {
			t.Errorf("close: got %v, want nil", err)
		}
	})
}

func TestAttachKeepsTheWriter(t *testing.T) {
	call := timeout.New(timeout.Options{Attempt: time.Minute}).Begin(t.Context())
	attempt := call.Attempt()
	attempt.Done()
	type upgraded struct {
		io.ReadCloser
		io.Writer
	}
	var sink strings.Builder
	resp := &http.Response{Body: upgraded{io.NopCloser(strings.NewReader("")), &sink}}
	attempt.Attach(resp)
	w, ok := resp.Body.(io.Writer)
	if !ok {
		t.Fatal("body of an upgraded connection: got no writer, want one")
	}
	if _, err := io.WriteString(w, "x"); err != nil || sink.String() != "x" {
		t.Errorf("write: got %q, %v, want x", sink.String(), err)
	}
	resp.Body.Close()
}

// A panic in the callee must not leave the timer behind.
func TestPanicReleases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var kept context.Context
		func() {
			defer func() { _ = recover() }()
			_, _ = timeout.Do(t.Context(), time.Minute, func(ctx context.Context) (int, error) {
				kept = ctx
				ctx.Done()
				panic("callee")
			})
		}()
		if kept.Err() == nil {
			t.Error("context after a panic: got running, want released")
		}
	})
}

// Contexts whose timers go back and forth between calls must never end another
// call.
func TestTimersAreNotMixedUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := timeout.New(timeout.Options{Attempt: time.Second})
		for i := range 200 {
			short := i%3 == 0
			_, err := timeout.Run(t.Context(), s, func(ctx context.Context) (struct{}, error) {
				if short {
					return hang(ctx)
				}
				select {
				case <-ctx.Done():
					return struct{}{}, ctx.Err()
				case <-time.After(999 * time.Millisecond):
					return struct{}{}, nil
				}
			})
			if got := kindOf(err) != ""; got != short {
				t.Fatalf("call %d: got %v, want timed out %v", i, err, short)
			}
		}
	})
}

// A context that is asked for its end after it was released has ended.
func TestReleasedContextHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call := timeout.New(timeout.Options{Attempt: time.Second}).Begin(t.Context())
		c := call.Attempt()
		c.Release()
		if err := c.Err(); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v before anybody asked, want it cancelled", err)
		}
		select {
		case <-c.Done():
		default:
			t.Error("it is not done")
		}
	})
}
