package normalize

import "github.com/margay-dev/margay/schema/config"

// mergeExpression fills in the defaults of Traefik's circuit breaker, whose
// language the expression is in. The expression itself has none.
func mergeExpression(own, global *config.ExpressionBreaker) *config.ExpressionBreaker {
	a, b := orZero(own), orZero(global)
	m := &config.ExpressionBreaker{
		Section:          sectionOf(own != nil, a.Section, b.Section),
		Enabled:          a.Enabled.Or(b.Enabled),
		Expression:       a.Expression.Or(b.Expression),
		CheckPeriod:      a.CheckPeriod.Or(b.CheckPeriod),
		FallbackDuration: a.FallbackDuration.Or(b.FallbackDuration),
		RecoveryDuration: a.RecoveryDuration.Or(b.RecoveryDuration),
		ResponseCode:     a.ResponseCode.Or(b.ResponseCode),
	}
	if isOff(m.Enabled, m.Expression.IsSet() || m.CheckPeriod.IsSet() || m.FallbackDuration.IsSet() ||
		m.RecoveryDuration.IsSet() || m.ResponseCode.IsSet()) {
		return nil
	}
	m.CheckPeriod = orDefault(m.CheckPeriod, 100)
	m.FallbackDuration = orDefault(m.FallbackDuration, 10_000)
	m.RecoveryDuration = orDefault(m.RecoveryDuration, 10_000)
	m.ResponseCode = orDefault(m.ResponseCode, 503)
	return m
}

// mergeLimiter fills in the standard resilience handler's defaults.
func mergeLimiter(own, global *config.ConcurrencyLimiter) *config.ConcurrencyLimiter {
	a, b := orZero(own), orZero(global)
	m := &config.ConcurrencyLimiter{
		Section:     sectionOf(own != nil, a.Section, b.Section),
		Enabled:     a.Enabled.Or(b.Enabled),
		PermitLimit: a.PermitLimit.Or(b.PermitLimit),
		QueueLimit:  a.QueueLimit.Or(b.QueueLimit),
	}
	if isOff(m.Enabled, m.PermitLimit.IsSet() || m.QueueLimit.IsSet()) {
		return nil
	}
	m.PermitLimit = orDefault(m.PermitLimit, 1000)
	m.QueueLimit = orDefault(m.QueueLimit, 0)
	return m
}

// mergeFallback has no defaults: without StaleIfError nothing is kept, without
// StatusCode the failure is passed on.
func mergeFallback(own, global *config.Fallback) *config.Fallback {
	a, b := orZero(own), orZero(global)
	m := &config.Fallback{
		Section:      sectionOf(own != nil, a.Section, b.Section),
		Enabled:      a.Enabled.Or(b.Enabled),
		StaleIfError: a.StaleIfError.Or(b.StaleIfError),
		StatusCode:   a.StatusCode.Or(b.StatusCode),
		ContentType:  a.ContentType.Or(b.ContentType),
		Body:         a.Body.Or(b.Body),
	}
	if isOff(m.Enabled, m.StaleIfError.IsSet() || m.StatusCode.IsSet() || m.ContentType.IsSet() || m.Body.IsSet()) {
		return nil
	}
	return m
}

// mergeChaos is off as a whole where Enabled is false or no fault is on.
func mergeChaos(own, global *config.Chaos) *config.Chaos {
	a, b := orZero(own), orZero(global)
	m := &config.Chaos{
		Section: sectionOf(own != nil, a.Section, b.Section),
		Enabled: a.Enabled.Or(b.Enabled),
		Latency: mergeLatency(a.Latency, b.Latency),
		Outcome: mergeOutcome(a.Outcome, b.Outcome),
		Fault:   mergeFault(a.Fault, b.Fault),
	}
	if isOff(m.Enabled, true) || m.Latency == nil && m.Outcome == nil && m.Fault == nil {
		return nil
	}
	return m
}

// injectionRate is the default of Polly's chaos strategies.
const injectionRate = 0.001

func mergeLatency(own, global *config.ChaosLatency) *config.ChaosLatency {
	a, b := orZero(own), orZero(global)
	m := &config.ChaosLatency{
		Section:       sectionOf(own != nil, a.Section, b.Section),
		Enabled:       a.Enabled.Or(b.Enabled),
		InjectionRate: a.InjectionRate.Or(b.InjectionRate),
		Latency:       a.Latency.Or(b.Latency),
	}
	if isOff(m.Enabled, m.InjectionRate.IsSet() || m.Latency.IsSet()) {
		return nil
	}
	m.InjectionRate = orDefault(m.InjectionRate, injectionRate)
	m.Latency = orDefault(m.Latency, 30_000)
	return m
}

func mergeOutcome(own, global *config.ChaosOutcome) *config.ChaosOutcome {
	a, b := orZero(own), orZero(global)
	m := &config.ChaosOutcome{
		Section:       sectionOf(own != nil, a.Section, b.Section),
		Enabled:       a.Enabled.Or(b.Enabled),
		InjectionRate: a.InjectionRate.Or(b.InjectionRate),
		StatusCode:    a.StatusCode.Or(b.StatusCode),
	}
	if isOff(m.Enabled, m.InjectionRate.IsSet() || m.StatusCode.IsSet()) {
		return nil
	}
	m.InjectionRate = orDefault(m.InjectionRate, injectionRate)
	m.StatusCode = orDefault(m.StatusCode, 503)
	return m
}

func mergeFault(own, global *config.ChaosFault) *config.ChaosFault {
	a, b := orZero(own), orZero(global)
	m := &config.ChaosFault{
		Section:       sectionOf(own != nil, a.Section, b.Section),
		Enabled:       a.Enabled.Or(b.Enabled),
		InjectionRate: a.InjectionRate.Or(b.InjectionRate),
	}
	if isOff(m.Enabled, m.InjectionRate.IsSet()) {
		return nil
	}
	m.InjectionRate = orDefault(m.InjectionRate, injectionRate)
	return m
}
