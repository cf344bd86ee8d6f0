package bind

import "github.com/margay-dev/margay/schema/config"

var resilienceFields = []field[config.Resilience]{
	{"TotalTimeout", nullable(func(o *config.Resilience) *number { return &o.TotalTimeout }, int32Kind)},
	{"Retry", object(func(o *config.Resilience) **config.Retry { return &o.Retry }, retryTable, retrySlab)},
	{"CircuitBreaker", object(func(o *config.Resilience) **config.ExpressionBreaker { return &o.CircuitBreaker },
		expressionBreakerTable, nil)},
	{"FailureStatusCodes", statusCodes(func(o *config.Resilience) **codes { return &o.FailureStatusCodes })},
	{"ConcurrencyLimiter", object(func(o *config.Resilience) **config.ConcurrencyLimiter { return &o.ConcurrencyLimiter },
		concurrencyLimiterTable, nil)},
	{"Fallback", object(func(o *config.Resilience) **config.Fallback { return &o.Fallback }, fallbackTable, nil)},
	{"ProblemDetails", nullable(func(o *config.Resilience) *flag { return &o.ProblemDetails }, boolKind)},
	{"Chaos", object(func(o *config.Resilience) **config.Chaos { return &o.Chaos }, chaosTable, nil)},
}

var retryFields = []field[config.Retry]{
	{"Enabled", nullable(func(o *config.Retry) *flag { return &o.Enabled }, boolKind)},
	{"MaxRetryAttempts", nullable(func(o *config.Retry) *number { return &o.MaxRetryAttempts }, int32Kind)},
	{"Delay", nullable(func(o *config.Retry) *number { return &o.Delay }, int32Kind)},
	{"MaxDelay", nullable(func(o *config.Retry) *number { return &o.MaxDelay }, int32Kind)},
	{"BackoffType", str(func(o *config.Retry) *line { return &o.BackoffType })},
	{"UseJitter", nullable(func(o *config.Retry) *flag { return &o.UseJitter }, boolKind)},
	{"ShouldRetryAfterHeader", nullable(func(o *config.Retry) *flag { return &o.ShouldRetryAfterHeader }, boolKind)},
	{"MaxRetryAfter", nullable(func(o *config.Retry) *number { return &o.MaxRetryAfter }, int32Kind)},
	{"StatusCodes", statusCodes(func(o *config.Retry) **codes { return &o.StatusCodes })},
	{"Methods", whole(func(o *config.Retry) **texts { return &o.Methods })},
	{"MaxBufferedBody", nullable(func(o *config.Retry) *number { return &o.MaxBufferedBody }, int32Kind)},
	{"RetryBudget", object(func(o *config.Retry) **config.RetryBudget { return &o.RetryBudget },
		retryBudgetTable, nil)},
}

var retryBudgetFields = []field[config.RetryBudget]{
	{"Enabled", nullable(func(o *config.RetryBudget) *flag { return &o.Enabled }, boolKind)},
	{"RetryRatio", nullable(func(o *config.RetryBudget) *ratio { return &o.RetryRatio }, doubleKind)},
	{"MinimumThroughput", nullable(func(o *config.RetryBudget) *number { return &o.MinimumThroughput }, int32Kind)},
	{"SamplingDuration", nullable(func(o *config.RetryBudget) *number { return &o.SamplingDuration }, int32Kind)},
	{"Scope", str(func(o *config.RetryBudget) *line { return &o.Scope })},
}

var expressionBreakerFields = []field[config.ExpressionBreaker]{
	{"Enabled", nullable(func(o *config.ExpressionBreaker) *flag { return &o.Enabled }, boolKind)},
	{"Expression", str(func(o *config.ExpressionBreaker) *line { return &o.Expression })},
	{"CheckPeriod", nullable(func(o *config.ExpressionBreaker) *number { return &o.CheckPeriod }, int32Kind)},
	{"FallbackDuration", nullable(func(o *config.ExpressionBreaker) *number { return &o.FallbackDuration }, int32Kind)},
	{"RecoveryDuration", nullable(func(o *config.ExpressionBreaker) *number { return &o.RecoveryDuration }, int32Kind)},
	{"ResponseCode", nullable(func(o *config.ExpressionBreaker) *number { return &o.ResponseCode }, int32Kind)},
}

var concurrencyLimiterFields = []field[config.ConcurrencyLimiter]{
	{"Enabled", nullable(func(o *config.ConcurrencyLimiter) *flag { return &o.Enabled }, boolKind)},
	{"PermitLimit", nullable(func(o *config.ConcurrencyLimiter) *number { return &o.PermitLimit }, int32Kind)},
	{"QueueLimit", nullable(func(o *config.ConcurrencyLimiter) *number { return &o.QueueLimit }, int32Kind)},
}

