package limiter_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/pollytest"
	"github.com/margay-dev/margay/testdata/oracletest"
)

type sequence struct {
	Events []struct {
		Action string
		Call   int
		Expect struct {
			Status, Rejected, Outcome string
			Started, Running          []int
			DroppedFromQueue          []struct{ Call int }
		}
	}
}

func TestOraclePollyOther(t *testing.T) {
	tally := oracletest.NewTally("polly-other")
	pollytest.EachOther(t, "runtime/limiter", func(rec pollytest.Other) {
		var in struct {
			PermitLimit, QueueLimit int
			QueueProcessingOrder    string
		}
		var s sequence
		pollytest.Decode(t, rec.Input, &in)
		pollytest.Decode(t, rec.Result, &s)
		o := limiter.Options{PermitLimit: in.PermitLimit, QueueLimit: in.QueueLimit}
		if in.QueueProcessingOrder == "NewestFirst" {
			o.QueueProcessingOrder = limiter.NewestFirst
		}
		if diff := replay(t, o, s); diff != "" {
			tally.Differ(rec.Kind, rec.ID, "%s", diff)
			return
		}
		tally.Agree(rec.Kind)
	})
	tally.Report(t)
}

func replay(t *testing.T, o limiter.Options, s sequence) (diff string) {
	synctest.Test(t, func(t *testing.T) {
		l, err := limiter.New(o)
		if err != nil {
			t.Fatal(err)
		}
		stage := newStage(l)
		defer stage.end()
		for i, e := range s.Events {
			status := ""
			switch e.Action {
			case "call":
				status = stage.call(t.Context(), e.Call)
			case "finish":
				stage.finishCall(e.Call)
			case "cancel-queued":
				if err := stage.cancelCall(e.Call); !errors.Is(err, context.Canceled) {
					diff = fmt.Sprintf("event %d: got %v from the cancelled call, want its cancellation", i, err)
				}
			default:
				t.Fatalf("unknown action %q", e.Action)
			}
			want := e.Expect.Status
			if e.Expect.Rejected != "" {
				want = "rejected"
			}
			var dropped []int
			for _, d := range e.Expect.DroppedFromQueue {
				dropped = append(dropped, d.Call)
			}
			if status != want || !slices.Equal(stage.started, e.Expect.Started) || !slices.Equal(stage.dropped, dropped) ||
				l.State().Running != len(e.Expect.Running) {
				diff = fmt.Sprintf("event %d: got %s started %v dropped %v %+v, want %+v",
					i, status, stage.started, stage.dropped, l.State(), e.Expect)
			}
			if diff != "" {
				return
			}
		}
	})
	return diff
}

func TestOraclePollyValidation(t *testing.T) {
	tally := oracletest.NewTally("polly-validation")
	pollytest.EachValidation(t, []string{"rate-limiter", "concurrency-shortcut"}, func(v pollytest.Validation) {
		o := limiter.Options{PermitLimit: limiter.DefaultPermitLimit}
		switch v.Option {
		case "PermitLimit", "QueueLimit":
			n, err := strconv.Atoi(v.Value)
			if err != nil {
				t.Fatal(err)
			}
			if v.Option == "QueueLimit" {
				o.QueueLimit = n
			} else {
				o.PermitLimit = n
			}
		case "AddConcurrencyLimiter":
			if _, err := fmt.Sscanf(strings.TrimSpace(v.Value), "%d, %d", &o.PermitLimit, &o.QueueLimit); err != nil {
				t.Fatal(err)
			}
		case "DefaultRateLimiterOptions": // null; options are values here and always there
			tally.Excuse(v.Strategy)
			return
		}
		if err := o.Validate(); (err == nil) != v.Valid {
			tally.Differ(v.Strategy, v.ID, "%s %s: got %v, want valid %v", v.Option, v.Value, err, v.Valid)
			return
		}
		tally.Agree(v.Strategy)
	})
	tally.Report(t)
}
