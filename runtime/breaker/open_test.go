package breaker

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// kinds returns every kind with a probe, set up to open by two failures for one
// second.
func kinds() map[string]Config {
	return map[string]Config{
		"consecutive": Consecutive{MinimumThroughput: 2, BreakDuration: time.Second},
		"ratio":       Ratio{MinimumThroughput: 2, FailureRatio: 1, BreakDuration: time.Second},
		"polly":       Polly{MinimumThroughput: 2, FailureRatio: 1, BreakDuration: time.Second},
	}
}

// eachKind runs a test in a bubble for an open breaker of each kind.
func eachKind(t *testing.T, test func(t *testing.T, b *Breaker), opts ...Option) {
	t.Helper()
	for name, config := range kinds() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := New(config, opts...)
				give(t, b, Failure, Failure)
				wantState(t, b, Open)
				test(t, b)
			})
		})
	}
}

func TestOpenRejectsUntilTheBreakIsOver(t *testing.T) {
	eachKind(t, func(t *testing.T, b *Breaker) {
		for _, wait := range []time.Duration{0, 400 * time.Millisecond, 600*time.Millisecond - 1} {
			time.Sleep(wait)
			if n := give(t, b, Success); n != 0 {
				t.Errorf("%v before the end: admitted", time.Until(b.Snapshot().Until))
			}
		}
		time.Sleep(time.Nanosecond)
		if n := give(t, b, Success); n != 1 {
			t.Error("at the very end: rejected, want a probe admitted")
		}
		wantState(t, b, Closed)
	})
}

func TestOpenError(t *testing.T) {
	eachKind(t, func(t *testing.T, b *Breaker) {
		time.Sleep(250 * time.Millisecond)
		_, err := b.Acquire()
		open, ok := errors.AsType[*OpenError](err)
		if !ok || !errors.Is(err, ErrOpen) || errors.Is(err, ErrIsolated) {
			t.Fatalf("got %v, want an *OpenError that is ErrOpen", err)
		}
		if got, want := open.RetryAfter(), 750*time.Millisecond; got != want {
			t.Errorf("got retry after %v, want %v", got, want)
		}
		time.Sleep(time.Minute)
		if got := open.RetryAfter(); got != 0 {
			t.Errorf("a minute later: got retry after %v, want 0", got)
		}
	})
}

// TestOpenDropsLateResults is where Ocelot closes an open circuit
// (`ocelot-count-04`) and Polly goes on counting (`polly-ratio-12`).
func TestOpenDropsLateResults(t *testing.T) {
	for name, config := range kinds() {
		t.Run(name, func(t *testing.T) {
			b := New(config)
			slow, _ := b.Acquire()
			slower, _ := b.Acquire()
			give(t, b, Failure, Failure)
			before := b.Snapshot()
			slow.Success()
			slower.Failure()
			if got := b.Snapshot(); got != before {
				t.Errorf("got %+v, want %+v as before", got, before)
			}
		})
	}
}

// TestOpenStateByReading: Ocelot's breaker says half-open when asked after the
// break (and becomes so), Polly's stays open until a call comes. Nothing
// changes by asking here.
func TestOpenStateByReading(t *testing.T) {
	want := map[string]State{"consecutive": HalfOpen, "ratio": HalfOpen, "polly": Open}
	for name, config := range kinds() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := New(config)
				give(t, b, Failure, Failure)
				before := b.Snapshot().Generation
				time.Sleep(time.Second)
				for range 3 {
					wantState(t, b, want[name])
				}
				if got := b.Snapshot(); got.Generation != before || got.ProbeInFlight {
					t.Errorf("got %+v, want generation %d and no probe", got, before)
				}
			})
		})
	}
}

// TestOpenForEver checks that a break too long for the clock does not wrap.
func TestOpenForEver(t *testing.T) {
	b := New(Consecutive{MinimumThroughput: 1, BreakDuration: 1<<63 - 1})
	give(t, b, Failure)
	if n := give(t, b, Success); n != 0 {
		t.Error("admitted, want rejected for ever")
	}
}

// TestOpenLooksAgain: between the look at the gate and the lock a probe may have
// come and failed, so the gate is looked at again.
func TestOpenLooksAgain(t *testing.T) {
	eachKind(t, func(t *testing.T, b *Breaker) {
		b.mu.Lock()
		_, err := b.behaviour().admit(b, b.now())
		b.unlock()
		if !errors.Is(err, ErrOpen) {
			t.Errorf("got %v, want %v", err, ErrOpen)
		}
	})
}

// TestOpenSealsTheTally: a success that found the circuit closed, and is about
// to be counted without the lock, is not counted any more.
func TestOpenSealsTheTally(t *testing.T) {
	for name, config := range map[string]Config{"ratio": Ratio{FailureRatio: 0.01}, "polly": Polly{FailureRatio: 0.01}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := New(config)
				for range 200 {
					give(t, b, Success)
				}
				if !b.tally.Add(b.tally.Mark(), b.now()) {
					t.Fatal("a success took the lock, want it counted without")
				}
				mark := b.tally.Mark()
				give(t, b, Failure, Failure, Failure)
				wantState(t, b, Open)
				if b.tally.Add(mark, b.now()) {
					t.Error("a success was counted after the trip")
				}
			})
		})
	}
}
