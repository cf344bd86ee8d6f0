package breaker_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
)

func TestSetProbeLeaseHoldsFromTheNextProbeOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := breaker.New(breaker.Consecutive{MinimumThroughput: 1, BreakDuration: time.Second}, breaker.ProbeLease(time.Hour))
		fail := func() {
			permit, err := b.Acquire()
			if err != nil {
				t.Fatal(err)
			}
			permit.Failure()
		}
		fail()
		b.SetProbeLease(10 * time.Second)
		time.Sleep(time.Second)
		if _, err := b.Acquire(); err != nil { // the probe; it never reports
			t.Fatal(err)
		}
		time.Sleep(10*time.Second - time.Nanosecond)
		if _, err := b.Acquire(); err == nil {
			t.Error("got a second probe within the lease")
		}
		time.Sleep(time.Nanosecond)
		fail()
	})
}

func TestOnlyExpressionsWantLatencies(t *testing.T) {
	for want, config := range map[bool]breaker.Config{true: breaker.Expression{}, false: breaker.Ratio{}} {
		if got := breaker.New(config).WantsLatency(); got != want {
			t.Errorf("%T: got %t, want %t", config, got, want)
		}
	}
}
