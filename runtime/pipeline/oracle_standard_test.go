package pipeline_test

import (
	"encoding/json"
	"fmt"
	stdruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/testdata/oracletest"
)

// trace is one recording of the standard resilience handler of .NET: options,
// requests with what the backend does to them, and what came of it.
type trace struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	Scenario scenario `json:"scenario"`
	Result   struct {
		Attempts       []attemptRecord `json:"attempts"`
		Outcomes       []outcomeRecord `json:"outcomes"`
		Events         []eventRecord   `json:"events"`
		DisposedDuring []string        `json:"disposedDuring"`
	} `json:"result"`
}

type scenario struct {
	Options  *options        `json:"options"`
	Requests []requestRecord `json:"requests"`
}

type requestRecord struct {
	At              int64             `json:"at"`
	Method          string            `json:"method"`
	URL             string            `json:"url"`
	ContentKind     string            `json:"contentKind"`
	Body            string            `json:"body"`
	CallerCancelsAt *int64            `json:"callerCancelsAt"`
	Script          []json.RawMessage `json:"script"`
}

type attemptRecord struct {
	Request int             `json:"request"`
	N       int             `json:"n"`
	Start   int64           `json:"start"`
	End     int64           `json:"end"`
	Method  string          `json:"method"`
	URL     string          `json:"url"`
	Result  json.RawMessage `json:"result"`
}

func (a attemptRecord) String() string {
	return fmt.Sprintf("#%d.%d %s %d–%d %s", a.Request, a.N, a.Method, a.Start, a.End, strings.Trim(string(a.Result), `"`))
}

type outcomeRecord struct {
	Status        int      `json:"status"`
	Body          string   `json:"body"`
	Exception     string   `json:"exception"`
	TimeoutMs     float64  `json:"timeoutMs"`
	RetryAfterMs  *float64 `json:"retryAfterMs"`
	TokenIsCaller *bool    `json:"tokenIsCallers"`
	T             int64    `json:"t"`
}

// String leaves out what Go has no like of: inner exceptions and messages.
func (o outcomeRecord) String() string {
	switch {
	case o.Exception == "":
		return fmt.Sprintf("%d %s @%d", o.Status, o.Body, o.T)
	case o.Exception == "TimeoutRejectedException" && o.TimeoutMs > 0:
		return fmt.Sprintf("%s(%v) @%d", o.Exception, o.TimeoutMs, o.T)
	case o.Exception == "BrokenCircuitException" && o.RetryAfterMs != nil:
		return fmt.Sprintf("%s(%v) @%d", o.Exception, max(0, *o.RetryAfterMs), o.T)
	case o.TokenIsCaller != nil && *o.TokenIsCaller:
		return fmt.Sprintf("cancelled by the caller @%d", o.T)
	}
	return fmt.Sprintf("%s @%d", o.Exception, o.T)
}

type eventRecord struct {
	T        int64  `json:"t"`
	Event    string `json:"event"`
	Severity string `json:"severity"`
	Args     struct {
		Attempt *int  `json:"attempt"`
		Handled *bool `json:"handled"`
	} `json:"args"`
}

func (e eventRecord) String() string {
	s := fmt.Sprintf("%d %s %s", e.T, e.Event, e.Severity)
	if e.Args.Attempt != nil {
		s += fmt.Sprintf(" attempt=%d", *e.Args.Attempt)
	}
	if e.Args.Handled != nil {
		s += fmt.Sprintf(" handled=%t", *e.Args.Handled)
	}
	return s
}

// expected returns what the recording holds, in the words of replay.
func (tr *trace) expected() story {
	var s story
	for _, a := range tr.Result.Attempts {
		s.attempts = append(s.attempts, a.String())
	}
	for i, o := range tr.Result.Outcomes {
		s.outcomes = append(s.outcomes, fmt.Sprintf("#%d %s", i, o))
	}
	for _, e := range tr.Result.Events {
		s.events = append(s.events, e.String())
	}
	s.closed = slices.Clone(tr.Result.DisposedDuring)
	s.sort()
	return s
}

