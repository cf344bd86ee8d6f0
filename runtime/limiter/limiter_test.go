package limiter_test

import (
	"context"
	"errors"
	"fmt"
	stdruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/limiter"
	"pgregory.net/rapid"
)

func mustNew(t testing.TB, o limiter.Options) *limiter.Limiter {
	t.Helper()
	l, err := limiter.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestZeroOptionsAreTheDefaults(t *testing.T) {
	l := mustNew(t, limiter.Options{})
	for i := range limiter.DefaultPermitLimit {
		if _, ok := l.TryAcquire(); !ok {
			t.Fatalf("permit %d: got none, want one", i)
		}
	}
	if _, err := l.Acquire(t.Context()); !errors.Is(err, limiter.ErrRejected) {
		t.Errorf("permit beyond the limit: got %v, want %v", err, limiter.ErrRejected)
	}
}

func TestPermitComesBackHoweverTheCallEnds(t *testing.T) {
	l := mustNew(t, limiter.Options{PermitLimit: 1})
	for name, f := range map[string]func(context.Context) (int, error){
		"returns": func(context.Context) (int, error) { return 0, nil },
		"panics":  func(context.Context) (int, error) { panic("call") },
		"goexit":  func(context.Context) (int, error) { stdruntime.Goexit(); return 0, nil },
	} {
		var done sync.WaitGroup
		done.Go(func() {
			defer func() { _ = recover() }()
			_, _ = limiter.Do(t.Context(), l, f)
		})
		done.Wait()
		if got := l.State(); got != (limiter.State{}) {
			t.Errorf("after a call that %s: got %+v, want nothing held", name, got)
		}
	}
}

func TestReleaseTwiceFreesOnce(t *testing.T) {
	l := mustNew(t, limiter.Options{PermitLimit: 2})
	p, _ := l.Acquire(t.Context())
	if _, ok := l.TryAcquire(); !ok {
		t.Fatal("second permit: got none, want one")
	}
	p.Release()
	p.Release()
	if got := l.State().Running; got != 1 {
		t.Errorf("running after two releases of one permit: got %d, want 1", got)
	}
	new(limiter.Permit).Release()
}

func TestDoneCallerGetsNothing(t *testing.T) {
	gone := errors.New("client gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	l := mustNew(t, limiter.Options{})
	if _, err := l.Acquire(ctx); !errors.Is(err, gone) {
		t.Errorf("Acquire: got %v, want %v", err, gone)
	}
	if got := l.State(); got != (limiter.State{}) {
		t.Errorf("state: got %+v, want nothing held", got)
	}
}

func TestAcquireAllocatesNothing(t *testing.T) {
	l := mustNew(t, limiter.Options{})
	if got := testing.AllocsPerRun(100, func() {
		p, _ := l.Acquire(t.Context())
		p.Release()
	}); got != 0 {
		t.Errorf("allocations: got %v, want 0", got)
	}
}

// model is a limiter as its description has it.
type model struct {
	permits, room int
	newest        bool
	running       []int
	queue         []int
}

func (m *model) call(n int) (status string, dropped []int) {
	switch {
	case len(m.running) < m.permits:
		m.running = append(m.running, n)
		return "running", nil
	case m.room == 0, len(m.queue) == m.room && !m.newest:
		return "rejected", nil
	case len(m.queue) == m.room:
		dropped = []int{m.queue[0]}
		m.queue = m.queue[1:]
	}
	m.queue = append(m.queue, n)
	return "queued", dropped
}

func (m *model) finish(n int) (started []int) {
	m.running = slices.DeleteFunc(m.running, func(r int) bool { return r == n })
	if len(m.queue) == 0 {
		return nil
	}
	turn := 0
	if m.newest {
		turn = len(m.queue) - 1
	}
	next := m.queue[turn]
	m.queue = slices.Delete(m.queue, turn, turn+1)
	m.running = append(m.running, next)
	return []int{next}
}

// action is one step of a model run; pick chooses among the calls it can apply
// to.
type action struct{ kind, pick int }

// TestModel replays random calls, ends and cancellations against the model. The
// steps are drawn first, because a bubble's goroutines cannot end a rapid check.
func TestModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &model{
			permits: rapid.IntRange(1, 4).Draw(rt, "permits"),
			room:    rapid.IntRange(0, 4).Draw(rt, "room"),
			newest:  rapid.Bool().Draw(rt, "newest first"),
		}
		actions := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) action {
			return action{rapid.SampledFrom([]int{calls, calls, finish, cancel}).Draw(rt, "kind"), rapid.IntRange(0, 11).Draw(rt, "pick")}
		}), 1, 60).Draw(rt, "actions")
		var diff string
		synctest.Test(t, func(t *testing.T) { diff = m.run(t, actions) })
		if diff != "" {
			rt.Fatal(diff)
		}
	})
}

