package retry_test

import (
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/margay-dev/margay/runtime/pollytest"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// handlerOptions are the options of the standard handler that the recordings of
// the budget set; everything else has its default there.
type handlerOptions struct {
	BackoffType       string                 `json:"Retry.BackoffType"`
	Delay             pollytest.Milliseconds `json:"Retry.Delay"`
	MaxRetryAttempts  int                    `json:"Retry.MaxRetryAttempts"`
	SafeOnly          bool                   `json:"Retry.DisableForUnsafeHttpMethods"`
	Statuses          []int                  `json:"Retry.ShouldHandle"`
	DefaultBudget     bool                   `json:"Retry.RetryBudget"`
	RetryRatio        *float64               `json:"Retry.RetryBudget.RetryRatio"`
	MinimumThroughput int                    `json:"Retry.RetryBudget.MinimumThroughput"`
	SamplingDuration  pollytest.Milliseconds `json:"Retry.RetryBudget.SamplingDuration"`
	PerAuthority      bool                   `json:"SelectPipelineByAuthority"`
	PermitLimit       int                    `json:"RateLimiter.PermitLimit"`
	BreakerMinimum    int                    `json:"CircuitBreaker.MinimumThroughput"`
	FailureRatio      float64                `json:"CircuitBreaker.FailureRatio"`
}

// handlerRecording is a trace of the standard handler with a budget.
type handlerRecording struct {
	ID, Kind, Semantics string
	Scenario            struct {
		Options  handlerOptions
		Requests []handlerRequest
	}
	Result struct {
		Attempts []struct {
			Request, N int
			Start, End pollytest.Milliseconds
			Result     any
		}
		Outcomes []struct {
			Status    int
			Exception string
			T         pollytest.Milliseconds
		}
		Events []struct {
			T                         pollytest.Milliseconds
			Event, Severity, Strategy string
			Args                      struct {
				Attempt             int
				Handled             bool
				DurationMs, DelayMs pollytest.Milliseconds
			}
		}
	}
}

type handlerRequest struct {
	At              pollytest.Milliseconds
	CallerCancelsAt *pollytest.Milliseconds
	Method, URL     string
	Script          []string
}

// facts returns the recording as text, one fact a line: attempts, then the
// events of the retry strategy, then outcomes.
func (r *handlerRecording) facts() (out []string) {
	for _, a := range r.Result.Attempts {
		out = append(out, attemptFact(a.Request, a.N, ms(a.Start), ms(a.End), fmt.Sprint(a.Result)))
	}
	for _, e := range r.Result.Events {
		if e.Strategy != "Standard-Retry" {
			continue
		}
		out = append(out, fmt.Sprintf("%d %s/%s %d %v %d %d", ms(e.T), e.Event, e.Severity, e.Args.Attempt, e.Args.Handled,
			ms(e.Args.DurationMs), ms(e.Args.DelayMs)))
	}
	for i, o := range r.Result.Outcomes {
		result := o.Exception
		if result == "" {
			result = strconv.Itoa(o.Status)
		}
		out = append(out, outcomeFact(i, result, ms(o.T)))
	}
	return out
}

func ms(m pollytest.Milliseconds) int64 { return m.Duration().Milliseconds() }

func attemptFact(request, n int, start, end int64, result string) string {
	return fmt.Sprintf("request %d attempt %d: %d to %d: %s", request, n, start, end, result)
}

func outcomeFact(request int, result string, at int64) string {
	return fmt.Sprintf("request %d: %s at %d", request, result, at)
}

// TestOracleRetryBudget replays the traces of whole handlers; the counters
// alone are replayed in runtime/budget. How options are bound and registered in
// code (retry-budget-misc) records no scenario that could be played.
func TestOracleRetryBudget(t *testing.T) {
	tally := oracletest.NewTally("retry-budget")
	oracletest.Lines(t, "retry-budget.jsonl.gz", func(line []byte) {
		var head struct{ Kind, Semantics string }
		pollytest.Decode(t, line, &head)
		if head.Semantics != "retry-budget-handler" || head.Kind == "validate" {
			return
		}
		var rec handlerRecording
		pollytest.Decode(t, line, &rec)
		h := &handler{t: t, rec: &rec}
		synctest.Test(t, h.run)
		if diff := firstDifference(h.facts(), rec.facts()); diff != "" {
			tally.Differ(rec.Kind, rec.ID, "%s", diff)
			return
		}
		tally.Agree(rec.Kind)
	})
	tally.Report(t)
}
