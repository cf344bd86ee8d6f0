package retry_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/pollytest"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// options of a recorded execution.
type options struct {
	BackoffType      *string
	Delay, MaxDelay  *pollytest.Milliseconds
	MaxRetryAttempts *int
	UseJitter        bool
	Randoms          []float64
	Generator        []span
	ShouldHandle     string
	Script           []string
	CallDurationMs   []pollytest.Milliseconds
	CallerCancelsAt  *pollytest.Milliseconds
	CancelIn         string
	ThrowIn          string
	MaxSimDays       int
}

// span is a duration in milliseconds, null, or "max" for no end.
type span struct {
	set bool
	d   time.Duration
}

func (s *span) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case "null":
		return nil
	case `"max"`:
		*s = span{true, retry.Forever}
		return nil
	}
	var m pollytest.Milliseconds
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	*s = span{true, m.Duration()}
	return nil
}

// policy returns the recorded options as ours. Polly's own defaults are a
// constant delay of 2 s.
func (o options) policy() retry.Options {
	p := retry.Options{MaxRetryAttempts: retry.DefaultMaxRetryAttempts, Delay: 2 * time.Second, UseJitter: o.UseJitter}
	if o.MaxRetryAttempts != nil {
		p.MaxRetryAttempts = *o.MaxRetryAttempts
	}
	if o.Delay != nil {
		p.Delay = o.Delay.Duration()
	}
	if o.MaxDelay != nil {
		p.MaxDelay = new(o.MaxDelay.Duration())
	}
	if o.BackoffType != nil {
		p.BackoffType = retry.BackoffType(math.MaxUint8)
		for b := retry.Constant; b <= retry.Exponential; b++ {
			if b.String() == *o.BackoffType {
				p.BackoffType = b
			}
		}
	}
	if len(o.Randoms) > 0 {
		p.Randomizer = cycle(o.Randoms)
	}
	return p
}

// cycle returns the values in turn, over and over.
func cycle(values []float64) func() float64 {
	i := 0
	return func() float64 {
		defer func() { i++ }()
		return values[i%len(values)]
	}
}

// recorded is what an execution did.
type recorded struct {
	BuildError string
	Completed  bool
	EndedAtMs  int64
	CallsAtMs  []int64
	OnRetry    []struct {
		T, Attempt, DurationMs int64
		DelayMs                span
		Outcome                string
	}
	Attempts []struct {
		Attempt, DurationMs int64
		Handled             bool
		Severity            string
	}
	Events        []string
	Outcome       string
	TokenIsCaller *bool `json:"tokenIsCallers"`
	Order         []string
}

// lines returns r as text, one fact a line, to be compared.
func (r recorded) lines() []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	add("completed %v at %d: %s", r.Completed, r.EndedAtMs, r.Outcome)
	add("calls at %v", r.CallsAtMs)
	for _, o := range r.OnRetry {
		add("retry at %d: attempt %d took %d, delay %v, after %s", o.T, o.Attempt, o.DurationMs, o.DelayMs.d, o.Outcome)
	}
	for _, a := range r.Attempts {
		add("attempt %d took %d, handled %v, %s", a.Attempt, a.DurationMs, a.Handled, a.Severity)
	}
	for _, e := range r.Events {
		add("event %s", e)
	}
	add("order %v", r.Order)
	return out
}

func TestOraclePollyRetry(t *testing.T) {
	tally := oracletest.NewTally("polly-retry")
	oracletest.Lines(t, "polly-retry.jsonl.gz", func(line []byte) {
		var rec struct {
			ID, Kind string
			Options  options
			Result   json.RawMessage
		}
		pollytest.Decode(t, line, &rec)
		if rec.Kind == "formula" {
			return // raw delays: TestOraclePollyRetryFormula
		}
		var want recorded
		pollytest.Decode(t, rec.Result, &want)
		p := rec.Options.policy()
		switch err := p.Validate(); {
		case want.BuildError != "":
			if err == nil {
				tally.Differ(rec.Kind, rec.ID, "got valid options, want %s", want.BuildError)
				return
			}
			tally.Agree(rec.Kind)
		case p.BackoffType > retry.Exponential: // refused here at once, there at the first retry
			if err == nil || !strings.Contains(err.Error(), "back-off type") {
				tally.Differ(rec.Kind, rec.ID, "got %v, want an unknown back-off type refused", err)
				return
			}
			tally.Excuse(rec.Kind)
		default:
			got := play(t, rec.Options, p)
			if diff := firstDifference(got.lines(), want.lines()); diff != "" {
				tally.Differ(rec.Kind, rec.ID, "%s", diff)
				return
			}
			tally.Agree(rec.Kind)
		}
	})
	tally.Report(t)
}