var fallbackFields = []field[config.Fallback]{
	{"Enabled", nullable(func(o *config.Fallback) *flag { return &o.Enabled }, boolKind)},
	{"StaleIfError", nullable(func(o *config.Fallback) *number { return &o.StaleIfError }, int32Kind)},
	{"StatusCode", nullable(func(o *config.Fallback) *number { return &o.StatusCode }, int32Kind)},
	{"ContentType", str(func(o *config.Fallback) *line { return &o.ContentType })},
	{"Body", str(func(o *config.Fallback) *line { return &o.Body })},
}

var chaosFields = []field[config.Chaos]{
	{"Enabled", nullable(func(o *config.Chaos) *flag { return &o.Enabled }, boolKind)},
	{"Latency", object(func(o *config.Chaos) **config.ChaosLatency { return &o.Latency }, chaosLatencyTable, nil)},
	{"Outcome", object(func(o *config.Chaos) **config.ChaosOutcome { return &o.Outcome }, chaosOutcomeTable, nil)},
	{"Fault", object(func(o *config.Chaos) **config.ChaosFault { return &o.Fault }, chaosFaultTable, nil)},
}

var chaosLatencyFields = []field[config.ChaosLatency]{
	{"Enabled", nullable(func(o *config.ChaosLatency) *flag { return &o.Enabled }, boolKind)},
	{"InjectionRate", nullable(func(o *config.ChaosLatency) *ratio { return &o.InjectionRate }, doubleKind)},
	{"Latency", nullable(func(o *config.ChaosLatency) *number { return &o.Latency }, int32Kind)},
}

var chaosOutcomeFields = []field[config.ChaosOutcome]{
	{"Enabled", nullable(func(o *config.ChaosOutcome) *flag { return &o.Enabled }, boolKind)},
	{"InjectionRate", nullable(func(o *config.ChaosOutcome) *ratio { return &o.InjectionRate }, doubleKind)},
	{"StatusCode", nullable(func(o *config.ChaosOutcome) *number { return &o.StatusCode }, int32Kind)},
}

var chaosFaultFields = []field[config.ChaosFault]{
	{"Enabled", nullable(func(o *config.ChaosFault) *flag { return &o.Enabled }, boolKind)},
	{"InjectionRate", nullable(func(o *config.ChaosFault) *ratio { return &o.InjectionRate }, doubleKind)},
}

// The classes of ResilienceOptions. They are margay's own: nothing in them ever
// drops an element that Ocelot reads.
var (
	resilienceTable = newTable(func(o *config.Resilience) *config.Section { return &o.Section },
		config.Resilience{}, resilienceFields)
	retryTable = newTable(func(o *config.Retry) *config.Section { return &o.Section },
		config.Retry{}, retryFields)
	retryBudgetTable = newTable(func(o *config.RetryBudget) *config.Section { return &o.Section },
		config.RetryBudget{}, retryBudgetFields)
	expressionBreakerTable = newTable(func(o *config.ExpressionBreaker) *config.Section { return &o.Section },
		config.ExpressionBreaker{}, expressionBreakerFields)
	concurrencyLimiterTable = newTable(func(o *config.ConcurrencyLimiter) *config.Section { return &o.Section },
		config.ConcurrencyLimiter{}, concurrencyLimiterFields)
	fallbackTable = newTable(func(o *config.Fallback) *config.Section { return &o.Section },
		config.Fallback{}, fallbackFields)
	chaosTable = newTable(func(o *config.Chaos) *config.Section { return &o.Section },
		config.Chaos{}, chaosFields)
	chaosLatencyTable = newTable(func(o *config.ChaosLatency) *config.Section { return &o.Section },
		config.ChaosLatency{}, chaosLatencyFields)
	chaosOutcomeTable = newTable(func(o *config.ChaosOutcome) *config.Section { return &o.Section },
		config.ChaosOutcome{}, chaosOutcomeFields)
	chaosFaultTable = newTable(func(o *config.ChaosFault) *config.Section { return &o.Section },
		config.ChaosFault{}, chaosFaultFields)
	globalResilienceTable = newTable(func(o *config.GlobalResilience) *config.Section { return &o.Section },
		config.GlobalResilience{}, routeKeys(func(o *config.GlobalResilience) **texts { return &o.RouteKeys }),
		lift(func(o *config.GlobalResilience) *config.Resilience { return &o.Resilience }, resilienceFields))
)
