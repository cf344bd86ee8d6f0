package window

import "sync/atomic"

// shift spreads goroutines over the lanes of a Tally. Two that meet on one lane
// would meet there for ever, so a collision picks another spreading. The number
// of new ones per entry is bounded: with more processors than lanes collisions
// do not end, and everybody reads the shift.
type shift struct {
	n     atomic.Uint64 // which spreading
	bound atomic.Uint64 // of n in this entry
}

const (
	shiftsPerEntry = 8
	golden         = 0x9E3779B97F4A7C15 // 2^64 by the golden ratio
	shiftStep      = 0xD1342543DE82EF94 // even, so that the multiplier stays odd
)

// hash spreads x over 64 bits, of which the highest are the best.
func (s *shift) hash(x uint64) uint64 { return x * (golden + s.n.Load()*shiftStep) }

// collided picks another spreading, if the entry has one left.
func (s *shift) collided() {
	if n := s.n.Load(); n < s.bound.Load() {
		s.n.CompareAndSwap(n, n+1)
	}
}

// allow starts an entry. The owner's lock is held.
func (s *shift) allow() { s.bound.Store(s.n.Load() + shiftsPerEntry) }
