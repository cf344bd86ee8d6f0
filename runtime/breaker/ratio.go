package breaker

import (
	"time"
	"unsafe"

	"github.com/margay-dev/margay/runtime/window"
)

// Ratio opens the circuit on a failure when enough of the outcomes in a
// sliding window are failures: Ocelot's built-in breaker with a FailureRatio.
type Ratio struct {
	// FailureRatio is the share of failures that opens the circuit, in (0, 1];
	// zero means 0.5, and negative that every failure opens it once there are
	// enough outcomes. More than 1 is never reached.
	FailureRatio float64
	// MinimumThroughput is how many outcomes the window must hold; zero or
	// less means 100.
	MinimumThroughput int
	// SamplingDuration is how old an outcome may be and count; zero or less
	// means 10 s.
	SamplingDuration time.Duration
	// BreakDuration is how long the circuit stays open; zero or less means 5 s.
	BreakDuration time.Duration
}

// The defaults of Ocelot's built-in breaker in ratio mode.
const (
	ratioDefault         = 0.5
	ratioDefaultSampling = 10 * time.Second
)

func (c Ratio) build() *Breaker {
	type object struct {
		b Breaker
		t threshold
		w window.Sliding
	}
	o := &new(struct {
		object
		_ [cacheLine - unsafe.Sizeof(object{})%cacheLine]byte
	}).object
	o.w.Init(orDefault(c.SamplingDuration, ratioDefaultSampling))
	o.t = newThreshold(&o.w, c.MinimumThroughput, c.FailureRatio, ratioDefault)
	o.b.tally = o.w.Tally()
	return o.b.of(&o.t, c.BreakDuration, traits{announcesProbe: true})
}
