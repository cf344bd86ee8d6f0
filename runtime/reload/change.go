package reload

import "time"

// change is one change that is still going on, or none.
type change struct {
	timer *time.Timer
	since time.Time
}

// happened notes that something changed.
func (c *change) happened(quiet time.Duration) {
	if c.timer == nil {
		c.since = time.Now()
		c.timer = time.NewTimer(quiet)
		return
	}
	c.timer.Reset(min(quiet, time.Until(c.since.Add(patience*quiet))))
}

// due returns a channel that tells when the change is over; nil while there is
// none.
func (c *change) due() <-chan time.Time {
	if c.timer == nil {
		return nil
	}
	return c.timer.C
}

func (c *change) stop() {
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
}
