package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/runtime/timeout"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// vector is one of the hand-made vectors about the standard handler.
type vector struct {
	ID        string
	Semantics string
	Options   json.RawMessage
	Events    []vectorEvent
}

type vectorEvent struct {
	T               int64
	Action          string
	Status          int
	Error           string
	Method          string
	RetryAfter      *string
	Options         *options
	Script          []json.RawMessage
	CallerCancelsAt *int64
	Expect          map[string]any
}

func TestOracleVectorsHTTP(t *testing.T) {
	checks := map[string]func(*testing.T, *vector) string{
		"http-classify":          checkClassify,
		"http-unsafe-methods":    checkUnsafeMethods,
		"http-retry-after":       checkRetryAfter,
		"http-standard-flow":     checkFlow,
		"http-standard-validate": checkValidate,
	}
	var file struct{ Vectors []json.RawMessage }
	if err := json.Unmarshal(oracletest.Bytes(t, "runtime-vectors.json"), &file); err != nil {
		t.Fatal(err)
	}
	tally, seen := oracletest.NewTally("runtime-vectors"), 0
	for _, raw := range file.Vectors {
		var head struct{ Semantics string }
		if err := json.Unmarshal(raw, &head); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(head.Semantics, "http-") {
			continue // another package's
		}
		seen++
		var v vector
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		check, ok := checks[v.Semantics]
		if !ok {
			tally.Differ(v.Semantics, v.ID, "got a semantics that no check is for")
			continue
		}
		if reason := check(t, &v); reason != "" {
			tally.Differ(v.Semantics, v.ID, "%s", reason)
			continue
		}
		tally.Agree(v.Semantics)
	}
	if seen == 0 && os.Getenv("MARGAY_ORACLE") != "" {
		t.Skip("these recordings hold no vector about HTTP")
	}
	tally.Report(t)
}

// failures of the standard handler as the vectors call them.
func vectorError(name string) error {
	switch {
	case strings.HasPrefix(name, "OperationCanceledException(connect timeout"):
		return exception("ConnectTimeout")
	case strings.HasPrefix(name, "OperationCanceledException(caller"):
		return context.Canceled
	}
	return map[string]error{
		"HttpRequestException":         exception(name),
		"TimeoutRejectedException":     &timeout.Error{Kind: timeout.Attempt},
		"BrokenCircuitException":       breaker.ErrOpen,
		"RateLimiterRejectedException": limiter.ErrRejected,
	}[name]
}

// checkClassify asks margay's own rules about retries, and the breaker's where
// the two differ. What hedging would do is not offered.
func checkClassify(t *testing.T, v *vector) string {
	for i, e := range v.Events {
		err := vectorError(e.Error)
		if e.Error != "" && err == nil {
			return fmt.Sprintf("event %d: unknown error %s", i, e.Error)
		}
		got := map[string]any{}
		if err == nil {
			got["transient"] = retry.IsTransient(e.Status)
		} else {
			out := pipeline.Outcome{Err: err}
			got["transient"] = transient(out)
			got["breakerTransient"] = transient(out)
			got["retryTransient"] = (&options{}).retries(out)
		}
		for name, want := range e.Expect {
			if name != "hedgingTransient" && got[name] != want {
				return fmt.Sprintf("event %d %s%d: got %s %v, want %v", i, e.Error, e.Status, name, got[name], want)
			}
		}
	}
	return ""
}

// checkUnsafeMethods holds margay's safe methods against the deny-list. An
// unknown method is not repeated here: nothing says that it is safe.
func checkUnsafeMethods(t *testing.T, v *vector) string {
	unknown := map[string]bool{"QUERY": true, "PROPFIND": true}
	for i, e := range v.Events {
		want := e.Expect["retryable"].(bool) && !unknown[e.Method]
		if got := (&retry.HTTP{}).Repeats(e.Method); got != want {
			return fmt.Sprintf("event %d %s: got repeated %t, want %t", i, e.Method, got, want)
		}
	}
	return ""
}

func checkRetryAfter(t *testing.T, v *vector) string {
	var o struct{ Now time.Time }
	if err := json.Unmarshal(v.Options, &o); err != nil {
		return err.Error()
	}
	for i, e := range v.Events {
		text := ""
		if e.RetryAfter != nil {
			text = *e.RetryAfter
		}
		got, ok := retry.ParseRetryAfter(text, o.Now)
		want, wanted := e.Expect["delayMs"].(float64)
		if ok != wanted || ok && got.Milliseconds() != int64(want) {
			return fmt.Sprintf("event %d %q: got %v, %t, want %v", i, text, got, ok, e.Expect["delayMs"])
		}
	}
	return ""
}

// checkFlow puts requests through the standard handler's strategies. The caller
// that cancels a probe is named here as what it is: margay ignores it, and the
// circuit is not closed by it.
func checkFlow(t *testing.T, v *vector) (reason string) {
	var o options
	if err := json.Unmarshal(v.Options, &o); err != nil {
		return err.Error()
	}
	synctest.Test(t, func(t *testing.T) {
		r := &replayer{start: time.Now(), scenario: &scenario{}, options: &o, pipelines: map[string]*pipeline.Pipeline{}}
		var retries []any
		p := o.pipeline(telemetry.ObserverFunc(func(_ context.Context, e telemetry.Event) {
			if e.Kind == telemetry.OnRetry {
				retries = append(retries, float64(e.Attempt))
			}
		}))
		for i, e := range v.Events {
			time.Sleep(time.Until(r.start.Add(time.Duration(e.T) * time.Millisecond)))
			retries = nil
			calls, err := r.exec(t, p, &e)
			got := map[string]any{"downstreamCalls": float64(calls), "outcome": outcomeName(err), "onRetry": retries, "breaker": p.Breaker().State().String()}
			for name, want := range e.Expect {
				if e.CallerCancelsAt != nil && name == "breaker" {
					want = "half-open" // abort-counted
				}
				if fmt.Sprint(got[name]) != fmt.Sprint(want) {
					reason = fmt.Sprintf("event %d: got %s %v, want %v", i, name, got[name], want)
					return
				}
			}
		}
	})
	return reason
}

// exec sends one request and returns how often the backend was called.
func (r *replayer) exec(t *testing.T, p *pipeline.Pipeline, e *vectorEvent) (calls int, err error) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if e.CallerCancelsAt != nil {
		time.AfterFunc(time.Duration(*e.CallerCancelsAt-e.T)*time.Millisecond, cancel)
	}
	b := &backend{replayer: r, script: e.Script}
	req := request(t, ctx, nil)
	req.Method = "GET"
	_, err = p.RoundTrip(req, b)
	return b.n, err
}

func outcomeName(err error) string {
	switch {
	case err == nil:
		return "success"
	case errors.Is(err, breaker.ErrOpen):
		return "BrokenCircuit"
	case errors.Is(err, context.Canceled):
		return "cancelled(caller token)"
	}
	return err.Error()
}

// checkValidate asks each strategy about its options. The two rules between
// strategies (no attempt longer than the whole, a window of two attempts) are
// those of a class that margay has no like of: any combination runs.
func checkValidate(t *testing.T, v *vector) string {
	for i, e := range v.Events {
		o := e.Options
		err := errors.Join(o.retry.Validate(), timeout.Validate(o.total), timeout.Validate(o.attempt))
		want := e.Expect["error"] != "range"
		if (err == nil) != want {
			return fmt.Sprintf("event %d: got %v, want in range %s", i, err, strconv.FormatBool(want))
		}
	}
	return ""
}
