package plan

// BreakerKind selects the algorithm of a breaker.
type BreakerKind string

// The kinds of breakers.
const (
	// Consecutive opens after MinimumThroughput failures in a row.
	Consecutive BreakerKind = "consecutive"
	// Ratio opens when, of at least MinimumThroughput results in a sliding
	// window, FailureRatio or more are failures.
	Ratio BreakerKind = "ratio"
	// PollyRatio is Ratio over Polly's ten slices of the window.
	PollyRatio BreakerKind = "polly"
	// Expression opens when an expression over the metrics of the last ten
	// seconds is true.
	Expression BreakerKind = "expression"
)

// Breaker is the circuit breaker of a route, or of one of its hosts.
type Breaker struct {
	// Kind is the algorithm, which decides what other members count.
	Kind BreakerKind `json:"kind"`

	// MinimumThroughput, of the kinds consecutive, ratio and polly, is the
	// number of failures in a row, or the smallest number of results that is
	// judged.
	MinimumThroughput int `json:"minimumThroughput,omitzero"`
	// FailureRatio, of the kinds ratio and polly, is above 0 and at most 1.
	FailureRatio float64 `json:"failureRatio,omitzero"`
	// SamplingDuration, of the kinds ratio and polly, is the length of the
	// window.
	SamplingDuration Millis `json:"samplingDuration,omitzero"`
	// BreakDuration is how long the circuit stays open before a probe.
	BreakDuration Millis `json:"breakDuration,omitzero"`

	// Expression opens the circuit when it is true. It and the members below are
	// those of the kind expression.
	Expression string `json:"expression,omitzero"`
	// CheckPeriod is the shortest time between two evaluations.
	CheckPeriod Millis `json:"checkPeriod,omitzero"`
	// FallbackDuration is how long everything is rejected.
	FallbackDuration Millis `json:"fallbackDuration,omitzero"`
	// RecoveryDuration is how long a growing part is let through after that.
	RecoveryDuration Millis `json:"recoveryDuration,omitzero"`
	// ResponseCode is the status of a rejection, 200 to 599.
	ResponseCode int `json:"responseCode,omitzero"`
}

// Failures classifies outcomes for the breaker. A client's own faults are
// ignored, whatever it says.
type Failures struct {
	// StatusCodes are the statuses that are failures.
	StatusCodes []StatusRange `json:"statusCodes,omitempty"`
	// TransportErrors says what an error before the headers is: refused
	// connections, name lookups, TLS, resets, garbage.
	TransportErrors Verdict `json:"transportErrors"`
	// Timeouts says what the end of the attempt timeout or of the outer timeout
	// is; empty is failure. Ocelot 23.2 to 24.0 is told of neither
	// (verlive-timeout-race-1): such a call ends there by cancellation, which
	// Polly takes for a success.
	Timeouts Verdict `json:"timeouts,omitzero"`
}

// Verdict is what an outcome is to a breaker.
type Verdict string

// The verdicts on transport errors and timeouts.
const (
	Failure Verdict = "failure"
	// Success is how Ocelot with Polly counts them.
	Success Verdict = "success"
)

// Backoff is the way in which waits grow from attempt to attempt.
type Backoff string

// The ways of backing off.
const (
	Constant    Backoff = "constant"
	Linear      Backoff = "linear"
	Exponential Backoff = "exponential"
)

