package breaker

import (
	"time"

	"github.com/margay-dev/margay/runtime/window"
)

// Transition is a change of state.
type Transition struct {
	From, To   State
	At         time.Time
	Generation uint64        // of the period that begins
	Counts     window.Counts // what was remembered when it began
	Until      time.Time     // when the break ends; zero unless To is Open
	Manual     bool          // by Isolate or ForceClose
}

// cause says who changed the state.
type cause uint8

const (
	automatic cause = iota
	manual
)

// maxPending bounds the transitions that wait for a callback which does not
// return. The oldest go first.
const maxPending = 64

// journal keeps transitions until they are told; the breaker's lock guards it.
type journal struct {
	tell    func(Transition)
	pending []Transition
	telling bool
}

// record notes that a period began at now in the present state. The lock is
// held.
func (b *Breaker) record(from State, now int64, cause cause) {
	to := b.current()
	if b.journal == nil || to.state() == from {
		return
	}
	t := Transition{
		From: from, To: to.state(), Generation: to.generation(),
		At: b.base.Add(time.Duration(now)), Counts: b.kind.counts(now),
		Manual: cause == manual,
	}
	if t.To == Open {
		t.Until = b.base.Add(time.Duration(b.gate.Load()))
	}
	if len(b.journal.pending) == maxPending {
		b.journal.pending = b.journal.pending[1:]
	}
	b.journal.pending = append(b.journal.pending, t)
}

// deliver tells what is pending, unless another goroutine, or a caller of this
// one, is about it: that one will tell the rest.
func (b *Breaker) deliver() {
	for {
		t, ok := b.nextPending()
		if !ok {
			return
		}
		b.tell(t)
	}
}

func (b *Breaker) nextPending() (Transition, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	j := b.journal
	if j.telling || len(j.pending) == 0 {
		return Transition{}, false
	}
	t := j.pending[0]
	j.pending = j.pending[1:]
	j.telling = true
	return t, true
}

// tell calls the callback. If that panics, the next one is not held up.
func (b *Breaker) tell(t Transition) {
	defer func() {
		b.mu.Lock()
		b.journal.telling = false
		b.mu.Unlock()
	}()
	b.journal.tell(t)
}
