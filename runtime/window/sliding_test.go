package window

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// logged is one outcome of the plain log that a Sliding must come close to.
type logged struct {
	at     int64
	failed bool
}

type plainLog []logged

// within counts the outcomes that are at most age old.
func (l plainLog) within(now, age int64) (c Counts) {
	for _, e := range l {
		if now-e.at > age {
			continue
		}
		c.Total++
		if e.failed {
			c.Failures++
		}
	}
	return c
}

// succeed records a success as a breaker does: with the tally if it takes it.
func succeed(tally *Tally, record func(int64), now int64) {
	if !tally.Add(tally.Mark(), now) {
		record(now)
	}
}

func TestSlidingKeepsTheEdge(t *testing.T) {
	w := NewSliding(10 * time.Second)
	w.Failure(0)
	w.Success(5)
	edge := int64(10 * time.Second)
	for _, c := range []struct {
		now  int64
		want Counts
	}{
		{edge, Counts{Total: 2, Failures: 1}}, // exactly as old as the sampling duration
		{edge + 1, Counts{Total: 1}},
		{edge + 5, Counts{Total: 1}},
		{edge + 6, Counts{}},
	} {
		if got := w.Counts(c.now); got != c.want {
			t.Errorf("at %d: got %+v, want %+v", c.now, got, c.want)
		}
	}
}

func TestSlidingReadingChangesNothing(t *testing.T) {
	w := NewSliding(time.Second)
	w.Failure(0)
	if got := w.Counts(int64(time.Hour)); got != (Counts{}) {
		t.Errorf("an hour later: got %+v, want none", got)
	}
	if got, want := w.Counts(0), (Counts{Total: 1, Failures: 1}); got != want {
		t.Errorf("read at 0 again: got %+v, want %+v", got, want)
	}
}

func TestSlidingReset(t *testing.T) {
	w := NewSliding(time.Second)
	for range 1000 {
		succeed(w.Tally(), w.Success, 7)
	}
	stale := w.Tally().Mark()
	w.Reset(8)
	if got := w.Counts(8); got != (Counts{}) {
		t.Errorf("got %+v, want none", got)
	}
	for range 1000 {
		succeed(w.Tally(), w.Success, 9)
	}
	if w.Tally().Add(stale, 9) {
		t.Error("a success that was begun before the reset was counted")
	}
	if got, want := w.Counts(9), (Counts{Total: 1000}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestSlidingModel compares with a plain log. While that holds at most 128
// outcomes, and held no more since the oldest of them, the counts are equal;
// else every age is off by less than a 128th of the sampling duration.
func TestSlidingModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sampling := rapid.SampledFrom([]int64{1, 100, 128, 1000, 12_800, 500_000_000, 9_999_999_999}).Draw(t, "sampling")
		steps := rapid.SliceOfN(rapid.Uint32(), 500, 1000).Draw(t, "steps")
		w := NewSliding(time.Duration(sampling))
		var log plainLog
		var now, merged int64 = 0, -1
		for i, drawn := range steps {
			step := spread(drawn, i)
			now += stride(step, sampling)
			failed := step%3 == 0
			if failed {
				w.Failure(now)
			} else {
				succeed(w.Tally(), w.Success, now)
			}
			log = append(log, logged{now, failed})
			exactly := log.within(now, sampling)
			if exactly.Total > exact {
				merged = now // what is in the window by now may have merged
			}
			slack := int64(0)
			if merged >= 0 && now-merged <= sampling {
				slack = max(sampling/exact, 1) - 1
			}
			least := log.within(now, sampling-slack)
			got := w.Counts(now)
			if got.Failures < least.Failures || got.Failures > exactly.Failures ||
				got.Total < least.Total || got.Total > exactly.Total {
				t.Fatalf("at %d: got %+v, want from %+v to %+v", now, got, least, exactly)
			}
		}
	})
}

// spread makes all values of a step equally likely: rapid prefers small ones.
func spread(drawn uint32, i int) uint32 {
	x := (uint64(drawn)<<32 | uint64(i) + 1) * 0x9E3779B97F4A7C15
	x = (x ^ x>>29) * 0xBF58476D1CE4E5B9
	return uint32(x >> 32)
}

// stride turns a random number into a step of time: often none, often short,
// seldom around the sampling duration.
func stride(random uint32, sampling int64) int64 {
	r := int64(random >> 8)
	switch n := random >> 2 % 64; {
	case n < 24:
		return 0
	case n < 56:
		return r % (sampling/300 + 2)
	case n < 62:
		return r % (sampling/20 + 2)
	case n < 63:
		return r % (sampling + 2)
	}
	return max(0, sampling+r%5-2)
}

