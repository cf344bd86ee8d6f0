package ratelimit_test

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/guard/ratelimit"
	"github.com/margay-dev/margay/runtime/plan"
	"pgregory.net/rapid"
)

func rule(limit int64, period, wait plan.Millis) *plan.RateLimit {
	return &plan.RateLimit{Limit: limit, Period: period, Wait: wait, StatusCode: 429, Message: "{0} per {1}, wait {2}"}
}

// step is a request at a time, in milliseconds, and what becomes of it.
type step struct {
	at      int
	outcome ratelimit.Outcome
	value   int64 // Remaining of an admitted one, else milliseconds to wait
}

func TestWindows(t *testing.T) {
	const admitted, exceeded = ratelimit.Admitted, ratelimit.Exceeded
	for name, tt := range map[string]struct {
		rule  *plan.RateLimit
		steps []step
	}{
		"one window after the other": {rule(2, 1000, 0), []step{{0, admitted, 1}, {100, admitted, 0}, {200, exceeded, 800},
			{999, exceeded, 1}, {1000, admitted, 1}, {1001, admitted, 0}, {1500, exceeded, 500}}},
		"the end of a window still counts": {rule(2, 1000, 0), []step{{0, admitted, 1}, {1000, admitted, 0}, {1001, admitted, 1}}},
		"rl-wait: a wait outlasts the window": {rule(1, 1000, 3000), []step{{0, admitted, 0}, {0, exceeded, 3000},
			{1500, exceeded, 1500}, {2999, exceeded, 1}, {3000, admitted, 0}, {3000, exceeded, 3000}}},
		"rl-wait-short: a wait ends before the window": {rule(1, 3000, 1000), []step{{0, admitted, 0}, {0, exceeded, 1000},
			{1500, admitted, 0}, {1500, exceeded, 1000}}},
		"a window without end": {rule(1, plan.MaxMillis, 0), []step{{1000, admitted, 0}, {2000, exceeded, (math.MaxInt64 - 2_000_000_000) / 1_000_000}}},
		"a wait without end":   {rule(1, 1000, plan.MaxMillis), []step{{1000, admitted, 0}, {1001, exceeded, (math.MaxInt64 - 1_001_000_000) / 1_000_000}}},
		"a limit of nothing":   {rule(0, 1000, 0), []step{{0, exceeded, 1000}, {1, exceeded, 999}, {2500, exceeded, 1000}}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := ratelimit.New(ratelimit.NewStore(0), tt.rule)
				start := time.Now()
				for i, s := range tt.steps {
					time.Sleep(time.Until(start.Add(time.Duration(s.at) * time.Millisecond)))
					d := l.Take("a")
					got := d.Remaining
					if d.Outcome == exceeded {
						got = d.RetryAfter.Milliseconds()
					}
					if d.Outcome != s.outcome || got != s.value {
						t.Fatalf("step %d: got %d %d, want %d %d", i, d.Outcome, got, s.outcome, s.value)
					}
				}
			})
		})
	}
}

func TestClients(t *testing.T) {
	r := rule(1, 30_000, 0)
	r.ExemptClients = []string{"w"}
	l := ratelimit.New(ratelimit.NewStore(0), r)
	for i, tt := range []struct {
		client string
		want   ratelimit.Outcome
	}{
		{"a", ratelimit.Admitted}, {"a", ratelimit.Exceeded}, {"b", ratelimit.Admitted}, {"", ratelimit.Unknown},
		{"w", ratelimit.Exempt}, {"w", ratelimit.Exempt}, {"W", ratelimit.Admitted}, {"W", ratelimit.Exceeded},
		{strings.Repeat("x", 5000), ratelimit.Admitted}, {strings.Repeat("x", 5000), ratelimit.Exceeded},
		{strings.Repeat("x", 5001), ratelimit.Admitted},
	} {
		if got := l.Take(tt.client).Outcome; got != tt.want {
			t.Errorf("%d, client %.10q: got %d, want %d", i, tt.client, got, tt.want)
		}
	}
	r.ExemptClients = append(r.ExemptClients, "")
	if got := ratelimit.New(ratelimit.NewStore(0), r).Take("").Outcome; got != ratelimit.Exempt {
		t.Errorf("an empty name in the list of exempt clients: got %d", got)
	}
}

func TestRulesShareCountersOnlyWhenAllIsEqual(t *testing.T) {
	store := ratelimit.NewStore(0)
	base := rule(1, 30_000, 0)
	ratelimit.New(store, base).Take("a")
	if got := ratelimit.New(store, rule(1, 30_000, 0)).Take("a").Outcome; got != ratelimit.Exceeded {
		t.Errorf("an equal rule after a reload: got %d", got)
	}
	for name, change := range map[string]func(*plan.RateLimit){
		"share":  func(r *plan.RateLimit) { r.Share = "other" },
		"prefix": func(r *plan.RateLimit) { r.KeyPrefix = "other" },
		"limit":  func(r *plan.RateLimit) { r.Limit = 2 },
		"period": func(r *plan.RateLimit) { r.Period = 31_000 },
		"wait":   func(r *plan.RateLimit) { r.Wait = 1 },
	} {
		r := rule(1, 30_000, 0)
		change(r)
		if got := ratelimit.New(store, r).Take("a").Outcome; got != ratelimit.Admitted {
			t.Errorf("another %s: got %d", name, got)
		}
	}
}