// Retry is the retry strategy of a route.
type Retry struct {
	// MaxRetryAttempts is the number of retries after the first attempt.
	MaxRetryAttempts int `json:"maxRetryAttempts"`
	// Delay is the base of the waits; 0 retries at once.
	Delay Millis `json:"delay,omitzero"`
	// MaxDelay caps a computed wait; 0 is no cap.
	MaxDelay Millis `json:"maxDelay,omitzero"`
	// Backoff is the way in which Delay grows from attempt to attempt.
	Backoff Backoff `json:"backoff"`
	// UseJitter spreads the waits at random.
	UseJitter bool `json:"useJitter,omitzero"`
	// RetryAfter waits as long as the backend's Retry-After header asks.
	RetryAfter bool `json:"retryAfter,omitzero"`
	// MaxRetryAfter is the longest such wait: a response that asks for more is
	// returned instead. Nil is no bound of its own.
	MaxRetryAfter *Millis `json:"maxRetryAfter,omitzero"`
	// StatusCodes are the statuses that are retried, beside transport errors
	// before the headers and attempt timeouts.
	StatusCodes []StatusRange `json:"statusCodes,omitempty"`
	// Methods are sorted, in upper case; no other method is retried.
	Methods []string `json:"methods,omitempty"`
	// MaxBufferedBody is the largest request body, in bytes, that is kept to be
	// sent again; a request with a larger one is not retried.
	MaxBufferedBody int64 `json:"maxBufferedBody,omitzero"`
	// Budget bounds retries to a part of the requests; nil is no bound.
	Budget *Budget `json:"budget,omitzero"`
}

// Scope tells who shares a retry budget.
type Scope string

// The scopes of a retry budget.
const (
	PerRoute   Scope = "route"
	PerBackend Scope = "backend" // routes with an equal Budget.Share
)

// Budget bounds retries to a part of the requests.
type Budget struct {
	// RetryRatio is the number of retries per request, 0 to 1; 0 denies all.
	RetryRatio float64 `json:"retryRatio"`
	// MinimumThroughput is the number of requests below which retries are free.
	MinimumThroughput int `json:"minimumThroughput"`
	// SamplingDuration is the length of the window.
	SamplingDuration Millis `json:"samplingDuration"`
	// Scope tells who shares the budget.
	Scope Scope `json:"scope"`
	// Share is equal on routes of one backend whose budget is PerBackend. Those
	// of them with equal numbers use one budget.
	Share string `json:"share,omitzero"`
}

// Limiter bounds the calls of a route that are in flight.
type Limiter struct {
	// PermitLimit is the number of calls at a time, at least 1.
	PermitLimit int `json:"permitLimit"`
	// QueueLimit is the number of calls that may wait, oldest first.
	QueueLimit int `json:"queueLimit,omitzero"`
}

// Fallback answers in place of a failed call.
type Fallback struct {
	// StaleIfError answers with the last good response while it is not older;
	// 0 keeps none.
	StaleIfError Millis `json:"staleIfError,omitzero"`
	// StatusCode, ContentType and Body are the answer where there is no stale
	// one; StatusCode 0 passes the failure on.
	StatusCode  int    `json:"statusCode,omitzero"`
	ContentType string `json:"contentType,omitzero"`
	Body        string `json:"body,omitzero"`
}

// Chaos injects faults on purpose. Each part is nil where it is off.
type Chaos struct {
	// Latency delays some calls.
	Latency *ChaosLatency `json:"latency,omitzero"`
	// Outcome answers some calls in place of the backend.
	Outcome *ChaosOutcome `json:"outcome,omitzero"`
	// Fault fails some calls with a transport error.
	Fault *ChaosFault `json:"fault,omitzero"`
}

// ChaosLatency delays some calls.
type ChaosLatency struct {
	// InjectionRate is the part of the calls, 0 to 1.
	InjectionRate float64 `json:"injectionRate"`
	// Latency is the delay.
	Latency Millis `json:"latency"`
}

// ChaosOutcome answers some calls in place of the backend.
type ChaosOutcome struct {
	// InjectionRate is the part of the calls, 0 to 1.
	InjectionRate float64 `json:"injectionRate"`
	// StatusCode is that of the answer.
	StatusCode int `json:"statusCode"`
}

// ChaosFault fails some calls with a transport error.
type ChaosFault struct {
	// InjectionRate is the part of the calls, 0 to 1.
	InjectionRate float64 `json:"injectionRate"`
}
