package breaker

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const (
	goroutines = 64
	callsEach  = 400
)

// TestStressCounts puts calls through one breaker from many goroutines. Nothing
// trips, so at the end every outcome must have been counted once.
func TestStressCounts(t *testing.T) {
	for name, config := range map[string]Config{
		"ratio": Ratio{MinimumThroughput: 1 << 40, SamplingDuration: time.Hour},
		"polly": Polly{MinimumThroughput: 1 << 40, SamplingDuration: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := New(config)
				var successes, failures atomic.Uint64
				var wg sync.WaitGroup
				for g := range goroutines {
					wg.Go(func() {
						random := rand.New(rand.NewPCG(1, uint64(g)))
						for range callsEach {
							countedCall(b, random, &successes, &failures)
						}
					})
				}
				wg.Wait()
				got := b.Snapshot().Counts
				if want := failures.Load(); got.Failures != want {
					t.Errorf("got %d failures, want %d", got.Failures, want)
				}
				if want := successes.Load() + failures.Load(); got.Total != want {
					t.Errorf("got total %d, want %d", got.Total, want)
				}
			})
		})
	}
}

// TestStressStreak has failures only, so that all of them are in a row.
func TestStressStreak(t *testing.T) {
	b := New(Consecutive{MinimumThroughput: 1 << 40})
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range callsEach {
				permit, _ := b.Acquire()
				permit.Failure()
			}
		})
	}
	wg.Wait()
	wantCounts(t, b, goroutines*callsEach, goroutines*callsEach)
}

func countedCall(b *Breaker, random *rand.Rand, successes, failures *atomic.Uint64) {
	permit, err := b.Acquire()
	if err != nil {
		return
	}
	if random.IntN(20) == 0 {
		time.Sleep(time.Duration(random.IntN(int(10 * time.Second))))
	}
	switch random.IntN(8) {
	case 0:
		permit.Failure()
		failures.Add(1)
	case 1:
		permit.Ignore()
	default:
		permit.Success()
		successes.Add(1)
	}
}

// TestStressProbes drives a breaker through many breaks. Whenever a probe is
// admitted, no other one may be in flight whose lease is not over, and the
// circuit must have closed exactly as often as a probe succeeded within its
// lease, and reopened as often as one failed.
func TestStressProbes(t *testing.T) {
	const lease, breaks = 50 * time.Millisecond, 20 * time.Millisecond
	for name, config := range map[string]Config{
		"consecutive": Consecutive{MinimumThroughput: 2, BreakDuration: breaks},
		"ratio":       Ratio{MinimumThroughput: 2, FailureRatio: 0.3, BreakDuration: breaks},
		"polly":       Polly{MinimumThroughput: 2, FailureRatio: 0.3, BreakDuration: breaks},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &watch{lease: lease, out: map[uint64]time.Time{}}
				var closed, reopened int // told one at a time
				b := New(config, ProbeLease(lease), OnTransition(func(tr Transition) {
					switch {
					case tr.From == HalfOpen && tr.To == Closed:
						closed++
					case tr.From == HalfOpen && tr.To == Open:
						reopened++
					}
				}))
				var wg sync.WaitGroup
				for g := range goroutines {
					wg.Go(func() {
						random := rand.New(rand.NewPCG(2, uint64(g)))
						for range callsEach {
							w.call(t, b, random)
							time.Sleep(time.Duration(random.IntN(40)) * time.Millisecond)
						}
					})
				}
				wg.Wait()
				w.check(t, closed, reopened)
			})
		})
	}
}

// watch knows of every probe that is out.
type watch struct {
	lease time.Duration

	mu                            sync.Mutex
	out                           map[uint64]time.Time // by generation: when admitted
	succeeded, failed, late, lost int
}

func (w *watch) call(t *testing.T, b *Breaker, random *rand.Rand) {
	permit, err := b.Acquire()
	if err != nil {
		return
	}
	isProbe := permit.stamp.state() == HalfOpen
	if isProbe {
		w.admitted(t, permit.Generation())
	}
	// Probes take up to twice their lease. Time stands while a goroutine runs,
	// so between here and the report it does not pass.
	time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond)
	result := []Result{Success, Failure, Failure, Ignored}[random.IntN(4)]
	if isProbe {
		w.ended(permit.Generation(), result)
	}
	permit.Report(Outcome{Result: result})
}

func (w *watch) admitted(t *testing.T, generation uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for other, at := range w.out {
		if age := time.Since(at); age < w.lease {
			t.Errorf("probe %d admitted while probe %d is out for %v", generation, other, age)
		}
	}
	w.out[generation] = time.Now()
}

func (w *watch) ended(generation uint64, result Result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	late := time.Since(w.out[generation]) >= w.lease
	delete(w.out, generation)
	switch {
	case late:
		w.late++
	case result == Success:
		w.succeeded++
	case result == Failure:
		w.failed++
	default:
		w.lost++
	}
}

func (w *watch) check(t *testing.T, closed, reopened int) {
	t.Logf("probes: %d succeeded, %d failed, %d ignored, %d late", w.succeeded, w.failed, w.lost, w.late)
	if closed != w.succeeded || reopened != w.failed {
		t.Errorf("closed %d times and reopened %d, want %d and %d", closed, reopened, w.succeeded, w.failed)
	}
	if min(w.succeeded, w.failed, w.lost, w.late) == 0 {
		t.Error("not every way to end occurred")
	}
}

// TestStressControl has every method called at once, for the race detector.
func TestStressControl(t *testing.T) {
	for name, config := range kinds() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := New(config, ProbeLease(time.Millisecond), OnTransition(func(Transition) {}))
				var wg sync.WaitGroup
				for g := range goroutines {
					wg.Go(func() {
						random := rand.New(rand.NewPCG(3, uint64(g)))
						for range callsEach {
							anything(b, random)
						}
					})
				}
				wg.Wait()
				b.ForceClose()
				wantState(t, b, Closed)
				wantCounts(t, b, 0, 0)
				give(t, b, Failure)
				wantCounts(t, b, 1, 1)
			})
		})
	}
}

func anything(b *Breaker, random *rand.Rand) {
	switch random.IntN(40) {
	case 0:
		b.Isolate()
	case 1, 2, 3:
		b.ForceClose()
	case 4:
		b.Reset()
	case 5:
		b.State()
	case 6:
		b.Snapshot()
	default:
		permit, err := b.Acquire()
		time.Sleep(time.Duration(random.IntN(3)) * 300 * time.Millisecond)
		if err == nil {
			permit.Report(Outcome{Result: Result(random.IntN(3))})
		}
	}
}