// TestSlidingIsExactUpTo128 has two outcomes in one cell, the second of which
// is the 128th in the window. They must leave one after the other.
func TestSlidingIsExactUpTo128(t *testing.T) {
	const sampling, cell = 12_800, 100
	w := NewSliding(sampling)
	for range exact - 2 {
		succeed(w.Tally(), w.Success, 0)
	}
	const first, second = 5*cell + 10, 6*cell - 1
	succeed(w.Tally(), w.Success, first)
	succeed(w.Tally(), w.Success, second)
	for _, c := range []struct {
		now  int64
		want uint64
	}{
		{sampling, exact}, {sampling + 1, 2},
		{first + sampling, 2}, {first + sampling + 1, 1},
		{second + sampling, 1}, {second + sampling + 1, 0},
	} {
		if got := w.Counts(c.now).Total; got != c.want {
			t.Errorf("at %d: got total %d, want %d", c.now, got, c.want)
		}
	}
}

// TestSlidingIsExactAgain has a crowd leave the window within a cell. The next
// outcome in that cell must not share a bucket with those that came while the
// crowd was there.
func TestSlidingIsExactAgain(t *testing.T) {
	const sampling = 12_850 // its end is within a cell
	w := NewSliding(sampling)
	for range 2 * exact {
		succeed(w.Tally(), w.Success, 0)
	}
	succeed(w.Tally(), w.Success, sampling)
	succeed(w.Tally(), w.Success, sampling)
	succeed(w.Tally(), w.Success, sampling+1)
	if got, want := w.Counts(2*sampling).Total, uint64(3); got != want {
		t.Errorf("got total %d, want %d", got, want)
	}
	if got, want := w.Counts(2*sampling+1).Total, uint64(1); got != want {
		t.Errorf("when the first two are too old: got total %d, want %d", got, want)
	}
}

// TestSlidingMergesWithinACell fills the ring: 128 outcomes of their own, four
// a cell, and then one in every cell. Merged or not, an age is off by less than
// a cell.
func TestSlidingMergesWithinACell(t *testing.T) {
	const sampling, cell = 12_800, 100
	w := NewSliding(sampling)
	var log plainLog
	for i := range int64(exact + 94) {
		at := i * 25
		if i >= exact {
			at = (i - exact + 32) * cell
		}
		w.Failure(at)
		log = append(log, logged{at, true})
	}
	if w.n == len(log) {
		t.Fatal("nothing was merged")
	}
	for now := log[len(log)-1].at; now <= 2*sampling; now++ {
		got := w.Counts(now)
		least, most := log.within(now, sampling-cell+1), log.within(now, sampling)
		if got.Total < least.Total || got.Total > most.Total {
			t.Fatalf("at %d: got %+v, want from %+v to %+v", now, got, least, most)
		}
	}
}

func TestSlidingStaysSmall(t *testing.T) {
	const sampling = 1_000_000
	w := NewSliding(sampling)
	if w.ring != nil {
		t.Error("an unused window holds memory")
	}
	for now := int64(0); now < 10*sampling; now += 101 {
		w.Failure(now)
		if w.n > bucketRing {
			t.Fatalf("at %d: %d buckets", now, w.n)
		}
	}
	if allocs := testing.AllocsPerRun(1000, func() { w.Failure(10 * sampling) }); allocs != 0 {
		t.Errorf("got %v allocations for a failure, want 0", allocs)
	}
}

// TestSlidingSaturates checks that a full bucket does not wrap.
func TestSlidingSaturates(t *testing.T) {
	w := NewSliding(time.Second)
	w.Success(0)
	w.add(w.slot(0), sums{successes: 1 << 33})
	if got, want := w.Counts(0), (Counts{Total: 1<<32 - 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	w.push(1)
	w.add(w.slot(1), sums{successes: 1 << 33})
	w.merge()
	if got, want := w.Counts(1), (Counts{Total: 2 * (1<<32 - 1)}); got != want {
		t.Errorf("after merging: got %+v, want %+v", got, want)
	}
	w.Failure(int64(time.Minute))
	if got, want := w.Counts(int64(time.Minute)), (Counts{Total: 1, Failures: 1}); got != want {
		t.Errorf("when it is gone: got %+v, want %+v", got, want)
	}
}
