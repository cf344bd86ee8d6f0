package breaker

import (
	"time"

	"github.com/margay-dev/margay/runtime/window"
)

// Snapshot is one consistent copy of what a breaker knows.
type Snapshot struct {
	State         State
	Counts        window.Counts // Consecutive: the failures in a row, as both numbers
	Until         time.Time     // when the break ends; zero unless Open
	Generation    uint64        // of the present period: a Permit of another one is void
	ProbeInFlight bool          // a probe is out and its lease is not over
}

// State returns the present state, and changes nothing. An open circuit whose
// break is over stays so until a call comes. Polly, when asked, says Open
// then, and so does a Polly breaker here; Ocelot's breaker says HalfOpen, and
// so do Consecutive and Ratio (`ocelot-count-11`).
func (b *Breaker) State() State {
	s := stamp(b.stamp.Load()).state()
	if s == Open && b.traits.announcesProbe && b.now() >= b.gate.Load() {
		return HalfOpen
	}
	return s
}

// Snapshot returns a copy of what the breaker knows, and changes nothing. It
// takes the breaker's lock for a moment.
func (b *Breaker) Snapshot() Snapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	s := Snapshot{
		State:      b.State(),
		Counts:     b.kind.counts(now),
		Generation: b.current().generation(),
	}
	switch b.current().state() {
	case Open:
		s.Until = b.base.Add(time.Duration(b.gate.Load()))
	case HalfOpen:
		s.ProbeInFlight = now < b.gate.Load()
	}
	return s
}
