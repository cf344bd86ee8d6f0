package breaker

import (
	"fmt"
	"testing"

	"github.com/margay-dev/margay/testdata/oracletest"
)

func pollyConfig(rec recorded) Polly {
	o := rec.Options
	ratio := *o.FailureRatio
	if ratio == 0 {
		ratio = -1 // Polly's 0: see Polly.FailureRatio
	}
	return Polly{
		FailureRatio: ratio, MinimumThroughput: o.MinimumThroughput,
		SamplingDuration: milliseconds(o.SamplingDuration), BreakDuration: milliseconds(o.BreakDuration),
	}
}

// TestOraclePollyBreaker replays sequences on Polly's breaker as Polly takes
// results: a cancelled call is a success and a probe has no lease. Where no
// result arrives in another period than it was admitted in, and the break
// duration is not generated, all must agree: admission, state, the time to
// retry after and the counts of the window. The others must agree up to that
// point. From there on the reference has the answer: late results are dropped,
// and the break is the static one, since no configuration can name a
// generator.
func TestOraclePollyBreaker(t *testing.T) {
	tally := oracletest.NewTally("polly-breaker")
	oracletest.Each(t, "polly-breaker.jsonl.gz", func(rec recorded) {
		v := judge(t, rec, pollyConfig(rec), pollysRule, pollyDifference)
		if v.purpose && !rec.Late && rec.Options.BreakDurationGenerator == "" {
			v.diff = "differs where no late result is recorded"
		}
		v.count(tally, rec.ID)
	})
	tally.Report(t)
}

// TestOraclePollyBreakerOwnRule replays the same sequences as margay takes
// results: a cancelled call is ignored, another hazard. Up to the first one
// Polly's answer holds, throughout that of the reference.
func TestOraclePollyBreakerOwnRule(t *testing.T) {
	tally := oracletest.NewTally("polly-breaker, cancelled calls ignored")
	oracletest.Each(t, "polly-breaker.jsonl.gz", func(rec recorded) {
		v := judge(t, rec, pollyConfig(rec), ownRule, pollyDifference)
		v.count(tally, rec.ID)
	})
	tally.Report(t)
}

func pollyDifference(e recordedEvent, g seen) string {
	if want := e.Expect.Admitted; want != nil && g.admitted != *want {
		return fmt.Sprintf("admitted: got %t, want %t", g.admitted, *want)
	}
	if e.Expect.State != "" && g.state.String() != e.Expect.State {
		return fmt.Sprintf("got state %s, want %s", g.state, e.Expect.State)
	}
	// Polly's time to retry after goes below zero once a probe is out for
	// longer than a break; a header cannot say that, so ours stops at zero.
	if ms := e.Expect.RetryAfterMs; ms != nil {
		if want := max(0, milliseconds(*ms)); g.retryAfter != want {
			return fmt.Sprintf("got retry after %v, want %v", g.retryAfter, want)
		}
	} else if g.retryAfter != 0 && e.Expect.Rejected != "" {
		return fmt.Sprintf("got retry after %v, want none", g.retryAfter)
	}
	return countsDifference(e, g)
}
