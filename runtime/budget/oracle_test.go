package budget_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/budget"
	"github.com/margay-dev/margay/runtime/pollytest"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// sequence is a recording or vector that drives one budget, or one per scope.
type sequence struct {
	ID      string
	Options recordedOptions
	Events  []event
}

type event struct {
	T      pollytest.Milliseconds
	Action string
	Scope  string
	Count  int
	Expect struct {
		Allowed           *bool
		Requests, Retries *int
	}
}

type recordedOptions struct {
	RetryRatio        ratio
	MinimumThroughput int
	SamplingDuration  pollytest.Milliseconds
	CreatedAt         pollytest.Milliseconds
}

// ratio is a number, or "NaN".
type ratio float64

func (r *ratio) UnmarshalJSON(text []byte) error {
	if string(text) == `"NaN"` {
		*r = ratio(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(r))
}

func (o recordedOptions) options() budget.Options {
	return budget.Options{
		RetryRatio:        new(float64(o.RetryRatio)),
		MinimumThroughput: o.MinimumThroughput,
		SamplingDuration:  o.SamplingDuration.Duration(),
	}
}

// clock is a hand that the test moves.
type clock struct{ now time.Time }

func (c *clock) set(m pollytest.Milliseconds) {
	c.now = time.Unix(1767225600, 0).Add(m.Duration())
}

func (c *clock) Now() time.Time { return c.now }

// replay returns how the budget's answers differ from the recorded ones, or "".
func replay(t *testing.T, s sequence) string {
	c := &clock{}
	scopes := map[string]*budget.Budget{}
	for i, e := range s.Events {
		if e.Action == "reload" { // a new pipeline has a new budget
			delete(scopes, e.Scope)
		}
		b := scopes[e.Scope]
		if b == nil {
			c.set(created(s, i))
			o := s.Options.options()
			o.Now = c.Now
			var err error
			if b, err = budget.New(o); err != nil {
				t.Fatalf("%s: %v", s.ID, err)
			}
			scopes[e.Scope] = b
		}
		c.set(e.T)
		if diff := step(b, e); diff != "" {
			return fmt.Sprintf("event %d: %s", i, diff)
		}
	}
	return ""
}

// created is when the budget was made that event i is the first to use.
func created(s sequence, i int) pollytest.Milliseconds {
	if s.Events[i].Action == "reload" {
		return s.Events[i].T
	}
	return s.Options.CreatedAt
}

func step(b *budget.Budget, e event) string {
	switch e.Action {
	case "request":
		for range max(1, e.Count) {
			b.Request()
		}
	case "try_retry":
		if got := b.TryRetry(); got != *e.Expect.Allowed {
			return describe("allowed", got, *e.Expect.Allowed)
		}
	case "read", "reload":
	default:
		return "unknown action " + e.Action
	}
	got := b.Counts()
	if want := e.Expect.Requests; want != nil && *want != got.Requests {
		return describe("requests", got.Requests, *want)
	}
	if want := e.Expect.Retries; want != nil && *want != got.Retries {
		return describe("retries", got.Retries, *want)
	}
	return ""
}

func TestOracleRetryBudget(t *testing.T) {
	tally := oracletest.NewTally("retry-budget")
	oracletest.Lines(t, "retry-budget.jsonl.gz", func(line []byte) {
		var head struct{ ID, Semantics, Kind string }
		pollytest.Decode(t, line, &head)
		var diff string
		switch {
		case head.Semantics == "retry-budget":
			var s sequence
			pollytest.Decode(t, line, &s)
			diff = replay(t, s)
		case head.Semantics == "retry-budget-floor":
			diff = floor(t, line)
		case head.Kind == "validate":
			diff = validate(t, line)
		case head.Semantics == "retry-budget-handler", head.Semantics == "retry-budget-misc":
			return // whole handlers: replayed where retries are, in runtime/retry
		default:
			t.Errorf("%s: got semantics %q, want one that is known", head.ID, head.Semantics)
		}
		if diff != "" {
			tally.Differ(head.Semantics, head.ID, "%s", diff)
			return
		}
		tally.Agree(head.Semantics)
	})
	tally.Report(t)
}

// floor asks for retries until one is denied. The recording made its budget
// around the validation, so ratios that New refuses are refused here.
func floor(t *testing.T, line []byte) string {
	var rec struct {
		Options           recordedOptions
		Requests, Granted int
	}
	pollytest.Decode(t, line, &rec)
	o := rec.Options.options()
	b, err := budget.New(o)
	if r := *o.RetryRatio; math.IsNaN(r) || r > 1 {
		if err == nil {
			return describe("error", err, "the ratio refused")
		}
		return ""
	}
	if err != nil {
		return describe("error", err, nil)
	}
	now := time.Now()
	for range rec.Requests {
		b.RequestAt(now)
	}
	granted := 0
	for b.TryRetryAt(now) {
		granted++
	}
	if granted != rec.Granted {
		return describe("granted", granted, rec.Granted)
	}
	return ""
}

// validate compares what the options are refused for.
func validate(t *testing.T, line []byte) string {
	var rec struct {
		Scenario struct {
			Options map[string]json.RawMessage
		}
		Result struct{ Message string }
	}
	pollytest.Decode(t, line, &rec)
	recorded := recordedOptions{
		RetryRatio: budget.DefaultRetryRatio, MinimumThroughput: budget.DefaultMinimumThroughput,
		SamplingDuration: pollytest.Milliseconds(budget.DefaultSamplingDuration.Milliseconds()),
	}
	for name, into := range map[string]any{
		"RetryRatio": &recorded.RetryRatio, "MinimumThroughput": &recorded.MinimumThroughput, "SamplingDuration": &recorded.SamplingDuration,
	} {
		if text, ok := rec.Scenario.Options["Retry.RetryBudget."+name]; ok {
			pollytest.Decode(t, text, into)
		}
	}
	got := ""
	if err := recorded.options().Validate(); err != nil {
		got = err.Error()
	}
	for name, word := range map[string]string{
		"RetryRatio:": "retry ratio", "MinimumThroughput:": "minimum throughput", "SamplingDuration:": "sampling duration",
	} {
		if strings.Contains(rec.Result.Message, name) != strings.Contains(got, word) {
			return describe("refusal", got, rec.Result.Message)
		}
	}
	return ""
}

func TestOracleVectorsRetryBudget(t *testing.T) {
	tally := oracletest.NewTally("runtime-vectors")
	for _, semantics := range []string{"retry-budget", "retry-budget-scoped"} {
		pollytest.EachVector(t, semantics, func(v pollytest.Vector) {
			s := sequence{ID: v.ID}
			pollytest.Decode(t, v.Options, &s.Options)
			pollytest.Decode(t, v.Events, &s.Events)
			if diff := replay(t, s); diff != "" {
				tally.Differ(semantics, v.ID, "%s", diff)
				return
			}
			tally.Agree(semantics)
		})
	}
	tally.Report(t)
}