func firstDifference(got, want []string) string {
	for i, w := range want {
		if i >= len(got) {
			return fmt.Sprintf("got no line %d, want %q", i, w)
		}
		if got[i] != w {
			return fmt.Sprintf("got %q, want %q", got[i], w)
		}
	}
	if len(got) > len(want) {
		return fmt.Sprintf("got %q, want no more", got[len(want)])
	}
	return ""
}

func TestOraclePollyValidation(t *testing.T) {
	tally := oracletest.NewTally("polly-validation")
	pollytest.EachValidation(t, []string{"retry"}, func(v pollytest.Validation) {
		o := retry.Defaults()
		switch v.Option {
		case "Delay":
			o.Delay = pollytest.TimeSpan(t, v.Value)
		case "MaxDelay":
			o.MaxDelay = new(pollytest.TimeSpan(t, v.Value))
		case "MaxRetryAttempts":
			if _, err := fmt.Sscan(v.Value, &o.MaxRetryAttempts); err != nil {
				t.Fatal(err)
			}
		case "everything wrong":
			o = retry.Options{MaxRetryAttempts: -1, Delay: -1, MaxDelay: new(time.Duration(-1))}
		case "Randomizer", "ShouldHandle": // null; here nil is the default
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

func TestOracleVectorsPollyRetry(t *testing.T) {
	tally := oracletest.NewTally("runtime-vectors")
	for _, semantics := range []string{"polly-retry-delay", "polly-retry-generator"} {
		pollytest.EachVector(t, semantics, func(v pollytest.Vector) {
			if diff := delays(t, v); diff != "" {
				tally.Differ(semantics, v.ID, "%s", diff)
				return
			}
			tally.Agree(semantics)
		})
	}
	pollytest.EachVector(t, "polly-retry-flow", func(v pollytest.Vector) {
		if diff := flow(t, v); diff != "" {
			tally.Differ(v.Semantics, v.ID, "%s", diff)
			return
		}
		tally.Agree(v.Semantics)
	})
	tally.Report(t)
}

// delays replays the delays of one execution. An event that repeats an attempt
// starts over.
func delays(t *testing.T, v pollytest.Vector) string {
	var o options
	var events []struct {
		Attempt   int
		Random    float64
		Generator span
		Expect    struct{ DelayMs pollytest.Milliseconds }
	}
	pollytest.Decode(t, v.Options, &o)
	pollytest.Decode(t, v.Events, &events)
	p := o.policy()
	random := 0.0
	p.Randomizer = func() float64 { return random }
	policy, err := retry.New(p)
	if err != nil {
		t.Fatal(err)
	}
	var s retry.State
	for i, e := range events {
		if s.Attempt() > e.Attempt {
			s = retry.State{}
		}
		random = e.Random
		got := policy.Next(&s)
		if e.Generator.set && e.Generator.d >= 0 {
			got = e.Generator.d // the executor's rule, proved by its own recordings
		}
		if difference := got - e.Expect.DelayMs.Duration(); difference.Abs() > time.Microsecond {
			return fmt.Sprintf("event %d: got %v, want %v ms", i, got, e.Expect.DelayMs)
		}
	}
	return ""
}

func flow(t *testing.T, v pollytest.Vector) string {
	var o options
	var events []struct {
		Script          []string
		CallerCancelsAt *pollytest.Milliseconds
		Expect          struct {
			Calls    int
			Outcome  string
			OnRetry  []int64
			Attempts [][3]any
		}
	}
	pollytest.Decode(t, v.Options, &o)
	pollytest.Decode(t, v.Events, &events)
	for i, e := range events {
		o.Script, o.CallerCancelsAt = e.Script, e.CallerCancelsAt
		got := play(t, o, o.policy())
		var retries []int64
		for _, r := range got.OnRetry {
			retries = append(retries, r.Attempt)
		}
		outcome := map[string]string{"FailEx": "fail", "IgnoredEx": "unhandled"}[got.Outcome]
		if outcome == "" {
			outcome = got.Outcome
		}
		if len(got.CallsAtMs) != e.Expect.Calls || outcome != e.Expect.Outcome || !slices.Equal(retries, e.Expect.OnRetry) {
			return fmt.Sprintf("event %d: got %d calls, %s, retries %v, want %+v", i, len(got.CallsAtMs), outcome, retries, e.Expect)
		}
		for j, w := range e.Expect.Attempts {
			a := got.Attempts[j]
			if float64(a.Attempt) != w[0] || a.Handled != w[1] || a.Severity != w[2] {
				return fmt.Sprintf("event %d: got attempt %+v, want %v", i, a, w)
			}
		}
	}
	return ""
}
