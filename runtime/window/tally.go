package window

import (
	"sync/atomic"
	"unsafe"
)

// Tally counts the successes that fall into the newest entry of a window, by
// any number of goroutines at once and without the owner's lock.
//
// A count stands in several lanes, each on a cache line of its own, so that
// goroutines on different processors rarely meet: one contended line costs
// more than the clock reading that every success needs anyway. The owner
// collects the lanes when the entry ends. Each lane's word carries the number
// of the entry beside the count, so an addition that was prepared for an
// earlier entry fails instead of landing in a later one.
//
// The zero value refuses every addition.
type Tally struct {
	lanes atomic.Pointer[lanes]
	shift shift
	entry uint64 // number of the current entry; guarded by the owner's lock
	until int64  // what the lanes were opened to; guarded by the owner's lock
}

// A lane's word holds the number of its entry above countBits bits of count.
// 2^40 successes are days at any rate; an entry's number comes round again
// after 2^24 entries, which is days too.
const (
	countBits = 40
	countMask = 1<<countBits - 1
)

// laneBits gives sixteen lanes: with as few as processors, two of two
// goroutines would share one half of the time.
const (
	laneBits  = 4
	cacheLine = 64
)

type lanes [1 << laneBits]lane

type lane struct {
	word  atomic.Uint64
	until atomic.Int64 // additions are taken before this time
	_     [cacheLine - 16]byte
}

// Mark is a point in the life of a Tally. Whoever must check something before
// a success may count takes the mark first, checks, and adds with the mark:
// the addition fails if the entry ended in between.
type Mark struct {
	lane *lane
	seen uint64
}

// Mark returns the present point.
func (t *Tally) Mark() Mark {
	l := t.lanes.Load()
	if l == nil {
		return Mark{}
	}
	lane := &l[t.shift.hash(goroutine())>>(64-laneBits)]
	return Mark{lane, lane.word.Load()}
}

// Add counts one success at now, with a mark of this Tally. It reports false, and counts nothing, if the
// entry which was current at the mark has ended or does not reach to now; the
// success must then be recorded under the owner's lock.
func (t *Tally) Add(m Mark, now int64) bool {
	if m.lane == nil || now >= m.lane.until.Load() {
		return false
	}
	for seen := m.seen; ; {
		if m.lane.word.CompareAndSwap(seen, seen+1) {
			return true
		}
		t.shift.collided()
		if seen = m.lane.word.Load(); seen>>countBits != m.seen>>countBits {
			return false
		}
	}
}

// sum returns what was counted since the last turn. The owner's lock is held.
func (t *Tally) sum() uint64 {
	l := t.lanes.Load()
	if l == nil {
		return 0
	}
	var n uint64
	for i := range l {
		n += l[i].word.Load() & countMask
	}
	return n
}

// turn ends the current entry and returns its count. The next entry takes
// additions before until; zero means none. The owner's lock is held.
func (t *Tally) turn(until int64) uint64 {
	l := t.lanes.Load()
	if l == nil {
		if until == 0 {
			return 0
		}
		l = new(lanes)
		t.lanes.Store(l)
	}
	t.entry++
	t.shift.allow()
	t.until = until
	var n uint64
	for i := range l {
		lane := &l[i]
		// Closed while the word changes: nobody may read the old word and the
		// new end, or an addition could land in an entry that is over.
		lane.until.Store(0)
		n += lane.word.Swap(t.entry<<countBits) & countMask
		lane.until.Store(until)
	}
	return n
}

// goroutine returns a number that tends to differ between goroutines that run
// at the same time and to stay for one goroutine: where its stack lies. It is
// a hint only, so a stack that moves does no harm.
func goroutine() uint64 {
	const stackBits = 11 // the smallest stack has 2 KiB
	var here byte
	return uint64(uintptr(unsafe.Pointer(&here)) >> stackBits)
}
