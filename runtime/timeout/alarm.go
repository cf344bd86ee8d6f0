package timeout

import (
	"sync/atomic"
	"time"
)

// alarm is a timer that is used by one context after the other.
type alarm struct {
	timer *time.Timer
	owner atomic.Pointer[Context]
}

// arm sets an alarm that ends c after d.
func (s *Strategy) arm(c *Context, d time.Duration) *alarm {
	if a, ok := s.alarms.Get().(*alarm); ok {
		a.owner.Store(c)
		a.timer.Reset(d)
		return a
	}
	a := &alarm{}
	a.owner.Store(c)
	a.timer = time.AfterFunc(d, a.ring)
	return a
}

// disarm keeps a for another context. An alarm that has gone off is dropped: it
// may be about to look for its owner.
func (s *Strategy) disarm(a *alarm) {
	if a.timer.Stop() {
		a.owner.Store(nil)
		s.alarms.Put(a)
	}
}

func (a *alarm) ring() {
	if c := a.owner.Load(); c != nil {
		c.expire()
	}
}