const (
	calls = iota
	finish
	cancel
)

// run returns where the limiter differs from the model, or "".
func (m *model) run(t *testing.T, actions []action) string {
	o := limiter.Options{PermitLimit: m.permits, QueueLimit: m.room}
	if m.newest {
		o.QueueProcessingOrder = limiter.NewestFirst
	}
	s := newStage(mustNew(t, o))
	defer s.end()
	for n, a := range actions {
		if diff := m.step(t, s, n, a); diff != "" {
			return fmt.Sprintf("step %d: %s", n, diff)
		}
		if got, want := s.limiter.State(), (limiter.State{Running: len(m.running), Queued: len(m.queue)}); got != want {
			return fmt.Sprintf("step %d: state: got %+v, want %+v", n, got, want)
		}
	}
	return ""
}

func (m *model) step(t *testing.T, s *stage, n int, a action) string {
	switch {
	case a.kind == calls:
		got := s.call(t.Context(), n)
		if want, dropped := m.call(n); got != want || !slices.Equal(s.dropped, dropped) {
			return fmt.Sprintf("call: got %s, dropped %v, want %s, dropped %v", got, s.dropped, want, dropped)
		}
	case a.kind == finish && len(m.running) > 0:
		which := m.running[a.pick%len(m.running)]
		s.finishCall(which)
		if want := m.finish(which); !slices.Equal(s.started, want) {
			return fmt.Sprintf("end of call %d: started %v, want %v", which, s.started, want)
		}
	case a.kind == cancel && len(m.queue) > 0:
		which := m.queue[a.pick%len(m.queue)]
		if err := s.cancelCall(which); !errors.Is(err, context.Canceled) {
			return fmt.Sprintf("cancelled call %d: got %v, want its cancellation", which, err)
		}
		m.queue = slices.DeleteFunc(m.queue, func(q int) bool { return q == which })
	}
	return ""
}

// A permit that is freed while a call joins the queue must reach it: nobody else
// will come to pass it on.
func TestNoPermitIsLostOnTheWay(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a call that hangs fails the test
	defer cancel()
	for range 50_000 {
		l := mustNew(t, limiter.Options{PermitLimit: 1, QueueLimit: 1})
		first, err := l.Acquire(ctx)
		if err != nil {
			t.Fatal(err)
		}
		go first.Release()
		second, err := l.Acquire(ctx)
		if err != nil {
			t.Fatalf("call that waits for the only other one: got %v, want its permit", err)
		}
		second.Release()
	}
}

// TestStress has 64 goroutines call, wait and give up: never more than the
// limit at once, and nothing held at the end.
func TestStress(t *testing.T) {
	const permits = 4
	for _, order := range []limiter.QueueProcessingOrder{limiter.OldestFirst, limiter.NewestFirst} {
		l := mustNew(t, limiter.Options{PermitLimit: permits, QueueLimit: 32, QueueProcessingOrder: order})
		var running, ran, refused atomic.Int64
		var done sync.WaitGroup
		for g := range 64 {
			done.Go(func() {
				for i := range 500 {
					ctx, cancel := context.WithCancel(t.Context())
					if (g+i)%5 == 0 {
						go cancel()
					}
					_, err := limiter.Do(ctx, l, func(context.Context) (int, error) {
						if now := running.Add(1); now > permits {
							t.Errorf("running: got %d, want at most %d", now, permits)
						}
						stdruntime.Gosched()
						running.Add(-1)
						ran.Add(1)
						return 0, nil
					})
					if err != nil {
						refused.Add(1)
					}
					cancel()
				}
			})
		}
		done.Wait()
		if got := ran.Load() + refused.Load(); got != 64*500 {
			t.Errorf("calls: got %d, want %d", got, 64*500)
		}
		if got := l.State(); got != (limiter.State{}) {
			t.Errorf("state at the end: got %+v, want nothing held", got)
		}
	}
}
