package breaker

import (
	"time"
	"unsafe"

	"github.com/margay-dev/margay/runtime/window"
)

// Consecutive opens the circuit after so many failures in a row: Ocelot's
// built-in breaker without a FailureRatio. A success starts the count over.
type Consecutive struct {
	// MinimumThroughput is the number of failures in a row that opens the
	// circuit; zero or less means 100, as in Ocelot.
	MinimumThroughput int
	// BreakDuration is how long the circuit stays open; zero or less means 5 s.
	BreakDuration time.Duration
}

// streak is the memory of Consecutive.
type streak struct {
	failures uint64
	opensAt  uint64
}

func (c Consecutive) build() *Breaker {
	type object struct {
		b Breaker
		s streak
	}
	o := &new(struct {
		object
		_ [cacheLine - unsafe.Sizeof(object{})%cacheLine]byte
	}).object
	o.s.opensAt = uint64(orDefault(c.MinimumThroughput, defaultThroughput))
	return o.b.of(&o.s, c.BreakDuration, traits{announcesProbe: true})
}

func (s *streak) record(_ int64, o Outcome) bool {
	if o.Result == Success {
		s.failures = 0
		return false
	}
	s.failures++
	return s.failures >= s.opensAt
}

func (s *streak) quiet() bool { return s.failures == 0 }

func (s *streak) counts(int64) window.Counts {
	return window.Counts{Total: s.failures, Failures: s.failures}
}

func (s *streak) seal() {}

func (s *streak) reset(int64) { s.failures = 0 }
