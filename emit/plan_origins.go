package emit

import (
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/config"
)

// origins tells where the values of a route's strategies are written. Defaults
// of ResilienceOptions, which are many and the same everywhere, are left out.
func (l *lowering) origins(route *normalize.Route) []plan.Origin {
	var list []plan.Origin
	add := func(field string, o config.Origin) {
		if at := l.at(o); at != "" {
			list = append(list, plan.Origin{Field: field, At: at})
		}
	}
	owner := l.owner(route)
	add("outerTimeout", route.OuterTimeout.Origin)
	add("breaker.minimumThroughput", owner.Breaker.MinimumThroughput.Origin)
	add("breaker.failureRatio", owner.Breaker.FailureRatio.Origin)
	add("breaker.samplingDuration", owner.Breaker.SamplingDuration.Origin)
	add("breaker.breakDuration", owner.Breaker.BreakDuration.Origin)
	add("attemptTimeout", owner.AttemptTimeout.Origin)
	if o := route.Resilience; o != nil {
		addResilience(func(field string, o config.Origin) {
			if o.Kind != config.Default {
				add(field, o)
			}
		}, o)
	}
	return list
}

func addResilience(add func(field string, o config.Origin), o *config.Resilience) {
	if b := o.CircuitBreaker; b != nil {
		add("breaker.expression", b.Expression.Origin)
		add("breaker.checkPeriod", b.CheckPeriod.Origin)
		add("breaker.fallbackDuration", b.FallbackDuration.Origin)
		add("breaker.recoveryDuration", b.RecoveryDuration.Origin)
		add("breaker.responseCode", b.ResponseCode.Origin)
	}
	if o.FailureStatusCodes != nil {
		add("failures.statusCodes", o.FailureStatusCodes.Origin)
	}
	if r := o.Retry; r != nil {
		addRetry(add, r)
	}
	if l := o.ConcurrencyLimiter; l != nil {
		add("concurrencyLimiter.permitLimit", l.PermitLimit.Origin)
		add("concurrencyLimiter.queueLimit", l.QueueLimit.Origin)
	}
	if f := o.Fallback; f != nil {
		add("fallback.staleIfError", f.StaleIfError.Origin)
		add("fallback.statusCode", f.StatusCode.Origin)
		add("fallback.contentType", f.ContentType.Origin)
		add("fallback.body", f.Body.Origin)
	}
	add("problemDetails", o.ProblemDetails.Origin)
	if c := o.Chaos; c != nil {
		add("chaos", c.Section.Origin)
	}
}

func addRetry(add func(field string, o config.Origin), r *config.Retry) {
	add("retry.maxRetryAttempts", r.MaxRetryAttempts.Origin)
	add("retry.delay", r.Delay.Origin)
	add("retry.maxDelay", r.MaxDelay.Origin)
	add("retry.backoff", r.BackoffType.Origin)
	add("retry.useJitter", r.UseJitter.Origin)
	add("retry.retryAfter", r.ShouldRetryAfterHeader.Origin)
	add("retry.maxRetryAfter", r.MaxRetryAfter.Origin)
	if r.StatusCodes != nil {
		add("retry.statusCodes", r.StatusCodes.Origin)
	}
	if r.Methods != nil {
		add("retry.methods", r.Methods.Origin)
	}
	add("retry.maxBufferedBody", r.MaxBufferedBody.Origin)
	if b := r.RetryBudget; b != nil {
		add("retry.budget.retryRatio", b.RetryRatio.Origin)
		add("retry.budget.minimumThroughput", b.MinimumThroughput.Origin)
		add("retry.budget.samplingDuration", b.SamplingDuration.Origin)
		add("retry.budget.scope", b.Scope.Origin)
	}
}