func TestServicesAreCountedApart(t *testing.T) {
	l := ratelimit.New(ratelimit.NewStore(0), rule(1, 30_000, 0))
	for i, tt := range []struct {
		service string
		want    ratelimit.Outcome
	}{{"a", ratelimit.Admitted}, {"b", ratelimit.Admitted}, {"a", ratelimit.Exceeded}} {
		if got := l.TakeFor(tt.service, "x").Outcome; got != tt.want {
			t.Errorf("%d, service %s: got %d, want %d", i, tt.service, got, tt.want)
		}
	}
	if got := l.Take("x").Outcome; got != ratelimit.Admitted {
		t.Errorf("the rule itself: got %d", got)
	}
}

func TestTexts(t *testing.T) {
	r := rule(1, 30_000, 0)
	r.PeriodText, r.Message = "30s", "no {0} {1} {2} {{0}} {x}"
	l := ratelimit.New(ratelimit.NewStore(0), r)
	if got := l.Message(ratelimit.Decision{RetryAfter: 29_001 * time.Millisecond}); got != "no 1 30s 30 {0} {x}" {
		t.Errorf("got %q", got)
	}
	const unknown = "Rate limiting client could not be identified for the route '/r/{x}' " +
		"due to a missing or unknown client ID header required by rule '1/30s/w0ms'!"
	if got := l.UnknownMessage("/r/{x}"); got != unknown {
		t.Errorf("got %q", got)
	}
	r.Wait, r.PeriodText = 90_000, ""
	if got := ratelimit.New(ratelimit.NewStore(0), r).UnknownMessage(""); !strings.Contains(got, "'1/30s/w90s'") {
		t.Errorf("got %q", got)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 678_900_000, time.FixedZone("", 3600))
	if got := ratelimit.ResetText(at); got != "2026-01-02T02:04:05.6789000Z" {
		t.Errorf("got %q", got)
	}
	for wait, want := range map[time.Duration]string{1: "1", time.Second: "1", 1001 * time.Millisecond: "2"} {
		if got := ratelimit.RetryAfter(ratelimit.Decision{Outcome: ratelimit.Exceeded, RetryAfter: wait}); got != want {
			t.Errorf("%v: got %q, want %q", wait, got, want)
		}
	}
	if got := ratelimit.RetryAfter(ratelimit.Decision{Outcome: ratelimit.Unknown}); got != "-1" {
		t.Errorf("got %q", got)
	}
}

func TestTheStoreIsBounded(t *testing.T) {
	store := ratelimit.NewStore(64)
	l := ratelimit.New(store, rule(1, 30_000, 0))
	for i := range 10_000 {
		l.Take(fmt.Sprint(i))
	}
	if n := store.Clients(); n > 64 {
		t.Errorf("got %d clients", n)
	}
}

// Of many requests at once exactly as many pass as the limit says.
func TestConcurrentRequests(t *testing.T) {
	const limit = 50
	l := ratelimit.New(ratelimit.NewStore(0), rule(limit, 3_600_000, 0))
	var admitted atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if l.Take("a").Outcome == ratelimit.Admitted {
					admitted.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if got := admitted.Load(); got != limit {
		t.Errorf("got %d, want %d", got, limit)
	}
}

// In no window that the limiter starts do more requests pass than the limit.
func TestNeverAdmitsMoreThanTheLimit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.Int64Range(1, 4).Draw(rt, "limit")
		period := rapid.IntRange(1, 50).Draw(rt, "period")
		wait := rapid.IntRange(0, 80).Draw(rt, "wait")
		gaps := rapid.SliceOfN(rapid.IntRange(0, 30), 1, 60).Draw(rt, "gaps")
		synctest.Test(t, func(*testing.T) {
			l := ratelimit.New(ratelimit.NewStore(0), rule(limit, plan.Millis(period), plan.Millis(wait)))
			var resets []time.Time // of the admitted requests: one value a window
			for _, gap := range gaps {
				time.Sleep(time.Duration(gap) * time.Millisecond)
				d := l.Take("a")
				if d.Outcome == ratelimit.Admitted {
					resets = append(resets, d.Reset)
				} else if d.RetryAfter <= 0 || d.RetryAfter > time.Duration(max(period, wait))*time.Millisecond {
					rt.Fatalf("asked to wait %v", d.RetryAfter)
				}
			}
			windows := map[time.Time]int64{}
			for _, r := range resets {
				if windows[r]++; windows[r] > limit {
					rt.Fatalf("%d requests in the window that ends at %v", windows[r], r)
				}
			}
		})
	})
}

func BenchmarkTake(b *testing.B) {
	for _, clients := range []int{10, 1000, 100_000} {
		b.Run(fmt.Sprint(clients), func(b *testing.B) {
			l := ratelimit.New(ratelimit.NewStore(0), rule(1<<40, 3_600_000, 0))
			names := make([]string, clients)
			for i := range names {
				names[i] = fmt.Sprint("client-", i)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				l.Take(names[i%clients])
			}
		})
	}
}
