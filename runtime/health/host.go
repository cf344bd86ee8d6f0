package health

import (
	"sync/atomic"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
)

// Host is what is known of one host. It stays of use where it is forgotten
// meanwhile; what it takes then is lost.
type Host struct {
	key     Key
	of      *Hosts
	breaker *breaker.Breaker
	opened  atomic.Int64

	troubled bool // guarded by of.mu: it is counted as not closed
	gone     bool // guarded by of.mu
}

// Admits reports whether Acquire would grant a call now. It changes nothing.
func (x *Host) Admits() bool {
	if x.breaker.State() == breaker.Closed {
		return true
	}
	s := x.breaker.Snapshot()
	return s.State == breaker.Closed || !s.ProbeInFlight && !time.Now().Before(s.Until)
}

// Acquire asks whether a call may go to the host, and returns the permit that
// takes what it came to. The error is a *breaker.OpenError where the host is
// failing, or is being probed.
func (x *Host) Acquire() (breaker.Permit, error) { return x.breaker.Acquire() }

// State returns the state of the host's breaker.
func (x *Host) State() breaker.State { return x.breaker.State() }

// changed counts the host among those that are not well, or no longer so. What
// counts is the present state: another change may have come since.
func (x *Host) changed(t breaker.Transition) {
	if t.To == breaker.Open {
		x.opened.Add(1)
	}
	x.of.mu.Lock()
	x.count(!x.gone && x.breaker.State() != breaker.Closed)
	told := !x.gone && x.of.options.OnTransition != nil
	x.of.mu.Unlock()
	if told {
		x.of.options.OnTransition(x.key, t)
	}
}

// leave takes the host out of the count for good. of.mu is held.
func (x *Host) leave() {
	x.gone = true
	x.count(false)
}

// count keeps the number of hosts that are not well. of.mu is held.
func (x *Host) count(troubled bool) {
	switch {
	case troubled && !x.troubled:
		x.of.troubled.Add(1)
	case !troubled && x.troubled:
		x.of.troubled.Add(-1)
	}
	x.troubled = troubled
}
