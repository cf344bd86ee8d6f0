package health_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/health"
)

const pause = 10 * time.Second

var (
	a = health.Key{Scheme: "http", Address: "a:80"}
	b = health.Key{Address: "b:80"}
)

func two() *health.Hosts {
	return health.New(health.Options{Breaker: breaker.Consecutive{MinimumThroughput: 2, BreakDuration: pause}})
}

// fail has calls to a host fail.
func fail(t *testing.T, h *health.Hosts, k health.Key, times int) {
	t.Helper()
	for range times {
		permit, err := h.Of(k).Acquire()
		if err != nil {
			t.Fatalf("%v admits nobody: %v", k, err)
		}
		permit.Failure()
	}
}

func TestAHostThatFailsIsProbedAfterItsBreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := two()
		fail(t, h, a, 1)
		if h.Troubled() || !h.Of(a).Admits() {
			t.Error("one failure was enough")
		}
		fail(t, h, a, 1)
		if !h.Troubled() || h.Of(a).Admits() || !h.Of(b).Admits() {
			t.Error("got the host as well, or another one as failing")
		}
		if _, err := h.Of(a).Acquire(); err == nil {
			t.Error("a failing host took a call")
		}
		time.Sleep(pause - 1)
		if h.Of(a).Admits() {
			t.Error("admits a call before the break is over")
		}
		time.Sleep(time.Nanosecond)
		if !h.Of(a).Admits() {
			t.Fatal("admits no probe")
		}
		probe, err := h.Of(a).Acquire()
		if err != nil || h.Of(a).Admits() || h.Of(a).State() != breaker.HalfOpen {
			t.Fatalf("got %v and %v, want a probe that keeps others out", h.Of(a).State(), err)
		}
		probe.Success()
		if h.Troubled() || !h.Of(a).Admits() {
			t.Error("got failing after a good probe")
		}
		if all := h.All(); len(all) != 2 || all[0].Key != a || all[0].Opened != 1 || all[1].Opened != 0 {
			t.Errorf("got %+v", all)
		}
	})
}

func TestAHostThatIsGoneLosesItsState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := two()
		h.Keep([]health.Key{a, b})
		late, _ := h.Of(a).Acquire()
		fail(t, h, a, 2)
		h.Keep([]health.Key{b})
		if h.Troubled() || len(h.All()) != 0 {
			t.Errorf("got %+v, want the host forgotten", h.All())
		}
		late.Failure() // nobody knows it any more
		h.Keep([]health.Key{a, b})
		if fail(t, h, a, 1); !h.Of(a).Admits() {
			t.Error("what came back remembers failures from before")
		}
		fail(t, h, a, 1)
		if h.Keep([]health.Key{a, b}); h.Of(a).Admits() {
			t.Error("a host that stayed lost its state")
		}
	})
}

func TestTransitionsNameTheHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []string
		h := health.New(health.Options{Breaker: breaker.Consecutive{MinimumThroughput: 1, BreakDuration: pause},
			OnTransition: func(k health.Key, t breaker.Transition) { told = append(told, fmt.Sprint(k, " ", t.To)) }})
		fail(t, h, a, 1)
		time.Sleep(pause)
		fail(t, h, a, 1)
		fail(t, h, b, 1)
		want := []string{"http://a:80 open", "http://a:80 half-open", "http://a:80 open", "b:80 open"}
		if !slices.Equal(told, want) {
			t.Errorf("got %q, want %q", told, want)
		}
	})
}

func TestTheLeaseOfAProbeEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := two()
		fail(t, h, a, 2)
		h.SetProbeLease(time.Second)
		time.Sleep(pause)
		if _, err := h.Of(a).Acquire(); err != nil { // and never says what came of it
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if !h.Of(a).Admits() {
			t.Error("a probe that is lost keeps everybody out")
		}
	})
}

// TestCountOfTroubleHolds has hosts fail, recover, go and come at the same time:
// in the end the count is what the hosts say.
func TestCountOfTroubleHolds(t *testing.T) {
	h := health.New(health.Options{Breaker: breaker.Consecutive{MinimumThroughput: 1, BreakDuration: time.Microsecond}})
	keys := []health.Key{a, b, {Scheme: "https", Address: "c:443"}}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 2000 {
				if n%50 == i {
					h.Keep(keys[n%3:])
				}
				permit, err := h.Of(keys[(n+i)%3]).Acquire()
				if err != nil {
					continue
				}
				if n%3 == 0 {
					permit.Failure()
				} else {
					permit.Success()
				}
			}
		})
	}
	wg.Wait()
	open := slices.ContainsFunc(h.All(), func(s health.Status) bool { return s.State != breaker.Closed })
	if h.Troubled() != open {
		t.Errorf("got troubled %v, and hosts %+v", h.Troubled(), h.All())
	}
}

func TestAskingWellHostsAllocatesNothing(t *testing.T) {
	h := two()
	h.Of(a)
	if n := testing.AllocsPerRun(100, func() {
		permit, _ := h.Of(a).Acquire()
		permit.Success()
		h.Troubled()
	}); n != 0 {
		t.Errorf("got %v allocations", n)
	}
}

func BenchmarkWellHost(bench *testing.B) {
	for _, n := range []int{3, 10, 1000} {
		bench.Run(fmt.Sprint(n), func(bench *testing.B) {
			h := two()
			keys := make([]health.Key, n)
			for i := range keys {
				keys[i] = health.Key{Scheme: "http", Address: fmt.Sprintf("10.0.%d.%d:80", i/256, i%256)}
				h.Of(keys[i])
			}
			bench.ReportAllocs()
			for i := 0; bench.Loop(); i++ {
				permit, _ := h.Of(keys[i%len(keys)]).Acquire()
				permit.Success()
			}
		})
	}
}
