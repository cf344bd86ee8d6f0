package main

import (
	"testing"
	"time"
)

func TestShares(t *testing.T) {
	values := []int{5, 1, 4, 2, 3}
	for part, want := range map[float64]int{0: 1, 0.5: 3, 0.99: 5, 1: 5} {
		if got := share(values, part); got != want {
			t.Errorf("share %v: got %d want %d", part, got, want)
		}
	}
	if got := middle([]float64(nil)); got != 0 {
		t.Errorf("of nothing: got %v", got)
	}
}

// TestRatiosAreThoseOfOneRound: what changes from round to round for everybody
// is no difference.
func TestRatiosAreThoseOfOneRound(t *testing.T) {
	slow, fast := sample{rate: 10}, sample{rate: 1000}
	twice := func(s sample) sample { return sample{rate: 2 * s.rate} }
	got := middle(ratios([]sample{twice(slow), twice(fast), twice(slow)}, []sample{slow, fast, slow}, rateOf))
	if got != 2 {
		t.Errorf("got %v want 2", got)
	}
}

// TestAReloadIsJudgedByWhatItTouches: requests that were on their way when it
// began count, those before and the start of the load do not.
func TestAReloadIsJudgedByWhatItTouches(t *testing.T) {
	const second = time.Second
	got := judge([]reply{
		{at: 0, took: 9 * second / 10}, // while connections were opened
		{at: second, took: 10 * time.Millisecond},
		{at: 2*second - time.Millisecond, took: 70 * time.Millisecond}, // on its way
		{at: 2*second + time.Millisecond, took: 20 * time.Millisecond},
		{at: 4 * second, took: 500 * time.Millisecond}, // long after
	}, 3, 2*second, 2*second+100*time.Millisecond, 2*second)
	if got.before != 10*time.Millisecond || got.during != 70*time.Millisecond || got.slowest != 70*time.Millisecond || got.failed != 3 {
		t.Errorf("got %+v", got)
	}
	if got.took != 100*time.Millisecond {
		t.Errorf("it took %v", got.took)
	}
}
