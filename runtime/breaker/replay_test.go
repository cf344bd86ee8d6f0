package breaker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/testdata/oracletest"
)

// recorded is a sequence of events on a breaker, as the recordings and the
// hand-made vectors write it.
type recorded struct {
	ID        string
	Semantics string
	Options   struct {
		MinimumThroughput      int
		FailureRatio           *float64
		SamplingDuration       float64
		BreakDuration          float64
		BreakDurationGenerator string
	}
	Events  []recordedEvent
	Hazards []string
	Late    bool
}

type recordedEvent struct {
	T      float64
	Action string
	Call   string
	Expect struct {
		Admitted     *bool
		State        string
		Events       []string
		Rejected     string
		RetryAfterMs *float64
		Failures     *uint64
		Total        *uint64
		LiveFailures *uint64 `json:"live_failures"`
		LiveTotal    *uint64 `json:"live_total"`
	}
}

func milliseconds(ms float64) time.Duration {
	return time.Duration(math.Round(ms * float64(time.Millisecond)))
}

// seen is what one breaker shows after one event.
type seen struct {
	asked      bool // the event asked for admission
	admitted   bool
	state      State // as State tells
	raw        State // before State looks at the clock
	read       bool  // State said of this break that it is over
	retryAfter time.Duration
	failures   uint64
	total      uint64
}

// results says how a replay takes the actions that end a call.
type results map[string]Result

// ownRule is how the safe profile takes them. A "timeout" is that of Ocelot's
// own QoS; "ignored" is an exception that Polly's predicate does not handle.
var ownRule = results{
	"ok": Success, "ignored": Success,
	"fail": Failure, "failresult": Failure, "timeout": Failure,
	"cancel": Ignored,
}

// pollysRule is how Polly takes them.
var pollysRule = results{
	"ok": Success, "ignored": Success, "cancel": Success,
	"fail": Failure, "failresult": Failure,
}

// replay runs the events through a new breaker and returns what it showed.
// Time never goes back for the breaker, whatever a recording's clock does.
func replay(t *testing.T, config Config, events []recordedEvent, rule results, opts ...Option) []seen {
	t.Helper()
	var all []seen
	synctest.Test(t, func(t *testing.T) {
		b := New(config, opts...)
		calls := map[string]Permit{}
		last := 0.0
		for _, e := range events {
			if e.T > last {
				time.Sleep(milliseconds(e.T) - milliseconds(last))
			}
			last = e.T
			s := play(t, b, calls, e, rule)
			s.read = stateWasRead(e, s, all)
			all = append(all, s)
		}
	})
	return all
}

// stateWasRead reports whether the state was read since the end of the present
// break. Ocelot goes half-open by that; here it changes nothing.
func stateWasRead(e recordedEvent, s seen, before []seen) bool {
	if s.raw != Open {
		return false
	}
	return e.Action == "state" && s.state == HalfOpen || len(before) > 0 && before[len(before)-1].read
}

func play(t *testing.T, b *Breaker, calls map[string]Permit, e recordedEvent, rule results) (s seen) {
	t.Helper()
	permit, ended := calls[e.Call]
	var err error
	switch result, ends := rule[e.Action]; {
	case e.Action == "state":
	case e.Action == "isolate":
		b.Isolate()
	case e.Action == "close":
		b.ForceClose()
	case e.Action == "precancel":
		precancelled(t, b)
	case e.Action == "admit":
		s.asked = true
		if permit, err = b.Acquire(); err == nil {
			calls[e.Call] = permit
		}
	case !ends:
		t.Fatalf("unknown action %q", e.Action)
	case e.Call != "" && ended:
		permit.Report(Outcome{Result: result})
	case e.Call == "":
		s.asked = true
		if permit, err = b.Acquire(); err == nil {
			permit.Report(Outcome{Result: result})
		}
	}
	s.admitted = s.asked && err == nil
	if open, ok := errors.AsType[*OpenError](err); ok {
		s.retryAfter = open.RetryAfter()
	}
	snapshot := b.Snapshot()
	s.state, s.raw = b.State(), b.current().state()
	s.failures, s.total = snapshot.Counts.Failures, snapshot.Counts.Total
	return s
}

