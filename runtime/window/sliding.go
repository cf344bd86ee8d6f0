package window

import (
	"math"
	"time"
)

// Sliding is a log of outcomes that are not older than the sampling duration;
// an entry of exactly that age still counts, as in Ocelot's breaker
// (`ocelot-ratio-04`).
//
// It is exact while it holds at most 128 outcomes. Ocelot's log keeps every
// outcome, 24 bytes each; here, beyond 128, outcomes in the same 1/128 of the
// sampling duration may share a bucket, so that an age is off by less than
// that and the memory stays below 3 KiB.
//
// The lock of the owner guards it, but for the Tally.
type Sliding struct {
	tally    Tally
	sampling int64
	cell     int64    // outcomes within the same cell may merge
	ring     []bucket // nil until first used
	head     int      // the oldest
	n        int
	cellEnd  int64 // of the newest bucket's cell
	counted  sums  // of all buckets, without the tally
}

// bucket holds outcomes as old as the first of them.
type bucket struct {
	first     int64
	successes uint32
	failures  uint32
}

type sums struct{ successes, failures uint64 }

const (
	exact = 128
	// bucketRing holds the 130 cells that a window touches and some room, so
	// that merging pays off; a whole number of cache lines.
	bucketRing = 168
)

// NewSliding returns an empty window over sampling. A duration below 1 ns
// counts as 1 ns.
func NewSliding(sampling time.Duration) *Sliding {
	s := new(Sliding)
	s.Init(sampling)
	return s
}

// Init makes a zero Sliding an empty window, as NewSliding does, for an owner
// that holds it by value.
func (s *Sliding) Init(sampling time.Duration) {
	s.sampling = max(int64(sampling), 1)
	s.cell = max(s.sampling/exact, 1)
}

// Tally returns the counter that takes successes without the lock.
func (s *Sliding) Tally() *Tally { return &s.tally }

// Success records a success at now.
func (s *Sliding) Success(now int64) { s.record(now, sums{successes: 1}) }

// Failure records a failure at now.
func (s *Sliding) Failure(now int64) { s.record(now, sums{failures: 1}) }

// Counts returns what is not older than the sampling duration at now.
func (s *Sliding) Counts(now int64) Counts {
	live := s.counted
	live.successes += s.tally.sum()
	for i := range s.n {
		b := s.slot(i)
		if now-b.first <= s.sampling {
			return Counts{Total: live.successes + live.failures, Failures: live.failures}
		}
		live.successes -= uint64(b.successes)
		live.failures -= uint64(b.failures)
	}
	return Counts{}
}

// Seal makes the Tally refuse until the next recording under the lock.
func (s *Sliding) Seal() { s.collect(0) }

// Reset forgets everything. It takes a time as every window does and has no
// use for it.
func (s *Sliding) Reset(int64) {
	s.tally.turn(0)
	s.head, s.n, s.counted = 0, 0, sums{}
}

func (s *Sliding) record(now int64, outcome sums) {
	s.purge(now)
	if !s.joins(now) {
		s.push(now)
	}
	s.add(s.slot(s.n-1), outcome)
	s.share()
}

// purge drops what is strictly older than the sampling duration.
func (s *Sliding) purge(now int64) {
	for s.n > 0 && now-s.slot(0).first > s.sampling {
		if s.n == 1 {
			s.collect(0)
		}
		old := s.slot(0)
		s.counted.successes -= uint64(old.successes)
		s.counted.failures -= uint64(old.failures)
		s.head = (s.head + 1) % bucketRing
		s.n--
	}
}

// joins reports whether an outcome at now may go into the newest bucket.
func (s *Sliding) joins(now int64) bool {
	return s.n > 0 && (s.slot(s.n-1).first == now || now < s.cellEnd && s.crowded())
}

// crowded reports whether ages need not be exact for one more outcome.
func (s *Sliding) crowded() bool {
	n := s.counted.successes + s.counted.failures
	return n >= exact || n+s.tally.sum() >= exact
}

// share opens the tally while further outcomes may join the newest bucket:
// until its cell ends or the oldest outcome leaves, since with fewer than 128
// the next one needs a bucket of its own.
func (s *Sliding) share() {
	until := int64(0)
	if s.crowded() {
		until = min(s.cellEnd, s.slot(0).first+s.sampling+1)
	}
	if until != s.tally.until {
		s.collect(until)
	}
}

// collect moves what the tally counted into the newest bucket and opens the
// tally up to until.
func (s *Sliding) collect(until int64) {
	if n := s.tally.turn(until); n > 0 {
		s.add(s.slot(s.n-1), sums{successes: n})
	}
}

// push starts a bucket at now.
func (s *Sliding) push(now int64) {
	if s.ring == nil {
		s.ring = make([]bucket, bucketRing)
	}
	s.collect(0)
	if s.n == bucketRing {
		s.merge()
	}
	if s.n == bucketRing {
		return // a sampling duration of a few nanoseconds has too many cells
	}
	s.n++
	*s.slot(s.n - 1) = bucket{first: now}
	s.cellEnd = (now/s.cell + 1) * s.cell
}

// merge joins buckets of the same cell. A full ring holds more than 128
// outcomes, so ages need not be exact.
func (s *Sliding) merge() {
	kept := 0
	for i := 1; i < s.n; i++ {
		into, from := s.slot(kept), s.slot(i)
		if into.first/s.cell == from.first/s.cell && into.fits(from) {
			into.successes += from.successes
			into.failures += from.failures
			continue
		}
		kept++
		*s.slot(kept) = *from
	}
	s.n = kept + 1
}

func (b *bucket) fits(other *bucket) bool {
	return b.successes <= math.MaxUint32-other.successes &&
		b.failures <= math.MaxUint32-other.failures
}

// add counts an outcome in a bucket and in the sums. A bucket holds 2^32-1 of
// each kind; what goes beyond is not counted.
func (s *Sliding) add(b *bucket, outcome sums) {
	outcome.successes = min(outcome.successes, uint64(math.MaxUint32-b.successes))
	outcome.failures = min(outcome.failures, uint64(math.MaxUint32-b.failures))
	b.successes += uint32(outcome.successes)
	b.failures += uint32(outcome.failures)
	s.counted.successes += outcome.successes
	s.counted.failures += outcome.failures
}

func (s *Sliding) slot(i int) *bucket { return &s.ring[(s.head+i)%bucketRing] }
