package timeout_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/pollytest"
	"github.com/margay-dev/margay/runtime/timeout"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// scenario is one call under a timeout, as recorded.
type scenario struct {
	Timeout            pollytest.Milliseconds
	GeneratorTimeoutMs *pollytest.Milliseconds
	Callee             string
	CalleeReturnsAt    pollytest.Milliseconds
	CallerCancelsAt    *pollytest.Milliseconds
	OnTimeoutThrows    bool
}

// answer is what a call did, in the words of the recordings. Times are whole
// milliseconds, -1 for never.
type answer struct {
	returnedAt, cancelledAt int64
	called                  bool
	outcome                 string
	onTimeout               []string
}

var (
	errCaller = errors.New("the caller gave up")
	errOwn    = fmt.Errorf("some other token: %w", context.Canceled)
	errBoom   = errors.New("boom")
)

// Timers that are due at the same instant fire in the order of their creation
// in the recordings: the caller's, the strategy's, the callee's. Here they are
// a nanosecond apart.
const apart = time.Nanosecond

// play runs s under virtual time.
func play(t *testing.T, s scenario) (got answer) {
	synctest.Test(t, func(t *testing.T) {
		got = answer{cancelledAt: -1, returnedAt: -1}
		start := time.Now()
		at := func() int64 { return time.Since(start).Round(time.Millisecond).Milliseconds() }
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		if at := s.CallerCancelsAt; at != nil && *at == 0 {
			cancel(errCaller)
		} else if at != nil {
			timer := time.AfterFunc(at.Duration()-apart, func() { cancel(errCaller) })
			defer timer.Stop()
		}
		limit := s.Timeout
		if g := s.GeneratorTimeoutMs; g != nil {
			limit = *g
		}
		strategy := timeout.New(timeout.Options{Attempt: limit.Duration(), OnTimeout: func(_ context.Context, e *timeout.Error) {
			if s.OnTimeoutThrows {
				panic("from OnTimeout")
			}
			got.onTimeout = append(got.onTimeout, fmt.Sprintf("%d %v", at(), e.Limit))
		}})
		got.outcome = outcome(ctx, func() error {
			_, err := timeout.Run(ctx, strategy, func(inner context.Context) (struct{}, error) {
				got.called = true
				stop := context.AfterFunc(inner, func() { got.cancelledAt = at() })
				defer stop()
				err := s.call(inner)
				synctest.Wait() // what watches the context may hear of it after the callee
				return struct{}{}, err
			})
			return err
		})
		got.returnedAt = at()
	})
	return got
}

// call is the callee.
func (s scenario) call(ctx context.Context) error {
	if wait := s.CalleeReturnsAt.Duration(); wait > 0 {
		timer := time.NewTimer(wait + apart)
		defer timer.Stop()
		done := ctx.Done()
		if s.Callee != "honours-cancel" {
			done = nil
		}
		select {
		case <-timer.C:
		case <-done:
			return ctx.Err()
		}
	}
	switch s.Callee {
	case "ok", "ignores-cancel-then-ok":
		return nil
	case "honours-cancel", "ignores-cancel-then-throws-cancelled", "ignores-cancel-then-throws-foreign-cancelled":
		return errOwn
	case "error:boom":
		return errBoom
	case "throws-timeout-rejected":
		return &timeout.Error{Limit: time.Second}
	case "throws-timeout":
		return errBoom // any error that is no cancellation
	}
	return fmt.Errorf("unknown callee %q", s.Callee)
}

func outcome(ctx context.Context, f func() error) (text string) {
	defer func() {
		if recover() != nil {
			text = "faulted:InvalidOperationException"
		}
	}()
	err := f()
	rejected, ok := errors.AsType[*timeout.Error](err)
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, errCaller):
		return "cancelled(caller token)"
	case errors.Is(err, errOwn):
		return "cancelled(other token)"
	case errors.Is(err, errBoom):
		return "error:boom"
	case ok:
		return "TimeoutRejected after " + rejected.Limit.String()
	}
	return err.Error()
}

// expected is a recorded result.
type expected struct {
	ReturnedAtMs       int64
	Called             bool
	TokenCancelledAtMs *pollytest.Milliseconds
	Outcome            string
	OnTimeout          []struct {
		T         int64
		TimeoutMs pollytest.Milliseconds
	}
}

