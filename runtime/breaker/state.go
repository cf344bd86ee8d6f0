package breaker

import "math"

// State is what a breaker does with calls.
type State uint8

const (
	Closed     State = iota // calls pass
	Open                    // calls are rejected until the break is over
	HalfOpen                // one call, the probe, decides
	Isolated                // calls are rejected until ForceClose
	Recovering              // a growing share of calls passes; only without a probe
)

// String returns the name in lower case, words joined by a hyphen.
func (s State) String() string {
	switch s {
	case Closed:
		return "closed"
	case Open:
		return "open"
	case HalfOpen:
		return "half-open"
	case Isolated:
		return "isolated"
	case Recovering:
		return "recovering"
	}
	return "unknown"
}

// behaviour is what a state does. Each state is a type without fields, in a
// file of its own; what a state remembers stands in the breaker. The lock is
// held.
type behaviour interface {
	// admit decides on a call that arrives at now.
	admit(b *Breaker, now int64) (Permit, error)
	// report takes the result, at now, of a call which this very period
	// admitted. It is Ignored only if the call was a probe: nobody else has a
	// place to give back.
	report(b *Breaker, now int64, o Outcome)
}

func (b *Breaker) behaviour() behaviour {
	switch stamp(b.stamp.Load()).state() {
	case Open:
		return open{}
	case HalfOpen:
		return halfOpen{}
	case Isolated:
		return isolated{}
	case Recovering:
		return recovering{}
	default:
		return closed{}
	}
}

// never is a time that does not come.
const never = math.MaxInt64

// after returns now + d, or never if that is too far away.
func after(now, d int64) int64 {
	if d > never-now {
		return never
	}
	return now + d
}

// enter starts a period of another state. Nobody is admitted before gate, and
// rejected callers are told to come back at that time. The lock is held.
func (b *Breaker) enter(to State, now, gate int64, cause cause) {
	from := stamp(b.stamp.Load())
	b.gate.Store(gate)
	b.retryAt.Store(gate)
	b.publish(newStamp(to, from.generation()+1))
	b.kind.seal()
	b.record(from.state(), now, cause)
}

// grant returns the Permit of the present period. The lock is held.
func (b *Breaker) grant() Permit { return Permit{breaker: b, stamp: b.current()} }
