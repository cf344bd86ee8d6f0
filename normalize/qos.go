package normalize

import "github.com/margay-dev/margay/schema/config"

// QoS is what protects a route. Durations are milliseconds.
type QoS struct {
	// Options are the five options after deprecated names and the merge,
	// before the provider's constraints.
	Options Options
	// Active says whether QoS does anything at all: one of
	// MinimumThroughput, Timeout and FailureRatio is above zero.
	Active bool
	// Breaker is the circuit breaker in force.
	Breaker Breaker
	// AttemptTimeout bounds one attempt; unset: no bound.
	AttemptTimeout config.Value[int32]
	// Refused is set where Polly throws over an option, and then there is
	// neither a breaker nor an attempt timeout; see Route.Failure.
	Refused *Refusal

	// Own is the route's section as written; nil if none.
	Own *config.QoSOptions
	// Global is the global section; nil if none or if it does not reach the
	// route, which Excluded tells apart.
	Global *config.QoSOptions
	// Excluded says that there is a global section with RouteKeys to which
	// the route does not belong.
	Excluded bool
}

// Options are the QoS options of a route and how each was decided.
type Options struct {
	BreakDuration     Decision[int32]
	MinimumThroughput Decision[int32]
	FailureRatio      Decision[float64]
	SamplingDuration  Decision[int32]
	Timeout           Decision[int32]
}

// BreakerKind is how a circuit breaker decides.
type BreakerKind uint8

// The kinds of breakers.
const (
	NoBreaker BreakerKind = iota
	// Consecutive opens after MinimumThroughput failures in a row.
	Consecutive
	// Ratio is the built-in breaker's ratio mode.
	Ratio
	// Polly is Polly's breaker.
	Polly
	// Expression is that of ResilienceOptions, which holds its numbers; it
	// stands in for the breaker of QoSOptions.
	Expression
)

// String returns the kind as machine formats print it; "" for NoBreaker.
func (k BreakerKind) String() string {
	return [...]string{"", "consecutive", "ratio", "polly", "expression"}[k]
}

// Breaker is a circuit breaker with its effective numbers. A number whose
// origin is Default was not written; one whose origin is Derived stands in for
// the text there. Numbers that the kind does not use are unset.
type Breaker struct {
	Kind              BreakerKind
	MinimumThroughput config.Value[int32]
	FailureRatio      config.Value[float64]
	SamplingDuration  config.Value[int32]
	BreakDuration     config.Value[int32]
	// InsteadOf is the kind of the QoS breaker that an Expression replaces.
	InsteadOf BreakerKind
}
