package config

// Resilience is ResilienceOptions, margay's own section: Ocelot ignores names
// that it does not know. Durations are integers of milliseconds. A strategy is
// on when its merged section has at least one set member and Enabled is not
// false.
type Resilience struct {
	Section
	TotalTimeout       Value[int32]
	Retry              *Retry
	CircuitBreaker     *ExpressionBreaker
	FailureStatusCodes *List[StatusCodes]
	ConcurrencyLimiter *ConcurrencyLimiter
	Fallback           *Fallback
	ProblemDetails     Value[bool]
	Chaos              *Chaos
}

// GlobalResilience is ResilienceOptions of GlobalConfiguration.
type GlobalResilience struct {
	RouteKeys *List[string]
	Resilience
}

// StatusCodes is one status code, or a class of them written "5xx".
type StatusCodes struct {
	// First and Last are the range's ends, both included.
	First, Last int32
}

// Retry re-sends a request that failed.
type Retry struct {
	Section
	Enabled                Value[bool]
	MaxRetryAttempts       Value[int32]
	Delay                  Value[int32]
	MaxDelay               Value[int32]
	BackoffType            Value[string] // Constant, Linear or Exponential
	UseJitter              Value[bool]
	ShouldRetryAfterHeader Value[bool]
	MaxRetryAfter          Value[int32]
	StatusCodes            *List[StatusCodes]
	Methods                *List[string]
	MaxBufferedBody        Value[int32] // bytes
	RetryBudget            *RetryBudget
}

// RetryBudget bounds retries to a share of requests.
type RetryBudget struct {
	Section
	Enabled           Value[bool]
	RetryRatio        Value[float64]
	MinimumThroughput Value[int32]
	SamplingDuration  Value[int32]
	Scope             Value[string] // Route or Backend
}

// ExpressionBreaker is a circuit breaker in Traefik's language; it replaces
// the breaker of QoSOptions.
type ExpressionBreaker struct {
	Section
	Enabled          Value[bool]
	Expression       Value[string]
	CheckPeriod      Value[int32]
	FallbackDuration Value[int32]
	RecoveryDuration Value[int32]
	ResponseCode     Value[int32]
}

// ConcurrencyLimiter bounds the requests that are under way at once.
type ConcurrencyLimiter struct {
	Section
	Enabled     Value[bool]
	PermitLimit Value[int32]
	QueueLimit  Value[int32]
}

// Fallback answers in place of a request that failed.
type Fallback struct {
	Section
	Enabled      Value[bool]
	StaleIfError Value[int32]
	StatusCode   Value[int32]
	ContentType  Value[string]
	Body         Value[string]
}

// Chaos injects faults on purpose.
type Chaos struct {
	Section
	Enabled Value[bool]
	Latency *ChaosLatency
	Outcome *ChaosOutcome
	Fault   *ChaosFault
}

// ChaosLatency delays a share of requests.
type ChaosLatency struct {
	Section
	Enabled       Value[bool]
	InjectionRate Value[float64]
	Latency       Value[int32]
}

// ChaosOutcome answers a share of requests by itself.
type ChaosOutcome struct {
	Section
	Enabled       Value[bool]
	InjectionRate Value[float64]
	StatusCode    Value[int32]
}

// ChaosFault fails a share of requests.
type ChaosFault struct {
	Section
	Enabled       Value[bool]
	InjectionRate Value[float64]
}
