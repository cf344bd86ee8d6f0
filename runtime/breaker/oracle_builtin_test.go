package breaker

import (
	"fmt"
	"slices"
	"testing"

	"github.com/margay-dev/margay/testdata/oracletest"
)

// builtinConfig is the kind that a sequence on Ocelot's breaker is for: ratio
// mode if a failure ratio is given, count mode if not.
func builtinConfig(rec recorded) Config {
	o := rec.Options
	if o.FailureRatio == nil {
		return Consecutive{MinimumThroughput: o.MinimumThroughput, BreakDuration: milliseconds(o.BreakDuration)}
	}
	return Ratio{
		FailureRatio: *o.FailureRatio, MinimumThroughput: o.MinimumThroughput,
		SamplingDuration: milliseconds(o.SamplingDuration), BreakDuration: milliseconds(o.BreakDuration),
	}
}

// TestOracleBuiltinBreaker replays sequences on Ocelot's own breaker. Those
// without a hazard, or with the harmless H08 alone (a success made the window
// eligible, and nothing trips on a success), must agree throughout, the others
// up to the first hazard. From there on the reference has the answer.
func TestOracleBuiltinBreaker(t *testing.T) {
	tally := oracletest.NewTally("builtin-breaker")
	oracletest.Each(t, "builtin-breaker.jsonl.gz", func(rec recorded) {
		v := judge(t, rec, builtinConfig(rec), ownRule, builtinDifference)
		hazard := slices.ContainsFunc(rec.Hazards, func(h string) bool { return h != "H08" })
		if v.purpose && !hazard {
			v.diff = "differs where no hazard is recorded"
		}
		v.count(tally, rec.ID)
	})
	tally.Report(t)
}

// builtinDifference compares admission, state and, while closed, the counts of
// the window with a recording. The recording holds Ocelot's raw state, which
// goes from open to half-open when the state is read after the break.
func builtinDifference(e recordedEvent, g seen) string {
	state := g.raw
	if g.read {
		state = g.state
	}
	if want := e.Expect.Admitted; want != nil && g.admitted != *want {
		return fmt.Sprintf("admitted: got %t, want %t", g.admitted, *want)
	}
	if state.String() != e.Expect.State {
		return fmt.Sprintf("got state %s, want %s", state, e.Expect.State)
	}
	if state == Closed {
		return countsDifference(e, g)
	}
	return ""
}

// countsDifference compares the counts after one event with what is recorded:
// the live counts if they differ from those after the last result.
func countsDifference(e recordedEvent, g seen) string {
	failures, total := e.Expect.Failures, e.Expect.Total
	if e.Expect.LiveTotal != nil {
		failures, total = e.Expect.LiveFailures, e.Expect.LiveTotal
	}
	if failures != nil && g.failures != *failures {
		return fmt.Sprintf("got %d failures, want %d", g.failures, *failures)
	}
	if total != nil && g.total != *total {
		return fmt.Sprintf("got total %d, want %d", g.total, *total)
	}
	return ""
}
