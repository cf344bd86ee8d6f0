package breaker

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// modelSteps times the 100 checks of rapid times three kinds is more than a
// million steps.
const modelSteps = 3500

// TestModel compares each kind with the reference on random events: calls that
// end at once and calls that end later or never, results given twice, manual
// control, and times on both sides of every bound.
func TestModel(t *testing.T) {
	const ms = time.Millisecond
	kinds := map[string][]Config{
		"consecutive": {
			Consecutive{MinimumThroughput: 1, BreakDuration: 10 * ms},
			Consecutive{MinimumThroughput: 4, BreakDuration: 700 * ms},
		},
		"ratio": {
			Ratio{FailureRatio: 0.5, MinimumThroughput: 4, SamplingDuration: 1000 * ms, BreakDuration: 300 * ms},
			Ratio{FailureRatio: 1, MinimumThroughput: 2, SamplingDuration: 128 * ms, BreakDuration: 500 * ms},
			Ratio{FailureRatio: -1, MinimumThroughput: 20, SamplingDuration: 997 * ms, BreakDuration: 50 * ms},
		},
		"polly": {
			Polly{FailureRatio: 0.5, MinimumThroughput: 4, SamplingDuration: 1000 * ms, BreakDuration: 300 * ms},
			Polly{FailureRatio: 0.1, MinimumThroughput: 10, SamplingDuration: 1234 * ms, BreakDuration: 500 * ms},
			Polly{FailureRatio: -1, MinimumThroughput: 3, SamplingDuration: 150 * ms, BreakDuration: 500 * ms},
		},
	}
	for name, configs := range kinds {
		t.Run(name, func(t *testing.T) {
			var sum coverage
			rapid.Check(t, func(rt *rapid.T) {
				config := rapid.SampledFrom(configs).Draw(rt, "config")
				lease := rapid.SampledFrom([]time.Duration{0, 100 * ms, time.Second}).Draw(rt, "lease")
				steps := rapid.SliceOfN(rapid.Uint32(), modelSteps, modelSteps).Draw(rt, "steps")
				seen, diff := runModel(t, config, lease, steps)
				sum.add(seen)
				if diff != "" {
					rt.Fatal(diff)
				}
			})
			t.Logf("%+v", sum)
			if few := sum.steps / 10_000; min(sum.admitted, sum.rejected, sum.trips, sum.closes, sum.expired, sum.dropped) < few {
				t.Errorf("got %+v, want at least %d of each", sum, few)
			}
		})
	}
}

// model holds a breaker and its reference side by side.
type model struct {
	b     *Breaker
	r     *reference
	now   int64
	moves []int64 // steps of time that meet the bounds

	held    [inFlight + 1]Permit
	periods [inFlight + 1]int // -1: nobody

	seen coverage
}

// Calls in flight have slots; one that ends at once has the last slot.
const (
	inFlight = 8
	atOnce   = inFlight
)

// coverage counts what a model test came across, so that one which never leaves
// Closed does not pass for a proof.
type coverage struct{ steps, admitted, rejected, trips, closes, expired, dropped int }

func (c *coverage) add(o coverage) {
	c.steps += o.steps
	c.admitted += o.admitted
	c.rejected += o.rejected
	c.trips += o.trips
	c.closes += o.closes
	c.expired += o.expired
	c.dropped += o.dropped
}

func runModel(t *testing.T, config Config, lease time.Duration, steps []uint32) (seen coverage, diff string) {
	synctest.Test(t, func(*testing.T) {
		m := &model{b: New(config, ProbeLease(lease)), r: newReference(config, lease)}
		defer func() { seen = m.seen }()
		for slot := range m.periods {
			m.periods[slot] = -1
		}
		m.moves = []int64{m.r.breaks, int64(lease), int64(time.Second), int64(128 * time.Millisecond)}
		for i, drawn := range steps {
			step := spread(drawn, i)
			m.seen.steps++
			m.move(step)
			got, want := m.act(step >> 16)
			if got == "" && want == "" {
				got, want = m.show()
			}
			if got != want {
				diff = fmt.Sprintf("step %d (%#x) at %v: got %s, want %s",
					i, step, time.Duration(m.now), got, want)
				return
			}
		}
	})
	return seen, diff
}