// orders is how many orders of simultaneous events are tried. .NET's manual
// clock fires timers that are due at one instant in the order of their
// creation; Go's fire in any order. The most that a recording was seen to need
// is 93.
const orders = 1000

func TestOracleStandardHandler(t *testing.T) {
	oneAtATime(t)
	tally := oracletest.NewTally("standard-handler")
	oracletest.Each(t, "standard-handler.jsonl.gz", func(tr trace) {
		if tr.Scenario.Options.handler == "hedging" {
			tally.Excuse("hedging is not offered")
			return
		}
		difference, story := judge(t, &tr)
		switch {
		case difference == "":
			tally.Agree(tr.Kind)
		case story != "":
			tally.Differ(tr.Kind, tr.ID, "%s", story)
		default:
			tally.Excuse(difference)
		}
	})
	tally.Report(t)
}

// oneAtATime lets one goroutine run at a time until the test ends. The manual
// clock of the recordings runs what a timer starts until it waits, and only then
// fires the next; on several processors the requests of one instant mix, and
// an order that .NET can have becomes too rare to be met.
func oneAtATime(t *testing.T) {
	before := stdruntime.GOMAXPROCS(1)
	t.Cleanup(func() { stdruntime.GOMAXPROCS(before) })
}

// judge replays a trace until it is as recorded, or else as one of the
// differences promises, in some order of its simultaneous events. It returns the
// name of the difference, and how a replay differed if none explains it.
func judge(t *testing.T, tr *trace) (difference, story string) {
	want := tr.expected()
	tries := 1
	if tr.simultaneous() {
		tries = orders
	}
	for range tries {
		got, _ := replay(t, tr)
		if story = got.diff(want); story == "" {
			return "", ""
		}
	}
	for range tries {
		got, log := replay(t, tr)
		for _, d := range differences() {
			if d.holds(tr, got, log) {
				return d.name, ""
			}
		}
	}
	return "none", story
}

// difference is one way in which margay differs from the standard handler on
// purpose. It holds where a replay is what margay promises instead.
type difference struct {
	name  string
	holds func(tr *trace, got story, log []breakerEvent) bool
}

func differences() []difference {
	return []difference{
		{"late-result: the result of a call that an earlier state admitted is dropped", func(tr *trace, got story, log []breakerEvent) bool {
			late, ok := explains(tr.Scenario.Options, log, got.events)
			return ok && late > 0
		}},
		{"buffered-body: a stream that cannot be read twice is kept and sent again", sentAgain},
	}
}

// sentAgain holds where a request with a stream that .NET could not rewind had
// every attempt that its script calls for, one after the other at once, each
// followed by the delay.
func sentAgain(tr *trace, got story, _ []breakerEvent) bool {
	if len(tr.Scenario.Requests) != 1 || tr.Scenario.Requests[0].ContentKind != "nonseekable" {
		return false
	}
	r := tr.Scenario.Requests[0]
	var want []string
	for n, raw := range r.Script {
		s := parseStep(raw)
		result, last := exception(s.throws).class(), false
		if s.throws == "" {
			result, last = fmt.Sprint(s.status), s.status < 500
		}
		at := time.Duration(n) * tr.Scenario.Options.retry.Delay
		want = append(want, fmt.Sprintf("#0.%d %s %d–%d %s", n, r.Method, at.Milliseconds(), at.Milliseconds(), result))
		if last {
			return slices.Equal(got.attempts, want)
		}
	}
	return false
}

// simultaneous reports whether events that do not depend on each other fall on
// one instant: those of two requests, or of a request and its caller.
func (tr *trace) simultaneous() bool {
	seen := map[int64]int{}
	clash := false
	note := func(t int64, request int) {
		if other, ok := seen[t]; ok && other != request {
			clash = true
		}
		seen[t] = request
	}
	for i, r := range tr.Scenario.Requests {
		note(r.At, i)
		if r.CallerCancelsAt != nil {
			note(*r.CallerCancelsAt, -1-i)
		}
	}
	for _, a := range tr.Result.Attempts {
		note(a.Start, a.Request)
		note(a.End, a.Request)
	}
	for i, o := range tr.Result.Outcomes {
		note(o.T, i)
	}
	return clash
}
