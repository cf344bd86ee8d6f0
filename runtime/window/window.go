// Package window counts outcomes over a stretch of recent time, for breakers.
//
// A window takes the time of every call as nanoseconds since an instant of its
// owner's choice and never reads a clock. Times must not decrease and are not
// negative. Memory is bounded whatever the rate, and a window that was never
// used holds none for its entries.
//
// The owner guards a window with its lock. One way around the lock exists, for
// the commonest event: Tally counts a success that falls into the newest
// entry without a lock and without writing memory that another processor
// writes.
package window

// Counts is how many outcomes a window holds at one instant.
type Counts struct {
	Total    uint64 // successes and failures
	Failures uint64
}

// FailureRatio returns failures by total as Polly and Ocelot compute it, in
// double precision; zero when nothing was counted.
func (c Counts) FailureRatio() float64 {
	if c.Total == 0 {
		return 0
	}
	return float64(c.Failures) / float64(c.Total)
}
