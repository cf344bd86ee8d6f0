package breaker

import "time"

// SetProbeLease is ProbeLease for a breaker in use: the lease of the next probe
// is d. It is for owners that keep a breaker while the timeout of its calls
// changes.
func (b *Breaker) SetProbeLease(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.options.probeLease = max(d, 0)
}

// WantsLatency reports whether an Outcome needs a Latency. Where it does not,
// callers can spare themselves the clock.
func (b *Breaker) WantsLatency() bool { return b.traits.timed }
