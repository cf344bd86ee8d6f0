package retry

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/margay-dev/margay/runtime/pollytest"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// number is a JSON number, or "Infinity".
type number float64

func (n *number) UnmarshalJSON(text []byte) error {
	if string(text) == `"Infinity"` {
		*n = number(math.Inf(1))
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// The raw delays of the formula, in ticks, far beyond what a Duration holds.
func TestOraclePollyRetryFormula(t *testing.T) {
	tally := oracletest.NewTally("polly-retry/formula")
	oracletest.Lines(t, "polly-retry.jsonl.gz", func(line []byte) {
		var rec struct {
			ID, Kind string
			Options  struct {
				BackoffType     string
				UseJitter       bool
				Delay, MaxDelay *pollytest.Milliseconds
				Random          float64
			}
			Result json.RawMessage
		}
		pollytest.Decode(t, line, &rec)
		if rec.Kind != "formula" {
			return
		}
		var want []struct {
			Attempt int32
			Ticks   ticks
			State   number
		}
		pollytest.Decode(t, rec.Result, &want)
		o := rec.Options
		b := backoff{
			kind:   map[string]BackoffType{"Constant": Constant, "Linear": Linear, "Exponential": Exponential}[o.BackoffType],
			jitter: o.UseJitter, base: ticksOf(o.Delay.Duration()), cap: forever,
			random: func() float64 { return o.Random },
		}
		if o.MaxDelay != nil {
			b.cap = ticksOf(o.MaxDelay.Duration())
		}
		prev := 0.0
		for _, w := range want {
			if got := b.delay(w.Attempt, &prev); got != w.Ticks || prev != float64(w.State) {
				tally.Differ("formula", rec.ID, "attempt %d: got %d ticks, state %v, want %d, %v", w.Attempt, got, prev, w.Ticks, w.State)
				return
			}
		}
		tally.Agree("formula")
	})
	tally.Report(t)
}
