package breaker

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestPermitTakesOneResult(t *testing.T) {
	b := New(Ratio{})
	for name, report := range map[string]func(*Permit){
		"success": (*Permit).Success,
		"failure": (*Permit).Failure,
		"ignore":  (*Permit).Ignore,
	} {
		t.Run(name, func(t *testing.T) {
			p, err := b.Acquire()
			if err != nil {
				t.Fatal(err)
			}
			report(&p)
			before := b.Snapshot().Counts
			p.Success()
			p.Failure()
			p.Ignore()
			p.Report(Outcome{Result: Failure})
			if got := b.Snapshot().Counts; got != before {
				t.Errorf("after more results: got %+v, want %+v", got, before)
			}
		})
	}
	wantCounts(t, b, 2, 1)
}

func TestPermitZeroValue(t *testing.T) {
	var p Permit
	p.Success()
	p.Failure()
	p.Ignore()
	p.Report(Outcome{Result: Success})
}

func TestPermitGeneration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(Consecutive{MinimumThroughput: 1, BreakDuration: time.Second})
		p, _ := b.Acquire()
		if got, want := p.Generation(), b.Snapshot().Generation; got != want {
			t.Errorf("got generation %d, want the breaker's %d", got, want)
		}
		give(t, b, Failure)
		if got := b.Snapshot().Generation; got == p.Generation() {
			t.Errorf("open: the breaker is still in generation %d", got)
		}
	})
}

// TestQuietSuccess checks that the short cut for successes of Consecutive ends
// with the first failure and comes back with the next success.
func TestQuietSuccess(t *testing.T) {
	b := New(Consecutive{MinimumThroughput: 2})
	quiet := func(want bool) {
		t.Helper()
		if got := stamp(b.stamp.Load()).idle(); got != want {
			t.Errorf("got quiet %t, want %t", got, want)
		}
	}
	quiet(true)
	admittedBefore, _ := b.Acquire()
	give(t, b, Failure)
	quiet(false)
	admittedBefore.Success()
	quiet(true)
	wantCounts(t, b, 0, 0)
	give(t, b, Failure, Failure)
	quiet(false)
	b.ForceClose()
	quiet(true)
}

func TestStateAndResultNames(t *testing.T) {
	for s, want := range map[State]string{
		Closed: "closed", Open: "open", HalfOpen: "half-open", Isolated: "isolated",
		Recovering: "recovering", 99: "unknown",
	} {
		if got := s.String(); got != want {
			t.Errorf("state %d: got %q, want %q", s, got, want)
		}
	}
	for r, want := range map[Result]string{
		Ignored: "ignored", Success: "success", Failure: "failure", 99: "unknown",
	} {
		if got := r.String(); got != want {
			t.Errorf("result %d: got %q, want %q", r, got, want)
		}
	}
}
