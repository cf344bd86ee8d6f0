package breaker

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// probe waits for the end of the break and takes the probe's permit.
func probe(t *testing.T, b *Breaker) Permit {
	t.Helper()
	time.Sleep(time.Second)
	permit, err := b.Acquire()
	if err != nil {
		t.Fatalf("after the break: got %v, want a probe", err)
	}
	if s := b.Snapshot(); s.State != HalfOpen || !s.ProbeInFlight {
		t.Fatalf("got %+v, want half-open with a probe in flight", s)
	}
	return permit
}

func TestHalfOpenAdmitsOneProbe(t *testing.T) {
	eachKind(t, func(t *testing.T, b *Breaker) {
		probe(t, b)
		for range 3 {
			time.Sleep(time.Hour)
			if n := give(t, b, Success); n != 0 {
				t.Error("a second probe was admitted while the first is out")
			}
		}
	})
}

func TestHalfOpenSuccessCloses(t *testing.T) {
	eachKind(t, func(t *testing.T, b *Breaker) {
		p := probe(t, b)
		p.Success()
		wantState(t, b, Closed)
		wantCounts(t, b, 0, 0)
		if n := give(t, b, Failure, Failure, Failure); n != 2 {
			t.Errorf("%d of 3 failures admitted, want 2: then it opens again", n)
		}
	})
}

// TestHalfOpenFailureReopens: the new break runs from the probe's result, not
// from its admission (`ocelot-count-03`).
func TestHalfOpenFailureReopens(t *testing.T) {
	eachKind(t, func(t *testing.T, b *Breaker) {
		p := probe(t, b)
		time.Sleep(300 * time.Millisecond)
		p.Failure()
		if got := b.Snapshot(); got.State != Open || time.Until(got.Until) != time.Second {
			t.Errorf("got %+v, want open for a second from now", got)
		}
	})
}

// TestHalfOpenIgnoredFreesTheProbe is where Ocelot blocks the route for ever
// (`ocelot-count-06`) and Polly closes (`polly-ratio-08`).
func TestHalfOpenIgnoredFreesTheProbe(t *testing.T) {
	eachKind(t, func(t *testing.T, b *Breaker) {
		p := probe(t, b)
		again := p
		p.Ignore()
		if s := b.Snapshot(); s.State != HalfOpen || s.ProbeInFlight {
			t.Errorf("got %+v, want half-open without a probe", s)
		}
		again.Success() // a copy: the permit was used
		wantState(t, b, HalfOpen)
		if n := give(t, b, Success); n != 1 {
			t.Error("the next call was rejected, want it to probe")
		}
		wantState(t, b, Closed)
	})
}

func TestHalfOpenDropsResultsFromBefore(t *testing.T) {
	for name, config := range kinds() {
		for _, result := range []Result{Success, Failure, Ignored} {
			t.Run(name+" "+result.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					b := New(config)
					slow, _ := b.Acquire()
					give(t, b, Failure, Failure)
					p := probe(t, b)
					slow.Report(Outcome{Result: result})
					if s := b.Snapshot(); s.State != HalfOpen || !s.ProbeInFlight {
						t.Errorf("got %+v, want half-open with the probe still in flight", s)
					}
					p.Success()
					wantState(t, b, Closed)
				})
			})
		}
	}
}

func TestHalfOpenLease(t *testing.T) {
	eachKind(t, func(t *testing.T, b *Breaker) {
		first := probe(t, b)
		time.Sleep(200*time.Millisecond - 1)
		if n := give(t, b, Success); n != 0 {
			t.Error("just before the end of the lease: admitted")
		}
		time.Sleep(time.Nanosecond)
		if b.Snapshot().ProbeInFlight {
			t.Error("the lease is over: got a probe in flight")
		}
		second, err := b.Acquire()
		if err != nil {
			t.Fatalf("at the end of the lease: got %v, want a second probe", err)
		}
		first.Success()
		wantState(t, b, HalfOpen)
		second.Failure()
		wantState(t, b, Open)
	}, ProbeLease(200*time.Millisecond))
}

// TestHalfOpenResultAfterLease: even when nobody probed since, the result comes
// too late.
func TestHalfOpenResultAfterLease(t *testing.T) {
	for _, result := range []Result{Success, Failure, Ignored} {
		t.Run(result.String(), func(t *testing.T) {
			eachKind(t, func(t *testing.T, b *Breaker) {
				p := probe(t, b)
				time.Sleep(200 * time.Millisecond)
				p.Report(Outcome{Result: result})
				wantState(t, b, HalfOpen)
				if n := give(t, b, Success); n != 1 {
					t.Error("the next call was rejected, want it to probe")
				}
			}, ProbeLease(200*time.Millisecond))
		})
	}
}

// TestHalfOpenRetryAfter counts from the probe's admission, as Polly does, and
// never below zero (`polly-ratio-05`); a shorter lease counts instead.
func TestHalfOpenRetryAfter(t *testing.T) {
	test := func(want ...time.Duration) func(*testing.T, *Breaker) {
		return func(t *testing.T, b *Breaker) {
			probe(t, b)
			for _, want := range want {
				_, err := b.Acquire()
				open, ok := errors.AsType[*OpenError](err)
				if !ok || open.RetryAfter() != want {
					t.Errorf("got %v, want retry after %v", err, want)
				}
				time.Sleep(700 * time.Millisecond)
			}
		}
	}
	const ms = time.Millisecond
	t.Run("no lease", func(t *testing.T) { eachKind(t, test(1000*ms, 300*ms, 0, 0)) })
	t.Run("short", func(t *testing.T) { eachKind(t, test(900*ms, 200*ms), ProbeLease(900*ms)) })
	t.Run("long", func(t *testing.T) { eachKind(t, test(1000*ms, 300*ms, 0), ProbeLease(time.Hour)) })
}