// spread makes all values of a step equally likely: rapid prefers small ones.
func spread(drawn uint32, i int) uint32 {
	x := (uint64(drawn)<<32 | uint64(i) + 1) * 0x9E3779B97F4A7C15
	x = (x ^ x>>29) * 0xBF58476D1CE4E5B9
	return uint32(x >> 32)
}

// move lets time pass, in ticks of 100 ns: Polly knows no shorter time. A log of more than 128 outcomes need not be exact, so
// it is given time to age before.
func (m *model) move(random uint32) {
	var d int64
	switch random % 8 {
	case 0, 1, 2:
	case 3, 4, 5:
		d = int64(random>>3%128) * int64(time.Millisecond)
	default:
		d = max(0, m.moves[random>>3%4]+int64(random>>5%3)*100-100)
	}
	if m.r.memory.counts(m.now).Total > 120 {
		d = int64(2 * time.Second)
	}
	time.Sleep(time.Duration(d))
	m.now += d
}

// act plays one event on both and returns what differs in what they answer.
func (m *model) act(random uint32) (got, want string) {
	result := []Result{Failure, Failure, Success, Ignored}[random>>4%4]
	slot := random >> 6 % inFlight
	switch random % 16 {
	case 0, 1, 2:
		return m.admit(slot)
	case 3, 4, 5:
		m.report(slot, result)
	case 6:
		m.control(random >> 9)
	case 7:
	default:
		got, want = m.admit(atOnce)
		m.report(atOnce, result)
	}
	return got, want
}

// report gives both the result of a call in flight. The reference does not take
// a second one.
func (m *model) report(slot uint32, result Result) {
	was := m.r.state
	late := m.r.state == HalfOpen && !m.r.unexpired(m.now)
	m.held[slot].Report(Outcome{Result: result})
	m.r.report(m.now, m.periods[slot], result)
	m.count(was, late, m.periods[slot])
	m.periods[slot] = -1
}

func (m *model) count(was State, expired bool, period int) {
	switch {
	case period < 0:
	case m.r.late:
		m.seen.dropped++
	case expired:
		m.seen.expired++
	case m.r.state == Open && was != Open:
		m.seen.trips++
	case m.r.state == Closed && was == HalfOpen:
		m.seen.closes++
	}
}

// admit asks both for admission, into a slot of calls in flight. A call that
// was there never ends.
func (m *model) admit(slot uint32) (got, want string) {
	permit, err := m.b.Acquire()
	period, ok := m.r.admit(m.now)
	if err == nil {
		m.held[slot] = permit
	}
	if ok {
		m.periods[slot] = period
		m.seen.admitted++
	} else {
		m.seen.rejected++
	}
	want = "admitted"
	switch {
	case m.r.state == Isolated:
		want = ErrIsolated.Error()
	case !ok:
		want = fmt.Sprintf("%v, retry after %v", ErrOpen, m.r.retryAfter(m.now))
	}
	got = "admitted"
	if open, is := errors.AsType[*OpenError](err); is {
		got = fmt.Sprintf("%v, retry after %v", err, open.RetryAfter())
	} else if err != nil {
		got = err.Error()
	}
	if got == want {
		return "", ""
	}
	return got, want
}

// control is rare, or nothing else would ever happen.
func (m *model) control(random uint32) {
	switch {
	case random%32 == 0:
		m.b.Isolate()
		m.r.isolate()
	case random%32 == 1, m.r.state == Isolated:
		m.b.ForceClose()
		m.r.close(m.now)
	}
}

// show tells all that can be seen of both.
func (m *model) show() (got, want string) {
	s, c := m.b.Snapshot(), m.r.memory.counts(m.now)
	probing := m.r.unexpired(m.now)
	if s.State == m.r.shown(m.now) && s.Counts == c && s.ProbeInFlight == probing {
		return "", ""
	}
	return fmt.Sprintf("%v, %+v, probe %t", s.State, s.Counts, s.ProbeInFlight),
		fmt.Sprintf("%v, %+v, probe %t", m.r.shown(m.now), c, probing)
}
