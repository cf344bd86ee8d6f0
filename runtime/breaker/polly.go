package breaker

import (
	"time"
	"unsafe"

	"github.com/margay-dev/margay/runtime/window"
)

// Polly opens the circuit on a failure when enough of the outcomes in Polly's
// health window are failures (window.Slices). What the window holds when the
// circuit opens stays until a probe succeeds.
type Polly struct {
	// FailureRatio is the share of failures that opens the circuit, in (0, 1];
	// zero means 0.1. A negative value stands for what Polly calls 0: every
	// failure opens it once there are enough outcomes (`polly-ratio-21`).
	FailureRatio float64
	// MinimumThroughput is how many outcomes the window must hold; zero or
	// less means 100.
	MinimumThroughput int
	// SamplingDuration is the length of the window; zero or less means 30 s.
	SamplingDuration time.Duration
	// BreakDuration is how long the circuit stays open; zero or less means 5 s.
	BreakDuration time.Duration
}

// The defaults of Polly's CircuitBreakerStrategyOptions.
const (
	pollyDefault         = 0.1
	pollyDefaultSampling = 30 * time.Second
)

func (c Polly) build() *Breaker {
	type object struct {
		b Breaker
		t threshold
		w window.Slices
	}
	o := &new(struct {
		object
		_ [cacheLine - unsafe.Sizeof(object{})%cacheLine]byte
	}).object
	o.w.Init(orDefault(c.SamplingDuration, pollyDefaultSampling))
	o.t = newThreshold(&o.w, c.MinimumThroughput, c.FailureRatio, pollyDefault)
	o.b.tally = o.w.Tally()
	return o.b.of(&o.t, c.BreakDuration, traits{})
}
