package fallback_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/margay-dev/margay/runtime/fallback"
	"github.com/margay-dev/margay/runtime/pollytest"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/testdata/oracletest"
)

var (
	errFail    = errors.New("FailEx")
	errIgnored = errors.New("IgnoredEx")
	errThrown  = errors.New("InvalidOperationException")
)

// scenario is one call with a fallback, as recorded.
type scenario struct {
	Callee, Fallback        string
	CallerCancelsDuringCall bool
}

func TestOraclePollyOther(t *testing.T) {
	tally := oracletest.NewTally("polly-other")
	pollytest.EachOther(t, "runtime/fallback", func(rec pollytest.Other) {
		var s scenario
		var want struct {
			Order   []string
			Outcome string
		}
		pollytest.Decode(t, rec.Input, &s)
		pollytest.Decode(t, rec.Result, &want)
		order, outcome := s.play(t)
		if fmt.Sprint(order) != fmt.Sprint(want.Order) || outcome != want.Outcome {
			tally.Differ(rec.Kind, rec.ID, "%+v: got %v, %s, want %+v", s, order, outcome, want)
			return
		}
		tally.Agree(rec.Kind)
	})
	tally.Report(t)
}

func (s scenario) play(t *testing.T) (order []string, outcome string) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f := fallback.Fallback[string]{
		ShouldHandle: func(ctx context.Context, v string, err error) bool {
			return v == "bad" || retry.IsFailure(ctx, err) && !errors.Is(err, errIgnored)
		},
		OnFallback: func(context.Context, string, error) { // event and callback are one hook here
			order = append(order, "telemetry:OnFallback/"+telemetry.OnFallback.Severity().String(), "onFallback")
		},
		Action: func(ctx context.Context, _ string, _ error) (string, error) {
			token := "live-token"
			if ctx.Err() != nil {
				token = "cancelled-token"
			}
			order = append(order, "action:"+token)
			return s.action()
		},
	}
	v, err := f.Do(ctx, func(context.Context) (string, error) {
		order = append(order, "callee")
		if s.CallerCancelsDuringCall {
			cancel()
		}
		return s.callee()
	})
	switch {
	case errors.Is(err, context.Canceled):
		return order, "OperationCanceledException"
	case err != nil:
		return order, err.Error()
	}
	return order, v
}

func (s scenario) callee() (string, error) {
	switch s.Callee {
	case "fail":
		return "", errFail
	case "ignored":
		return "", errIgnored
	case "cancel":
		return "", context.Canceled
	}
	return s.Callee, nil
}

func (s scenario) action() (string, error) {
	switch s.Fallback {
	case "throws":
		return "", errThrown
	case "failOutcome":
		return "", errFail
	case "cancelOutcome":
		return "", context.Canceled
	}
	return "fallback", nil
}