func (e expected) answer(s scenario) answer {
	want := answer{returnedAt: e.ReturnedAtMs, called: e.Called, cancelledAt: -1, outcome: e.Outcome}
	if at := e.TokenCancelledAtMs; at != nil {
		want.cancelledAt = at.Duration().Milliseconds()
	}
	for _, o := range e.OnTimeout {
		want.onTimeout = append(want.onTimeout, fmt.Sprintf("%d %v", o.T, o.TimeoutMs.Duration()))
	}
	switch e.Outcome {
	case "cancelled(no token)":
		want.outcome = "cancelled(other token)" // an error does not say whose token it was
	case "TimeoutException":
		want.outcome = "error:boom"
	case "TimeoutRejectedException": // the callee's own
		want.outcome = "TimeoutRejected after 1s"
	case "TimeoutRejected":
		limit := s.Timeout
		if g := s.GeneratorTimeoutMs; g != nil {
			limit = *g
		}
		want.outcome = "TimeoutRejected after " + limit.Duration().String()
	}
	return want
}

func TestOraclePollyOther(t *testing.T) {
	tally := oracletest.NewTally("polly-other")
	pollytest.EachOther(t, "runtime/timeout", func(rec pollytest.Other) {
		var got, want string
		if rec.Kind == "timeout-nested" {
			got, want = nested(t, rec)
		} else {
			var s scenario
			var e expected
			pollytest.Decode(t, rec.Input, &s)
			pollytest.Decode(t, rec.Result, &e)
			got, want = fmt.Sprintf("%+v", play(t, s)), fmt.Sprintf("%+v", e.answer(s))
		}
		if got != want {
			tally.Differ(rec.Kind, rec.ID, "got %s, want %s", got, want)
			return
		}
		tally.Agree(rec.Kind)
	})
	tally.Report(t)
}

func nested(t *testing.T, rec pollytest.Other) (got, want string) {
	var in struct{ OuterMs, InnerMs pollytest.Milliseconds }
	var out struct {
		TimeoutMs pollytest.Milliseconds
		T         int64
		Events    []string
	}
	pollytest.Decode(t, rec.Input, &in)
	pollytest.Decode(t, rec.Result, &out)
	synctest.Test(t, func(t *testing.T) {
		var events []string
		strategy := func(name string, limit pollytest.Milliseconds) *timeout.Strategy {
			return timeout.New(timeout.Options{Attempt: limit.Duration(), OnTimeout: func(context.Context, *timeout.Error) {
				events = append(events, name+":OnTimeout")
			}})
		}
		outer, inner := strategy("outer", in.OuterMs), strategy("inner", in.InnerMs)
		start := time.Now()
		_, err := timeout.Run(t.Context(), outer, func(ctx context.Context) (int, error) {
			return timeout.Run(ctx, inner, func(ctx context.Context) (int, error) {
				<-ctx.Done()
				return 0, ctx.Err()
			})
		})
		rejected, _ := errors.AsType[*timeout.Error](err)
		if rejected == nil {
			got = fmt.Sprintf("%v %v", err, events)
			return
		}
		got = fmt.Sprintf("%v %v %v", rejected.Limit, time.Since(start).Milliseconds(), events)
	})
	return got, fmt.Sprintf("%v %v %v", out.TimeoutMs.Duration(), out.T, out.Events)
}

func TestOracleVectorsPollyTimeout(t *testing.T) {
	tally := oracletest.NewTally("runtime-vectors")
	pollytest.EachVector(t, "polly-timeout", func(v pollytest.Vector) {
		var options struct{ Timeout pollytest.Milliseconds }
		var events []struct {
			scenario
			Expect struct {
				Outcome      string
				ReturnedAtMs *int64
			}
		}
		pollytest.Decode(t, v.Options, &options)
		pollytest.Decode(t, v.Events, &events)
		for i, e := range events {
			e.Timeout = options.Timeout
			got := play(t, e.scenario)
			ok := strings.HasPrefix(got.outcome, e.Expect.Outcome)
			if at := e.Expect.ReturnedAtMs; at != nil && *at != got.returnedAt {
				ok = false
			}
			if !ok {
				tally.Differ(v.Semantics, v.ID, "event %d: got %+v, want %+v", i, got, e.Expect)
				return
			}
		}
		tally.Agree(v.Semantics)
	})
	tally.Report(t)
}

func TestOraclePollyValidation(t *testing.T) {
	tally := oracletest.NewTally("polly-validation")
	pollytest.EachValidation(t, []string{"timeout", "timeout-shortcut"}, func(v pollytest.Validation) {
		limit := timeout.Default
		if v.Value != "" {
			limit = pollytest.TimeSpan(t, v.Value)
		}
		if err := timeout.Validate(limit); (err == nil) != v.Valid {
			tally.Differ(v.Strategy, v.ID, "%s %s: got %v, want valid %v", v.Option, v.Value, err, v.Valid)
			return
		}
		tally.Agree(v.Strategy)
	})
	tally.Report(t)
}
