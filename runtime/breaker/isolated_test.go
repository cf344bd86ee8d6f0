package breaker

import (
	"errors"
	"testing"
	"time"
)

func TestIsolatedUntilForceClose(t *testing.T) {
	eachKind(t, func(t *testing.T, b *Breaker) {
		b.Isolate()
		b.Isolate()
		time.Sleep(1000 * time.Hour)
		_, err := b.Acquire()
		if err != ErrIsolated || !errors.Is(err, ErrOpen) {
			t.Errorf("got %v, want %v, which is ErrOpen", err, ErrIsolated)
		}
		wantState(t, b, Isolated)
		b.ForceClose()
		wantState(t, b, Closed)
		wantCounts(t, b, 0, 0)
		if n := give(t, b, Success); n != 1 {
			t.Error("rejected after ForceClose")
		}
	})
}

// TestIsolatedKeepsTheWindow as Polly does: isolation resets nothing, only
// closing does (`polly-ratio-16`).
func TestIsolatedKeepsTheWindow(t *testing.T) {
	b := New(Polly{})
	give(t, b, Failure, Success)
	b.Isolate()
	wantCounts(t, b, 2, 1)
}

func TestIsolatedDropsResults(t *testing.T) {
	eachKind(t, func(t *testing.T, b *Breaker) {
		p := probe(t, b)
		b.Isolate()
		p.Success()
		wantState(t, b, Isolated)
	})
}

func TestForceCloseDropsResults(t *testing.T) {
	for name, config := range kinds() {
		t.Run(name, func(t *testing.T) {
			b := New(config)
			p, _ := b.Acquire()
			q, _ := b.Acquire()
			b.ForceClose()
			p.Failure()
			q.Success()
			wantCounts(t, b, 0, 0)
		})
	}
}

func TestReset(t *testing.T) {
	t.Run("closed", func(t *testing.T) {
		b := New(Ratio{})
		p, _ := b.Acquire()
		give(t, b, Failure, Success)
		b.Reset()
		p.Failure()
		wantState(t, b, Closed)
		wantCounts(t, b, 0, 0)
	})
	t.Run("open", func(t *testing.T) {
		eachKind(t, func(t *testing.T, b *Breaker) {
			time.Sleep(400 * time.Millisecond)
			b.Reset()
			wantCounts(t, b, 0, 0)
			time.Sleep(600*time.Millisecond - 1)
			wantState(t, b, Open)
			time.Sleep(time.Nanosecond)
			if n := give(t, b, Success); n != 1 {
				t.Error("the break was not over at its old end")
			}
		})
	})
	t.Run("half-open", func(t *testing.T) {
		eachKind(t, func(t *testing.T, b *Breaker) {
			p := probe(t, b)
			b.Reset()
			p.Success()
			wantState(t, b, HalfOpen)
			if n := give(t, b, Success); n != 1 {
				t.Error("the place of the probe was not free")
			}
		})
	})
	t.Run("isolated", func(t *testing.T) {
		b := New(Consecutive{})
		b.Isolate()
		b.Reset()
		wantState(t, b, Isolated)
		if n := give(t, b, Success); n != 0 {
			t.Error("admitted while isolated")
		}
	})
}
