package telemetry

// Strategy is the part of a pipeline that reports an event. The zero value
// stands for the pipeline as a whole.
type Strategy uint8

// The strategies, outermost first.
const (
	Pipeline Strategy = iota
	Fallback
	ConcurrencyLimiter
	TotalTimeout
	Retry
	CircuitBreaker
	AttemptTimeout
	Chaos
	// PassiveHealth judges the hosts of a route; its circuits are those of hosts.
	PassiveHealth
	Transport

	strategyEnd
)

// Strategies returns every strategy, outermost first.
func Strategies() []Strategy {
	all := make([]Strategy, 0, strategyEnd)
	for s := range strategyEnd {
		all = append(all, s)
	}
	return all
}

// String returns the strategy's name, as its section of the configuration is
// called where it has one.
func (s Strategy) String() string {
	switch s {
	case Pipeline:
		return "Pipeline"
	case Fallback:
		return "Fallback"
	case ConcurrencyLimiter:
		return "ConcurrencyLimiter"
	case TotalTimeout:
		return "TotalTimeout"
	case Retry:
		return "Retry"
	case CircuitBreaker:
		return "CircuitBreaker"
	case AttemptTimeout:
		return "AttemptTimeout"
	case Chaos:
		return "Chaos"
	case PassiveHealth:
		return "PassiveHealth"
	case Transport:
		return "Transport"
	default:
		return "Unknown"
	}
}

// Reason is a closed set of causes, in place of error texts: few enough for a
// metric label. The zero value is a success.
type Reason uint8

// The reasons.
const (
	// ReasonNone: nothing went wrong.
	ReasonNone Reason = iota
	// ReasonStatus: the response's status counts as a failure.
	ReasonStatus
	// ReasonTransport: no response came: refused, reset, DNS, TLS.
	ReasonTransport
	// ReasonAttemptTimeout: the timeout of one attempt passed.
	ReasonAttemptTimeout
	// ReasonTotalTimeout: the timeout of the whole request passed.
	ReasonTotalTimeout
	// ReasonCircuitOpen: the circuit is open.
	ReasonCircuitOpen
	// ReasonCircuitIsolated: the circuit was isolated by hand.
	ReasonCircuitIsolated
	// ReasonLimited: the concurrency limiter rejected the call.
	ReasonLimited
	// ReasonCancelled: the client went away or its request was faulty.
	ReasonCancelled
	// ReasonPanic: the transport panicked or left its goroutine.
	ReasonPanic
	// ReasonChaos: chaos injected it.
	ReasonChaos

	reasonEnd
)

// Reasons returns every reason, ReasonNone first.
func Reasons() []Reason {
	all := make([]Reason, 0, reasonEnd)
	for r := range reasonEnd {
		all = append(all, r)
	}
	return all
}

// String returns the reason in lower case with hyphens, "" for ReasonNone.
func (r Reason) String() string {
	switch r {
	case ReasonNone:
		return ""
	case ReasonStatus:
		return "status"
	case ReasonTransport:
		return "transport"
	case ReasonAttemptTimeout:
		return "attempt-timeout"
	case ReasonTotalTimeout:
		return "total-timeout"
	case ReasonCircuitOpen:
		return "circuit-open"
	case ReasonCircuitIsolated:
		return "circuit-isolated"
	case ReasonLimited:
		return "limited"
	case ReasonCancelled:
		return "cancelled"
	case ReasonPanic:
		return "panic"
	case ReasonChaos:
		return "chaos"
	default:
		return "unknown"
	}
}
