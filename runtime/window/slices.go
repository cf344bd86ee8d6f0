package window

import "time"

// Slices is Polly's health window: ten slices of a tenth of the sampling
// duration each. A slice starts at the first event after the end of the one
// before, not on a grid, and leaves whole when its start is as old as the
// sampling duration. So an event is remembered between 0.9 and 1.0 of it.
//
// Below 200 ms there is one slice as long as the sampling duration, which
// starts when the window is made or cleared and then starts over at the first
// event after its end. (Polly: RollingHealthMetrics, SingleHealthMetrics.)
//
// The lock of the owner guards it, but for the Tally.
type Slices struct {
	tally    Tally
	sampling int64
	width    int64
	anchor   int64   // start of the one slice of a short window
	ring     []slice // nil until first used
	head     int     // the oldest
	n        int
}

type slice struct {
	start     int64
	successes uint64
	failures  uint64
}

const (
	sliceCount = 10
	// singleBelow is Polly's ten windows of twenty milliseconds.
	singleBelow = 200 * time.Millisecond
	// tick is the resolution of .NET's clock. Polly divides in ticks.
	tick = 100 * time.Nanosecond
	// sliceRing holds eleven slices, which occur for an instant and where the
	// ticks do not divide by ten; rounded up to whole cache lines.
	sliceRing = 16
)

// NewSlices returns an empty window over sampling, made at time zero. A
// duration below one tick (100 ns) counts as one.
func NewSlices(sampling time.Duration) *Slices {
	s := new(Slices)
	s.Init(sampling)
	return s
}

// Init makes a zero Slices an empty window, as NewSlices does, for an owner
// that holds it by value.
func (s *Slices) Init(sampling time.Duration) {
	ticks := max(sampling/tick, 1)
	s.sampling = int64(ticks * tick)
	s.width = s.sampling
	if sampling >= singleBelow {
		s.width = int64(ticks / sliceCount * tick)
	}
}

// Tally returns the counter that takes successes without the lock.
func (s *Slices) Tally() *Tally { return &s.tally }

// Success records a success at now.
func (s *Slices) Success(now int64) { s.at(now).successes++ }

// Failure records a failure at now.
func (s *Slices) Failure(now int64) { s.at(now).failures++ }

// Counts returns the sum of the slices that are alive at now. It starts no
// slice, unlike Polly's own reading, which only ever reads right after it
// recorded.
func (s *Slices) Counts(now int64) Counts {
	var successes, failures uint64
	for i := range s.n {
		c := s.slot(i)
		if now-c.start >= s.sampling {
			continue
		}
		successes += c.successes
		failures += c.failures
		if i == s.n-1 {
			successes += s.tally.sum()
		}
	}
	return Counts{Total: successes + failures, Failures: failures}
}

// Seal makes the Tally refuse until the next recording under the lock.
func (s *Slices) Seal() {
	if s.n > 0 {
		s.slot(s.n - 1).successes += s.tally.turn(0)
	}
}

// Reset forgets everything. A short window starts at now.
func (s *Slices) Reset(now int64) {
	s.tally.turn(0)
	s.head, s.n, s.anchor = 0, 0, now
}

// at returns the slice for an event at now, after it started one if needed and
// dropped those that are too old.
func (s *Slices) at(now int64) *slice {
	if s.ring == nil {
		s.ring = make([]slice, sliceRing)
	}
	if s.n == 0 && s.width == s.sampling {
		s.start(s.anchor)
	}
	if s.n == 0 || now-s.slot(s.n-1).start >= s.width {
		s.start(now)
	} else if s.tally.until == 0 {
		s.open() // sealed before: for the rest of the slice
	}
	for now-s.slot(0).start >= s.sampling {
		s.head = (s.head + 1) % sliceRing
		s.n--
	}
	return s.slot(s.n - 1)
}

func (s *Slices) start(now int64) {
	s.Seal()
	s.n++
	*s.slot(s.n - 1) = slice{start: now}
	s.open()
}

// open lets the Tally count into the newest slice until its end.
func (s *Slices) open() {
	newest := s.slot(s.n - 1)
	newest.successes += s.tally.turn(newest.start + s.width)
}

func (s *Slices) slot(i int) *slice { return &s.ring[(s.head+i)%sliceRing] }
