package pipeline_test

import (
	"fmt"
	"slices"
	"time"
)

// The standard handler counts the result of a call that an earlier state of its
// breaker admitted; margay drops it. From there on the two traces differ, so a
// trace with such a result is held against this naive breaker instead: Polly's
// rules and window, and results of an earlier period dropped.

// breakerEvent is what a breaker was asked or told, in the order of a replay.
type breakerEvent struct {
	at       time.Duration
	pipeline string
	call     string // of an attempt, unique
	ends     bool   // else it begins, or is rejected
	rejected bool
	failure  bool
}

// naive is Polly's breaker without the late results.
type naive struct {
	options *options
	state   string // "", "open", "half"
	period  int
	until   time.Duration
	slices  []slice
	moves   []string // transitions, as in a story
	late    int      // results that were dropped
}

type slice struct {
	start           time.Duration
	total, failures int
}

// explains reports whether the admissions and transitions of a replay are those
// of the naive breaker, and how many late results it dropped.
func explains(o *options, log []breakerEvent, events []string) (late int, ok bool) {
	breakers := map[string]*naive{}
	granted := map[string]int{}
	var moves []string
	for _, e := range log {
		b := breakers[e.pipeline]
		if b == nil {
			b = &naive{options: o}
			breakers[e.pipeline] = b
		}
		if e.ends {
			b.report(e, granted[e.call])
		} else if b.admit(e.at) == e.rejected {
			return 0, false
		}
		granted[e.call] = b.period
	}
	for _, b := range breakers {
		moves, late = append(moves, b.moves...), late+b.late
	}
	events = slices.DeleteFunc(slices.Clone(events), func(line string) bool { return !isMove(line) })
	slices.Sort(moves)
	return late, slices.Equal(moves, events)
}

func isMove(line string) bool {
	var at int
	var event string
	_, _ = fmt.Sscan(line, &at, &event)
	return slices.Contains([]string{"OnCircuitOpened", "OnCircuitHalfOpened", "OnCircuitClosed"}, event)
}

func (b *naive) admit(now time.Duration) bool {
	if b.state == "open" && now >= b.until {
		b.move("half", now)
		return true
	}
	return b.state == ""
}

func (b *naive) report(e breakerEvent, granted int) {
	if granted != b.period {
		b.late++
		return
	}
	switch {
	case b.state == "half" && e.failure:
		b.move("open", e.at)
	case b.state == "half":
		b.slices = nil
		b.move("", e.at)
	case b.state == "" && b.count(e.at, e.failure):
		b.move("open", e.at)
	}
}

func (b *naive) move(state string, now time.Duration) {
	b.state, b.until = state, now+b.options.breaker.BreakDuration
	b.period++
	b.moves = append(b.moves, fmt.Sprintf("%d %s", now.Milliseconds(),
		map[string]string{"": "OnCircuitClosed Information", "half": "OnCircuitHalfOpened Warning", "open": "OnCircuitOpened Error"}[state]))
}

// count adds a result to the window and reports whether the circuit opens.
func (b *naive) count(now time.Duration, failure bool) bool {
	o := b.options.breaker
	if n := len(b.slices); n == 0 || now-b.slices[n-1].start >= o.SamplingDuration/10 {
		b.slices = append(b.slices, slice{start: now})
	}
	for now-b.slices[0].start >= o.SamplingDuration {
		b.slices = b.slices[1:]
	}
	last := &b.slices[len(b.slices)-1]
	last.total++
	if !failure {
		return false
	}
	last.failures++
	var sum slice
	for _, s := range b.slices {
		sum.total, sum.failures = sum.total+s.total, sum.failures+s.failures
	}
	return sum.total >= o.MinimumThroughput && float64(sum.failures)/float64(sum.total) >= o.FailureRatio
}