// precancelled puts a call with a cancelled context through the breaker. It
// must not reach it, in whatever state.
func precancelled(t *testing.T, b *Breaker) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := b.DoContext(ctx, func(context.Context) error {
		t.Error("a cancelled call was made")
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: got %v, want %v", err, context.Canceled)
	}
}

// replayReference runs the events through the reference. From the event at
// hazard on, the original may differ on purpose: a result came late, a
// cancelled call was counted or leaked the probe's place, the clock stepped
// back, or a generated break began.
func replayReference(rec recorded, config Config, rule results) (all []seen, hazard int) {
	r := newReference(config, 0)
	calls := map[string]int{}
	hazard = len(rec.Events)
	var now time.Duration
	last := 0.0
	for i, e := range rec.Events {
		if e.T > last {
			now += milliseconds(e.T) - milliseconds(last)
		} else if e.T < last {
			hazard = min(hazard, i)
		}
		last = e.T
		s := playReference(r, int64(now), calls, e, rule)
		s.read = stateWasRead(e, s, all)
		all = append(all, s)
		if rec.differsBy(r) {
			hazard = min(hazard, i)
		}
		if r.state == Open && rec.Options.BreakDurationGenerator != "" {
			hazard = min(hazard, i+1)
		}
	}
	return all, hazard
}

// differsBy reports whether the original does not do as the reference did with
// the last event: both originals count a late result; Polly counts a cancelled
// call as a success; Ocelot ignores it, but never gives the place of a probe
// back.
func (rec recorded) differsBy(r *reference) bool {
	if !r.ignored {
		return r.late
	}
	return rec.Semantics == "polly-ratio" || !r.late && r.state == HalfOpen
}

func playReference(r *reference, now int64, calls map[string]int, e recordedEvent, rule results) (s seen) {
	period, ended := calls[e.Call]
	result, ends := rule[e.Action]
	ok := false
	r.late, r.ignored = false, false
	switch {
	case e.Action == "isolate":
		r.isolate()
	case e.Action == "close":
		r.close(now)
	case e.Action == "admit":
		s.asked = true
		if period, ok = r.admit(now); ok {
			calls[e.Call] = period
		}
	case ends && e.Call != "" && ended:
		r.report(now, period, result)
	case ends && e.Call == "":
		s.asked = true
		if period, ok = r.admit(now); ok {
			r.report(now, period, result)
		}
	}
	s.admitted = ok
	if s.asked && !ok && r.state != Isolated {
		s.retryAfter = r.retryAfter(now)
	}
	c := r.memory.counts(now)
	s.state, s.raw, s.failures, s.total = r.shown(now), r.state, c.Failures, c.Total
	return s
}

// verdict is what a replay of one recording came to.
type verdict struct {
	group   string // is there a hazard?
	diff    string // from the reference, or from the recording before a hazard
	purpose bool   // differs from the recording after a hazard
}

const (
	noHazard   = "no hazard"
	withHazard = "hazard"
)

// judge replays a recording. Up to the first hazard the breaker must do what
// is recorded; throughout it must do what the reference does.
func judge(t *testing.T, rec recorded, config Config, rule results, differs func(recordedEvent, seen) string) verdict {
	t.Helper()
	got := replay(t, config, rec.Events, rule)
	want, hazard := replayReference(rec, config, rule)
	v := verdict{group: noHazard}
	if hazard < len(rec.Events) {
		v.group = withHazard
	}
	for i, e := range rec.Events {
		v.diff = referenceDifference(got[i], want[i])
		if diff := differs(e, got[i]); i < hazard && v.diff == "" {
			v.diff = diff
		} else if diff != "" {
			v.purpose = true
		}
		if v.diff != "" {
			v.diff = fmt.Sprintf("event %d (%s at %v): %s", i, e.Action, e.T, v.diff)
			return v
		}
	}
	return v
}

func referenceDifference(got, want seen) string {
	if got == want {
		return ""
	}
	return fmt.Sprintf("got %+v, want %+v", got, want)
}

func (v verdict) count(tally *oracletest.Tally, id string) {
	switch {
	case v.diff != "":
		tally.Differ(v.group, id, "%s", v.diff)
	case v.purpose:
		tally.Excuse(v.group)
	default:
		tally.Agree(v.group)
	}
}
