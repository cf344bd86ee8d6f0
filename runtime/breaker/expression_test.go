package breaker_test

import (
	"errors"
	stdruntime "runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/expr"
)

func mustParse(t testing.TB, text string) *expr.Expr {
	t.Helper()
	e, err := expr.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func expressionBreaker(t testing.TB, text string, opts ...breaker.Option) *breaker.Breaker {
	t.Helper()
	return breaker.New(breaker.Expression{Condition: mustParse(t, text)}, opts...)
}

func TestExpressionWithoutCondition(t *testing.T) {
	b := breaker.New(breaker.Expression{})
	for range 100 {
		_ = b.Do(func() error { return errors.New("backend failed") })
	}
	if got := b.State(); got != breaker.Closed {
		t.Errorf("got state %v, want %v", got, breaker.Closed)
	}
}

// A backend that dies in the middle is seen, though oxy records nothing then.
func TestExpressionCountsPanicAndGoexit(t *testing.T) {
	for name, end := range map[string]func(){
		"panic":  func() { panic("transport") },
		"goexit": stdruntime.Goexit,
	} {
		t.Run(name, func(t *testing.T) {
			b := expressionBreaker(t, "NetworkErrorRatio() > 0.5")
			done := make(chan struct{})
			go func() {
				defer close(done)
				defer func() { _ = recover() }()
				_ = b.Do(func() error { end(); return nil })
			}()
			<-done
			if got := b.State(); got != breaker.Open {
				t.Errorf("got state %v, want %v", got, breaker.Open)
			}
		})
	}
}

func TestExpressionIgnoresClients(t *testing.T) {
	b := expressionBreaker(t, "RequestThreshold() >= 1")
	permit, err := b.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	permit.Report(breaker.Outcome{Result: breaker.Ignored, Status: 502})
	if got := b.Snapshot(); got.State != breaker.Closed || got.Counts.Total != 0 {
		t.Errorf("got %v with %d requests, want closed with none", got.State, got.Counts.Total)
	}
}

// Do measures latencies; a result without one is not taken for a fast one.
func TestExpressionLatencies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := expressionBreaker(t, "LatencyAtQuantileMS(50.0) >= 200 && RequestThreshold() >= 4")
		for range 3 {
			permit, err := b.Acquire()
			if err != nil {
				t.Fatal(err)
			}
			permit.Success()
		}
		err := b.Do(func() error { time.Sleep(200 * time.Millisecond); return nil })
		if err != nil {
			t.Fatal(err)
		}
		if got := b.State(); got != breaker.Open {
			t.Errorf("got state %v, want %v", got, breaker.Open)
		}
	})
}

// An open circuit still tells what opened it, and the recovery starts afresh.
func TestExpressionRemembersWhyItOpened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []breaker.Transition
		b := expressionBreaker(t, "NetworkErrorRatio() > 0.5",
			breaker.OnTransition(func(tr breaker.Transition) { told = append(told, tr) }))
		_ = b.Do(func() error { return errors.New("backend failed") })
		if len(told) != 1 || told[0].To != breaker.Open || told[0].Counts.Failures != 1 {
			t.Fatalf("got %+v, want one transition to open with one failure", told)
		}
		if got, want := told[0].Until.Sub(told[0].At), 10*time.Second; got != want {
			t.Errorf("got a break of %v, want %v", got, want)
		}
		if _, err := b.Acquire(); !errors.Is(err, breaker.ErrOpen) {
			t.Errorf("got %v, want %v", err, breaker.ErrOpen)
		}
		time.Sleep(10 * time.Second)
		if _, err := b.Acquire(); !errors.Is(err, breaker.ErrOpen) || b.State() != breaker.Recovering {
			t.Errorf("got %v while %v, want a rejection while recovering", err, b.State())
		}
		if got := b.Snapshot().Counts.Total; got != 0 {
			t.Errorf("got %d requests at the beginning of the recovery, want 0", got)
		}
	})
}

