// Package limiter bounds how many calls run at the same time and how many wait
// for their turn, as .NET's ConcurrencyLimiter does, which Polly's concurrency
// limiter is made of.
//
// A call takes a permit for as long as it runs, its retries and waits included.
// Without a free permit it waits in a queue, and without room in the queue it
// is rejected at once with [ErrRejected].
package limiter

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// ErrRejected is the outcome of a call for which there was neither a permit nor
// room in the queue (Polly's RateLimiterRejectedException). There is no hint
// when to come back: nobody knows when a call will end.
var ErrRejected = errors.New("rejected by the concurrency limiter")

// Limiter is a concurrency limiter. It is safe for concurrent use and must not
// be copied; the zero value rejects every call, make one with [New]. While
// nobody waits, a permit costs two atomic operations and no lock.
type Limiter struct {
	permits int
	room    int
	newest  bool

	free    atomic.Int64 // permits that nobody holds
	waiting atomic.Int64 // length of the queue, written under mu

	mu    sync.Mutex
	queue list.List // of *waiter, oldest first; guarded by mu
}

// New returns a limiter with all its permits free. It refuses what
// [Options.Validate] refuses, after a PermitLimit of 0 became the default.
func New(o Options) (*Limiter, error) {
	if o.PermitLimit == 0 {
		o.PermitLimit = DefaultPermitLimit
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	l := &Limiter{permits: o.PermitLimit, room: o.QueueLimit, newest: o.QueueProcessingOrder == NewestFirst}
	l.free.Store(int64(o.PermitLimit))
	return l, nil
}

// Do calls f while it holds a permit, and gives the permit back when f returns,
// panics, or ends its goroutine. Without a permit f is not called, and the
// error is that of [Limiter.Acquire].
func Do[T any](ctx context.Context, l *Limiter, f func(context.Context) (T, error)) (T, error) {
	permit, err := l.Acquire(ctx)
	if err != nil {
		var none T
		return none, err
	}
	defer permit.Release()
	return f(ctx)
}

// Acquire takes a permit, waiting in the queue if it must. The error is
// [ErrRejected], or the cause of ctx when ctx was done first: a call that gives
// up leaves the queue. A call that got a permit as ctx ended keeps it.
func (l *Limiter) Acquire(ctx context.Context) (Permit, error) {
	if ctx.Err() != nil {
		return Permit{}, context.Cause(ctx)
	}
	if l.waiting.Load() == 0 && l.take() {
		return Permit{l}, nil
	}
	if l.room == 0 {
		return Permit{}, ErrRejected
	}
	w, err := l.join()
	if err != nil {
		return Permit{}, err
	}
	select {
	case <-w.answered:
	case <-ctx.Done():
		if l.leave(w) {
			return Permit{}, context.Cause(ctx)
		}
	}
	if !w.granted {
		return Permit{}, ErrRejected
	}
	return Permit{l}, nil
}

// TryAcquire takes a permit if one is free and nobody waits for it.
func (l *Limiter) TryAcquire() (Permit, bool) {
	if l.waiting.Load() == 0 && l.take() {
		return Permit{l}, true
	}
	return Permit{}, false
}

// Permit is the right of one call to run. The zero Permit is none.
type Permit struct{ limiter *Limiter }

// Release gives the permit back, to the call whose turn it is. Call it once;
// on a variable, further calls do nothing, and neither do calls on the zero
// Permit.
func (p *Permit) Release() {
	if l := p.limiter; l != nil {
		p.limiter = nil
		l.release()
	}
}

// State is what a limiter holds at one moment.
type State struct {
	Running int // permits that are held
	Queued  int // calls that wait
}

// State returns how many calls run and wait now, for metrics.
func (l *Limiter) State() State {
	return State{Running: l.permits - int(l.free.Load()), Queued: int(l.waiting.Load())}
}

// take takes a free permit, if there is one.
func (l *Limiter) take() bool {
	for {
		free := l.free.Load()
		if free <= 0 {
			return false
		}
		if l.free.CompareAndSwap(free, free-1) {
			return true
		}
	}
}

// release frees a permit and passes it on. Whoever joins the queue counts
// itself before it looks at the free permits, and here they are counted before
// the look at the queue: one of the two sees the other.
func (l *Limiter) release() {
	l.free.Add(1)
	if l.waiting.Load() == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.serve()
}
