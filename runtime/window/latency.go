package window

import (
	"math/bits"
	"slices"
	"time"
)

// Latencies is a histogram of latencies over the last minute that answers the
// questions "how many were there" and "how many were at most so many
// milliseconds", which is all it takes to compare a quantile with a bound: the
// latency at a quantile is within the bound if enough samples are.
//
// It gives the answers of oxy's histogram, an HdrHistogram from 1 µs to 1 h
// with two significant figures, where a sample is as large as the upper edge
// of its bucket, in whole milliseconds: 100.9 ms is 101 ms. But where oxy keeps
// 26 624 bytes for each of six slots, the buckets here are those that the
// bounds tell apart: six slots of 4 × (1 + bounds) bytes. The buckets of the
// HdrHistogram up to a bound become one, whose edge is that of the last.
//
// A slot lasts ten seconds, counted from the first sample in it. A sample is
// forgotten with its slot: when five more slots have begun after it, and at the
// latest a minute after its slot began. (oxy does only the first: after a
// pause, latencies from before it still count, `traefik-16`.)
type Latencies struct {
	edges  []int64 // exclusive, in µs, ascending
	grid   grid
	starts [latencySlots]int64 // of the slots; unused ones are never
	newest int
}

const (
	latencySlots = 6
	latencySlot  = int64(10 * time.Second)
	latencyAge   = latencySlots * latencySlot
	// unused is the start of a slot that holds nothing: long enough ago.
	unused = -latencyAge
)

// The HdrHistogram of oxy: 1 to 3.6·10⁹ with two significant figures. Buckets
// are one wide up to 2⁸ and from there on so wide that 2⁷ of them make an
// octave. It ends with the octave of the largest value, at 2³².
const (
	hdrLinearBits = 8
	hdrEnd        = int64(1) << 32
)

// NewLatencies returns an empty histogram that can answer for bounds, which are
// milliseconds in ascending order.
func NewLatencies(bounds ...int64) *Latencies {
	l := new(Latencies)
	l.Init(bounds...)
	return l
}

// Init makes zero Latencies an empty histogram, as NewLatencies does, for an
// owner that holds it by value.
func (l *Latencies) Init(bounds ...int64) {
	l.edges = make([]int64, len(bounds))
	for i, ms := range bounds {
		l.edges[i] = edge(ms)
	}
	l.grid = grid{slots: latencySlots, columns: len(bounds) + 1}
	l.forget()
}

// edge returns the smallest number of microseconds whose bucket is, in whole
// milliseconds, above ms.
func edge(ms int64) int64 {
	const perMS = int64(time.Millisecond / time.Microsecond)
	if ms >= hdrEnd/perMS {
		return hdrEnd
	}
	// The bucket of the first microsecond of the next millisecond is above: it
	// ends there or later. All before it end before that millisecond.
	next := (ms + 1) * perMS
	width := int64(1) << max(bits.Len64(uint64(next))-hdrLinearBits, 0)
	return next &^ (width - 1)
}

// Record counts a latency that was measured at now. One that the HdrHistogram
// can't hold, 71 minutes or more, is not counted, as in oxy.
func (l *Latencies) Record(now int64, latency time.Duration) {
	l.advance(now)
	us := max(int64(latency/time.Microsecond), 0)
	if us >= hdrEnd {
		return
	}
	column, _ := slices.BinarySearch(l.edges, us+1)
	l.grid.add(l.newest, column)
}

// advance begins a slot if the newest one is over.
func (l *Latencies) advance(now int64) {
	if now-l.starts[l.newest] < latencySlot {
		return
	}
	l.newest = (l.newest + 1) % latencySlots
	l.grid.clearSlot(l.newest)
	l.starts[l.newest] = now
}

// Count returns how many latencies count at now.
func (l *Latencies) Count(now int64) int64 { return l.sum(now, len(l.edges)) }

// Within returns how many of them are at most the i-th bound.
func (l *Latencies) Within(now int64, i int) int64 { return l.sum(now, i) }

// sum adds up the columns up to last, in the slots that count at now. It
// changes nothing.
func (l *Latencies) sum(now int64, last int) int64 {
	n := int64(0)
	for slot, start := range l.starts {
		if now-start >= latencyAge {
			continue
		}
		for column := range last + 1 {
			n += l.grid.at(slot, column)
		}
	}
	return n
}

// Reset forgets everything. The first slot begins at now.
func (l *Latencies) Reset(now int64) {
	l.forget()
	l.newest = 0
	l.starts[0] = now
}

func (l *Latencies) forget() {
	l.grid.clear()
	for i := range l.starts {
		l.starts[i] = unused
	}
}
