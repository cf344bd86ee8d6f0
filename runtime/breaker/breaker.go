// Package breaker holds circuit breakers that decide as Ocelot's two
// quality-of-service providers and Traefik do, without their run-time hazards.
//
// New makes a breaker of one kind: Consecutive and Ratio are Ocelot's built-in
// breaker, Polly is Polly's. A call is put through with Do or DoContext, or in
// two steps: Acquire asks for a Permit, and the Permit takes the result.
//
// What every kind promises:
//
//   - A Permit belongs to the stretch of one state in which it was granted. A
//     result that comes later is dropped: it neither closes an open circuit
//     nor trips a fresh one. (Ocelot and Polly count it: `ocelot-count-04`,
//     `polly-ratio-10`.)
//   - An outcome is a Success, a Failure or Ignored. An ignored probe frees its
//     place. (In Ocelot it blocks the route for ever: `ocelot-count-06`.)
//   - The circuit stays open while now is before the end of the break; a probe
//     is admitted at exactly that instant. At most one unexpired probe is in
//     flight. It has a lease, if ProbeLease gives one: when that is over the
//     next call may probe.
//   - Do reports on panic and Goexit too. Callbacks run outside locks and may
//     call the breaker. Time is monotonic. Reading the state changes nothing.
//   - Acquire and the results allocate nothing. While the circuit is closed, a
//     success takes no lock and, after no failure or within one slice of the
//     window, writes no memory that other processors write.
package breaker

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/margay-dev/margay/runtime/window"
)

// Breaker is a circuit breaker. New makes one; the zero value does not work.
// All methods may be called by many goroutines at once.
//
// The fields of the first cache line, which every call reads, are written at
// transitions only, and when Consecutive begins or ends a row of failures.
type Breaker struct {
	stamp   atomic.Uint64 // a stamp: generation, quiet bit, state
	gate    atomic.Int64  // nobody is admitted before this time, unless Closed
	retryAt atomic.Int64  // what a rejected caller is told
	base    time.Time     // times are nanoseconds since then
	tally   *window.Tally // takes successes without the lock; nil: none
	traits  traits
	_       [6]byte // to the end of the line

	mu      sync.Mutex
	kind    kind
	options options
	refusal OpenError
	journal *journal // nil: nobody listens
}

// New returns a closed breaker of the kind that the configuration names.
func New(config Config, opts ...Option) *Breaker {
	b := config.build()
	b.base = time.Now()
	b.refusal.breaker = b
	b.options.classify = Classify
	for _, set := range opts {
		set(b)
	}
	b.publish(newStamp(Closed, 0))
	return b
}

// Acquire asks for admission. The Permit must be given the result of the call,
// once: see Permit. The error is an *OpenError while the circuit is open or
// its probe is in flight, and ErrIsolated while it is isolated; errors.Is
// finds ErrOpen in both.
func (b *Breaker) Acquire() (Permit, error) {
	if s := b.stamp.Load(); s&stateMask == uint64(Closed) {
		return Permit{b, stamp(s)}, nil
	}
	return b.acquire()
}

func (b *Breaker) acquire() (Permit, error) {
	if stamp(b.stamp.Load()).state() == Isolated {
		return Permit{}, ErrIsolated
	}
	now := b.now()
	if now < b.gate.Load() {
		return Permit{}, &b.refusal
	}
	b.mu.Lock()
	permit, err := b.behaviour().admit(b, now)
	b.unlock()
	return permit, err
}

// success takes the result of a call that the period of s admitted. Nobody is
// there to take it when the breaker is nil. (Checked here and not by the
// caller, so that Permit.Success is inlined.)
func (b *Breaker) success(s stamp) {
	if b == nil || stamp(b.stamp.Load()).idle() {
		return
	}
	s = s.period()
	if b.tally != nil && s.state() == Closed {
		// The mark comes before the look at the stamp. A transition stamps
		// first and seals the tally then, so a mark that outlives the look
		// was made before the transition.
		mark := b.tally.Mark()
		if b.current() != s || b.tally.Add(mark, b.now()) {
			return
		}
	}
	b.report(s, Outcome{Result: Success})
}

// report takes the result of a call that the period of s admitted.
func (b *Breaker) report(s stamp, o Outcome) {
	b.mu.Lock()
	if b.current() == s.period() {
		b.behaviour().report(b, b.now(), o)
	}
	b.unlock()
}

// now returns nanoseconds since the breaker was made.
func (b *Breaker) now() int64 { return int64(time.Since(b.base)) }

// current returns the stamp of the present period.
func (b *Breaker) current() stamp { return stamp(b.stamp.Load()).period() }

// publish makes s the present period. It does not write what is there already:
// every call reads that cache line.
func (b *Breaker) publish(s stamp) {
	if s.state() == Closed && b.kind.quiet() {
		s |= quiet
	}
	if b.stamp.Load() != uint64(s) {
		b.stamp.Store(uint64(s))
	}
}

// unlock gives up the lock and then tells about the transitions made under it.
func (b *Breaker) unlock() {
	waiting := b.journal != nil && len(b.journal.pending) > 0
	b.mu.Unlock()
	if waiting {
		b.deliver()
	}
}
