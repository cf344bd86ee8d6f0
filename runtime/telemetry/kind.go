package telemetry

// Kind is what an [Event] reports. The zero value is no event.
type Kind uint8

// The kinds of events, in Polly's names. Each comment lists the fields that are
// set beside Route and Strategy.
const (
	// PipelineExecuted: one call through the whole pipeline is over, its
	// headers are there. Duration, StatusCode, Err, Reason.
	PipelineExecuted Kind = iota + 1
	// ExecutionAttempt: one attempt is over. Attempt, Duration, Handled, Last,
	// StatusCode, Err, Reason.
	ExecutionAttempt
	// OnRetry: an attempt failed and another one will follow after Delay.
	// Attempt is the one that failed. Attempt, Duration (of that attempt),
	// Delay, StatusCode, Err, Reason.
	OnRetry
	// OnTimeout: a timeout passed; Strategy says which. Delay (the timeout).
	OnTimeout
	// OnRetryBudgetExhausted: a retry was due and the budget refused it.
	// Attempt, StatusCode, Err, Reason.
	OnRetryBudgetExhausted
	// OnRateLimiterRejected: the concurrency limiter had no permit and no room
	// in its queue.
	OnRateLimiterRejected
	// OnFallback: the fallback answers in place of a failure. StatusCode (the
	// answer's), Err, Reason (of what it replaces).
	OnFallback
	// OnCircuitOpened: the circuit opened. Delay (the break; 0 when isolated by
	// hand), Manual, StatusCode, Err, Reason (of the outcome that tripped it).
	OnCircuitOpened
	// OnCircuitHalfOpened: the circuit lets a probe through, or a breaker with
	// an expression begins its recovery. Delay (of the recovery).
	OnCircuitHalfOpened
	// OnCircuitClosed: the circuit is closed again. Manual.
	OnCircuitClosed
	// ChaosOnLatency: chaos delays an attempt. Delay.
	ChaosOnLatency
	// ChaosOnOutcome: chaos answers in place of the backend. StatusCode.
	ChaosOnOutcome
	// ChaosOnFault: chaos fails an attempt. Err.
	ChaosOnFault
	// OnBodyFailure: the body broke off after its headers were passed on. It
	// is no outcome for breaker or retry. StatusCode, Duration (since the
	// request began), Err.
	OnBodyFailure

	kindEnd
)

// Kinds returns every kind, in the order of their values, for adapters that
// prepare something for each.
func Kinds() []Kind {
	kinds := make([]Kind, 0, kindEnd-1)
	for k := PipelineExecuted; k < kindEnd; k++ {
		kinds = append(kinds, k)
	}
	return kinds
}

// String returns Polly's name of the event, "Unknown" for a value that is none.
func (k Kind) String() string {
	switch k {
	case PipelineExecuted:
		return "PipelineExecuted"
	case ExecutionAttempt:
		return "ExecutionAttempt"
	case OnRetry:
		return "OnRetry"
	case OnTimeout:
		return "OnTimeout"
	case OnRetryBudgetExhausted:
		return "OnRetryBudgetExhausted"
	case OnRateLimiterRejected:
		return "OnRateLimiterRejected"
	case OnFallback:
		return "OnFallback"
	case OnCircuitOpened:
		return "OnCircuitOpened"
	case OnCircuitHalfOpened:
		return "OnCircuitHalfOpened"
	case OnCircuitClosed:
		return "OnCircuitClosed"
	case ChaosOnLatency:
		return "Chaos.OnLatency"
	case ChaosOnOutcome:
		return "Chaos.OnOutcome"
	case ChaosOnFault:
		return "Chaos.OnFault"
	case OnBodyFailure:
		return "OnBodyFailure"
	default:
		return "Unknown"
	}
}

// Severity returns the severity that Polly gives the event; [Event.Severity]
// refines it for attempts.
func (k Kind) Severity() Severity {
	switch k {
	case OnTimeout, OnRateLimiterRejected, OnCircuitOpened:
		return Error
	case OnRetry, OnRetryBudgetExhausted, OnFallback, OnCircuitHalfOpened, OnBodyFailure:
		return Warning
	default:
		return Information
	}
}

// Severity is how much an event should worry. The zero value is none of them.
type Severity uint8

// The severities, in Polly's names and order.
const (
	Information Severity = iota + 1
	Warning
	Error
)

// String returns Polly's name of the severity, "None" for the zero value.
func (s Severity) String() string {
	switch s {
	case Information:
		return "Information"
	case Warning:
		return "Warning"
	case Error:
		return "Error"
	default:
		return "None"
	}
}
