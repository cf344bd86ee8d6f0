package breaker

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestTransitions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var got []string
		b := New(Polly{MinimumThroughput: 2, FailureRatio: 1, BreakDuration: time.Second},
			OnTransition(func(tr Transition) {
				line := fmt.Sprintf("%v %v→%v %d/%d", tr.At.Sub(start), tr.From, tr.To, tr.Counts.Failures, tr.Counts.Total)
				if !tr.Until.IsZero() {
					line += fmt.Sprintf(" until %v", tr.Until.Sub(start))
				}
				if tr.Manual {
					line += " manual"
				}
				got = append(got, line)
			}))
		give(t, b, Failure, Failure)
		time.Sleep(time.Second)
		give(t, b, Failure)
		time.Sleep(time.Second)
		give(t, b, Ignored, Success)
		b.ForceClose() // it is closed: nothing to tell
		b.Isolate()
		b.Isolate()
		b.Reset()
		b.ForceClose()
		want := []string{
			"0s closed→open 2/2 until 1s",
			"1s open→half-open 2/2",
			"1s half-open→open 2/2 until 2s", // Polly's window stays
			"2s open→half-open 2/2",
			"2s half-open→closed 0/0",
			"2s closed→isolated 0/0 manual",
			"2s isolated→closed 0/0 manual",
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// TestTransitionReentry calls every method from the callback. gobreaker hangs
// in the first of them.
func TestTransitionReentry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b *Breaker
		var got []State
		b = New(Consecutive{MinimumThroughput: 1, BreakDuration: time.Second}, OnTransition(func(tr Transition) {
			got = append(got, tr.To)
			b.State()
			b.Snapshot()
			if p, err := b.Acquire(); err == nil {
				p.Ignore()
			}
			_ = b.Do(func() error { return nil })
			switch tr.To {
			case Open:
				b.Isolate()
			case Isolated:
				b.ForceClose()
			}
		}))
		give(t, b, Failure)
		want := []State{Open, Isolated, Closed}
		if !slices.Equal(got, want) {
			t.Errorf("told of %v, want %v", got, want)
		}
		wantState(t, b, Closed)
	})
}

// TestTransitionPanic: the panic goes on to the caller, the state stands, and
// the next transition is told.
func TestTransitionPanic(t *testing.T) {
	told := 0
	b := New(Consecutive{MinimumThroughput: 1}, OnTransition(func(Transition) {
		if told++; told == 1 {
			panic("observer broke")
		}
	}))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of the callback was lost")
			}
		}()
		p, _ := b.Acquire()
		p.Failure()
	}()
	wantState(t, b, Open)
	b.ForceClose()
	if told != 2 {
		t.Errorf("told %d times, want 2", told)
	}
}

// TestTransitionOrder has one callback wait while others cause transitions. They
// do not wait for it, and it tells theirs afterwards, in order; of too many the
// oldest are lost.
func TestTransitionOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan bool)
		var got []uint64
		b := New(Consecutive{}, OnTransition(func(tr Transition) {
			got = append(got, tr.Generation)
			<-hold
		}))
		go b.Isolate()
		synctest.Wait()
		for range maxPending {
			b.ForceClose()
			b.Isolate()
		}
		close(hold)
		synctest.Wait()
		if len(got) != 1+maxPending {
			t.Fatalf("told %d transitions, want %d", len(got), 1+maxPending)
		}
		if !slices.IsSorted(got) || got[maxPending] != b.Snapshot().Generation {
			t.Errorf("told generations %v, want them in order up to the present one", got)
		}
	})
}
