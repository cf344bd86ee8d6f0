package breaker

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/window"
)

// turnstile is a kind that recovers without a probe: every failure opens, and
// in its recovery of ten seconds every other call passes.
type turnstile struct {
	ends  int64
	calls int
	seen  window.Counts
}

func (k *turnstile) build() *Breaker {
	return new(Breaker).of(k, time.Second, traits{timed: true})
}

func (k *turnstile) record(_ int64, o Outcome) bool {
	k.seen.Total++
	return o.Result == Failure
}
func (k *turnstile) quiet() bool                { return false }
func (k *turnstile) counts(int64) window.Counts { return k.seen }
func (k *turnstile) seal()                      {}
func (k *turnstile) reset(int64)                { k.seen = window.Counts{} }
func (k *turnstile) begin(now int64)            { k.ends, k.calls = now+int64(10*time.Second), 0 }
func (k *turnstile) over(now int64) bool        { return now > k.ends }
func (k *turnstile) pass(int64) bool            { k.calls++; return k.calls%2 == 0 }

func TestRecovering(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(new(turnstile))
		give(t, b, Success, Failure)
		wantState(t, b, Open)

		time.Sleep(time.Second)
		wantState(t, b, Open)
		if n := give(t, b, Success, Success, Success, Success); n != 2 {
			t.Errorf("%d of 4 calls passed, want 2", n)
		}
		wantState(t, b, Recovering)

		time.Sleep(10 * time.Second)
		give(t, b, Success)
		wantState(t, b, Recovering)
		time.Sleep(time.Nanosecond)
		slow, _ := b.Acquire()
		wantState(t, b, Closed)
		wantCounts(t, b, 4, 0) // what was seen is kept

		b.Isolate()
		slow.Failure()
		wantState(t, b, Isolated)
	})
}

func TestRecoveringFailureReopens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(new(turnstile))
		give(t, b, Failure)
		time.Sleep(time.Second)
		give(t, b, Success)
		early, err := b.Acquire()
		if err != nil {
			t.Fatal(err)
		}
		give(t, b, Success, Failure)
		wantState(t, b, Open)
		before := b.Snapshot()
		early.Failure()
		if got := b.Snapshot(); got != before {
			t.Errorf("after a late result: got %+v, want %+v", got, before)
		}
	})
}