// The histogram of latencies begins afresh when the circuit opens, not with the
// first latency after that, and its first slot ends a minute later.
func TestExpressionForgetsLatenciesAMinuteAfterOpening(t *testing.T) {
	for _, tc := range []struct {
		until time.Duration // since the circuit opened
		want  breaker.State
	}{{59 * time.Second, breaker.Open}, {60 * time.Second, breaker.Closed}} {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(20 * time.Second)
			b := breaker.New(breaker.Expression{
				Condition:        mustParse(t, "NetworkErrorRatio() > 0.5 || LatencyAtQuantileMS(100.0) >= 1000 && RequestThreshold() >= 2"),
				FallbackDuration: time.Second, RecoveryDuration: time.Second,
			})
			time.Sleep(20 * time.Second)
			opened := time.Now()
			report := func(status int, latency time.Duration) {
				if permit, err := b.Acquire(); err == nil {
					permit.Report(traefikOutcome(status, latency))
				}
			}
			report(502, time.Millisecond)
			time.Sleep(time.Second)
			report(200, 0) // rejected: the recovery begins
			time.Sleep(2 * time.Second)
			report(200, 2*time.Second) // closed again
			for _, at := range []time.Duration{tc.until, tc.until + 200*time.Millisecond} {
				time.Sleep(time.Until(opened.Add(at)))
				report(200, time.Millisecond)
			}
			if got := b.State(); got != tc.want {
				t.Errorf("after %v: got state %v, want %v", tc.until, got, tc.want)
			}
		})
	}
}

// oxy loses counts when calls end at the same time.
func TestExpressionLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const goroutines, calls = 64, 500
		b := expressionBreaker(t, "RequestThreshold() < 0")
		var wg sync.WaitGroup
		for range goroutines {
			wg.Go(func() {
				for i := range calls {
					permit, err := b.Acquire()
					if err != nil {
						t.Error(err)
						return
					}
					permit.Report(traefikOutcome(200+302*(i%2), time.Millisecond))
				}
			})
		}
		wg.Wait()
		got := b.Snapshot().Counts
		if got.Total != goroutines*calls || got.Failures != goroutines*calls/2 {
			t.Errorf("got %d of %d requests failed, want %d of %d", got.Failures, got.Total, goroutines*calls/2, goroutines*calls)
		}
	})
}

const typicalExpression = "LatencyAtQuantileMS(50.0) > 100 || NetworkErrorRatio() > 0.10 || ResponseCodeRatio(500, 600, 0, 600) > 0.25 && RequestThreshold() >= 20"

func TestExpressionAllocatesOnce(t *testing.T) {
	b := breaker.New(breaker.Expression{Condition: mustParse(t, typicalExpression), CheckPeriod: 1})
	got := testing.AllocsPerRun(1000, func() {
		permit, err := b.Acquire()
		if err == nil {
			permit.Report(breaker.Outcome{Result: breaker.Success, Status: 200, Latency: time.Millisecond})
		}
	})
	if got != 0 {
		t.Errorf("got %v allocations a call, want 0", got)
	}
}

func BenchmarkExpression(b *testing.B) {
	report := func(br *breaker.Breaker) func() {
		return func() {
			permit, err := br.Acquire()
			if err == nil {
				permit.Report(breaker.Outcome{Result: breaker.Success, Status: 200, Latency: time.Millisecond})
			}
		}
	}
	condition := mustParse(b, typicalExpression)
	for name, config := range map[string]breaker.Expression{
		"usual":             {Condition: condition},
		"checked-each-time": {Condition: condition, CheckPeriod: 1},
	} {
		call := report(breaker.New(config))
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				call()
			}
		})
		b.Run(name+"/parallel", func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					call()
				}
			})
		})
	}
}

// BenchmarkExpressionHeap reports what a breaker that was used weighs.
func BenchmarkExpressionHeap(b *testing.B) {
	condition := mustParse(b, typicalExpression)
	const n = 1000
	for b.Loop() {
		breakers := make([]*breaker.Breaker, n)
		before := heap()
		for i := range breakers {
			breakers[i] = breaker.New(breaker.Expression{Condition: condition})
			permit, err := breakers[i].Acquire()
			if err == nil {
				permit.Report(breaker.Outcome{Result: breaker.Success, Status: 200, Latency: time.Millisecond})
			}
		}
		b.ReportMetric(float64(heap()-before)/n, "B/breaker")
		stdruntime.KeepAlive(breakers)
	}
}

func heap() uint64 {
	stdruntime.GC()
	var m stdruntime.MemStats
	stdruntime.ReadMemStats(&m)
	return m.HeapAlloc
}
