package breaker

import (
	"slices"
	"time"

	"github.com/margay-dev/margay/runtime/window"
)

// reference is the safe profile, written as plainly as it can be said: no
// packing, no atomics, no bounds on memory. The breakers must decide as it
// does, and it must decide as the recordings say where they hold no hazard.
type reference struct {
	memory memory
	breaks int64
	lease  int64 // zero: never ends

	state     State
	period    int   // changes with the state and with every probe
	until     int64 // Open: end of the break
	probing   bool  // HalfOpen: a probe is out
	granted   int64 // HalfOpen: when it was admitted
	announces bool

	// What the last event was, for a replay.
	late    bool // a result of another period
	ignored bool // a result that says nothing
}

// memory is what a reference remembers and how it judges.
type memory interface {
	success(now int64)
	failure(now int64) (trips bool)
	counts(now int64) window.Counts
	clear(now int64)
}

func newReference(config Config, lease time.Duration) *reference {
	r := &reference{lease: int64(lease)}
	switch c := config.(type) {
	case Consecutive:
		r.memory, r.breaks = &refStreak{opensAt: c.MinimumThroughput}, int64(c.BreakDuration)
		r.announces = true
	case Ratio:
		log := &refLog{sampling: int64(c.SamplingDuration)}
		r.memory, r.breaks = &refThreshold{log, c.MinimumThroughput, c.FailureRatio}, int64(c.BreakDuration)
		r.announces = true
	case Polly:
		slices := newRefSlices(int64(c.SamplingDuration))
		r.memory, r.breaks = &refThreshold{slices, c.MinimumThroughput, c.FailureRatio}, int64(c.BreakDuration)
	}
	return r
}

// admit returns the period that admits a call at now, or false.
func (r *reference) admit(now int64) (int, bool) {
	switch r.state {
	case Closed:
		return r.period, true
	case Open:
		if now < r.until {
			return 0, false
		}
	case HalfOpen:
		if r.unexpired(now) {
			return 0, false
		}
	default:
		return 0, false
	}
	r.period++
	r.state, r.probing, r.granted = HalfOpen, true, now
	return r.period, true
}

// unexpired reports whether a probe is out and its lease is not over.
func (r *reference) unexpired(now int64) bool {
	return r.state == HalfOpen && r.probing && (r.lease == 0 || now < r.granted+r.lease)
}

func (r *reference) report(now int64, period int, result Result) {
	r.late = period != r.period
	r.ignored = result == Ignored
	if r.late {
		return
	}
	if r.state == HalfOpen {
		r.probed(now, result)
		return
	}
	if r.state != Closed {
		return
	}
	switch result {
	case Success:
		r.memory.success(now)
	case Failure:
		if r.memory.failure(now) {
			r.open(now)
		}
	}
}

func (r *reference) probed(now int64, result Result) {
	if !r.unexpired(now) {
		return
	}
	switch result {
	case Success:
		r.close(now)
	case Failure:
		r.open(now)
	default:
		r.probing = false
	}
}

func (r *reference) open(now int64) {
	r.period++
	r.state, r.until = Open, now+r.breaks
}

func (r *reference) close(now int64) {
	r.period++
	r.state = Closed
	r.memory.clear(now)
}

func (r *reference) isolate() {
	if r.state != Isolated {
		r.period++
		r.state = Isolated
	}
}

// shown is the state that a reader sees.
func (r *reference) shown(now int64) State {
	if r.announces && r.state == Open && now >= r.until {
		return HalfOpen
	}
	return r.state
}

// retryAfter is what a caller who is rejected now is told.
func (r *reference) retryAfter(now int64) time.Duration {
	at := r.until
	if r.state == HalfOpen {
		at = r.granted + r.breaks
		if r.lease > 0 {
			at = min(at, r.granted+r.lease)
		}
	}
	return time.Duration(max(0, at-now))
}

type refStreak struct{ opensAt, failures int }

func (s *refStreak) success(int64)      { s.failures = 0 }
func (s *refStreak) failure(int64) bool { s.failures++; return s.failures >= s.opensAt }
func (s *refStreak) clear(int64)        { s.failures = 0 }
func (s *refStreak) counts(int64) window.Counts {
	return window.Counts{Total: uint64(s.failures), Failures: uint64(s.failures)}
}

type refThreshold struct {
	refWindow
	minimum int
	ratio   float64
}

type refWindow interface {
	add(now int64, failed bool)
	counts(now int64) window.Counts
	clear(now int64)
}

func (t *refThreshold) success(now int64) { t.add(now, false) }
func (t *refThreshold) failure(now int64) bool {
	t.add(now, true)
	c := t.counts(now)
	return c.Total >= uint64(t.minimum) && float64(c.Failures)/float64(c.Total) >= max(0, t.ratio)
}

// refLog is Ocelot's log of every outcome.
type refLog struct {
	sampling int64
	entries  []refEntry
}

type refEntry struct {
	at     int64
	failed bool
}

func (l *refLog) add(now int64, failed bool) {
	l.entries = slices.DeleteFunc(l.entries, func(e refEntry) bool { return now-e.at > l.sampling })
	l.entries = append(l.entries, refEntry{now, failed})
}

func (l *refLog) clear(int64) { l.entries = nil }

func (l *refLog) counts(now int64) (c window.Counts) {
	for _, e := range l.entries {
		if now-e.at <= l.sampling {
			c.Total++
			if e.failed {
				c.Failures++
			}
		}
	}
	return c
}

// refSlices is Polly's health metrics: times in ticks of 100 ns, a slice
// starts at the event that finds the one before ended.
type refSlices struct {
	sampling, width int64 // in ticks
	single          bool
	slices          []refSlice
}

type refSlice struct{ start, successes, failures int64 }

func newRefSlices(sampling int64) *refSlices {
	s := &refSlices{sampling: sampling / 100, width: sampling / 100 / 10}
	if sampling < 200_000_000 {
		s.single, s.width = true, s.sampling
		s.clear(0)
	}
	return s
}

func (s *refSlices) add(now int64, failed bool) {
	now /= 100
	if len(s.slices) == 0 || now-s.slices[len(s.slices)-1].start >= s.width {
		s.slices = append(s.slices, refSlice{start: now})
	}
	for now-s.slices[0].start >= s.sampling {
		s.slices = s.slices[1:]
	}
	if last := &s.slices[len(s.slices)-1]; failed {
		last.failures++
	} else {
		last.successes++
	}
}

func (s *refSlices) clear(now int64) {
	s.slices = nil
	if s.single {
		s.slices = []refSlice{{start: now / 100}}
	}
}

func (s *refSlices) counts(now int64) (c window.Counts) {
	for _, e := range s.slices {
		if now/100-e.start < s.sampling {
			c.Total += uint64(e.successes + e.failures)
			c.Failures += uint64(e.failures)
		}
	}
	return c
}
