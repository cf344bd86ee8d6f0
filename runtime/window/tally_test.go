package window

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// TestTallyLosesNothing adds from many goroutines while time passes through
// seven slices. Every success is counted once, by the tally or by the lock.
func TestTallyLosesNothing(t *testing.T) {
	const goroutines, each = 64, 2000
	w := NewSlices(10 * time.Second)
	var mu sync.Mutex
	var clock atomic.Int64
	var locked atomic.Uint64
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range each {
				mark := w.Tally().Mark()
				if w.Tally().Add(mark, clock.Add(int64(50*time.Microsecond))) {
					continue
				}
				locked.Add(1)
				mu.Lock()
				w.Success(clock.Load())
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if got, want := w.Counts(clock.Load()).Total, uint64(goroutines*each); got != want {
		t.Errorf("got %d successes, want %d", got, want)
	}
	if n := locked.Load(); n < 7 || n > goroutines*each/2 {
		t.Errorf("%d of %d successes took the lock, want one a slice and some", n, goroutines*each)
	}
}

// TestTallyRefusesAnEndedEntry checks every way in which the entry of a mark
// can end before the addition.
func TestTallyRefusesAnEndedEntry(t *testing.T) {
	ends := map[string]func(*Tally){
		"turned":              func(y *Tally) { y.turn(1000) },
		"sealed":              func(y *Tally) { y.turn(0) },
		"sealed and opened":   func(y *Tally) { y.turn(0); y.turn(1000) },
		"turned after others": func(y *Tally) { y.Add(y.Mark(), 1); y.turn(1000) },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			var y Tally
			y.turn(1000)
			mark := y.Mark()
			end(&y)
			if y.Add(mark, 2) {
				t.Error("the addition was taken")
			}
			if got := y.sum(); got != 0 {
				t.Errorf("got sum %d, want 0", got)
			}
		})
	}
}

func TestTallyEnds(t *testing.T) {
	var y Tally
	if y.Add(y.Mark(), 0) {
		t.Error("the zero tally took an addition")
	}
	y.turn(100)
	if !y.Add(y.Mark(), 99) {
		t.Error("at 99: not taken, want taken before 100")
	}
	if y.Add(y.Mark(), 100) {
		t.Error("at 100: taken, want refused from 100 on")
	}
	if got := y.turn(0); got != 1 {
		t.Errorf("got count %d, want 1", got)
	}
}

// TestSealedTallyOpensAgain: a seal is for what was begun before it.
func TestSealedTallyOpensAgain(t *testing.T) {
	sliding, slices := NewSliding(time.Second), NewSlices(time.Second)
	for name, w := range map[string]interface {
		Success(int64)
		Seal()
		Tally() *Tally
	}{"sliding": sliding, "slices": slices} {
		for range exact {
			w.Success(5)
		}
		if !w.Tally().Add(w.Tally().Mark(), 5) {
			t.Fatalf("%s: the tally did not open", name)
		}
		w.Seal()
		if w.Tally().Add(w.Tally().Mark(), 5) {
			t.Errorf("%s: the tally took a success while sealed", name)
		}
		w.Success(5)
		if !w.Tally().Add(w.Tally().Mark(), 5) {
			t.Errorf("%s: the tally did not open again", name)
		}
	}
}

// TestTallyCollisionMoves checks that contention picks another spreading, and
// a bounded number of times per entry.
func TestTallyCollisionMoves(t *testing.T) {
	var s shift
	s.allow()
	lanes := map[uint64]bool{}
	for range 100 {
		lanes[s.hash(12345)>>(64-laneBits)] = true
		s.collided()
	}
	if got := s.n.Load(); got != shiftsPerEntry {
		t.Errorf("got %d shifts in an entry, want %d", got, shiftsPerEntry)
	}
	if len(lanes) < 3 {
		t.Errorf("one goroutine met %d lanes in %d shifts, want several", len(lanes), shiftsPerEntry)
	}
	s.allow()
	s.collided()
	if got := s.n.Load(); got != shiftsPerEntry+1 {
		t.Errorf("got %d shifts after the next entry, want one more", got)
	}
}

func TestLaneFillsALine(t *testing.T) {
	if got := unsafe.Sizeof(lane{}); got != cacheLine {
		t.Errorf("got a lane of %d bytes, want %d", got, cacheLine)
	}
}
