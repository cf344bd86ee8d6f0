package normalize

import "github.com/margay-dev/margay/schema/config"

func mergeRetry(own, global *config.Retry) *config.Retry {
	a, b := orZero(own), orZero(global)
	budget, budgetSet := mergeBudget(a.RetryBudget, b.RetryBudget)
	m := &config.Retry{
		Section:                sectionOf(own != nil, a.Section, b.Section),
		Enabled:                a.Enabled.Or(b.Enabled),
		MaxRetryAttempts:       a.MaxRetryAttempts.Or(b.MaxRetryAttempts),
		Delay:                  a.Delay.Or(b.Delay),
		MaxDelay:               a.MaxDelay.Or(b.MaxDelay),
		BackoffType:            a.BackoffType.Or(b.BackoffType),
		UseJitter:              a.UseJitter.Or(b.UseJitter),
		ShouldRetryAfterHeader: a.ShouldRetryAfterHeader.Or(b.ShouldRetryAfterHeader),
		MaxRetryAfter:          a.MaxRetryAfter.Or(b.MaxRetryAfter),
		StatusCodes:            orList(a.StatusCodes, b.StatusCodes),
		Methods:                orList(a.Methods, b.Methods),
		MaxBufferedBody:        a.MaxBufferedBody.Or(b.MaxBufferedBody),
		RetryBudget:            budget,
	}
	if isOff(m.Enabled, budgetSet || retryHasLeaf(m)) {
		return nil
	}
	setRetryDefaults(m)
	return m
}

func retryHasLeaf(m *config.Retry) bool {
	return m.MaxRetryAttempts.IsSet() || m.Delay.IsSet() || m.MaxDelay.IsSet() || m.BackoffType.IsSet() || m.UseJitter.IsSet() ||
		m.ShouldRetryAfterHeader.IsSet() || m.MaxRetryAfter.IsSet() || m.StatusCodes != nil || m.Methods != nil || m.MaxBufferedBody.IsSet()
}

// setRetryDefaults fills in what the standard resilience handler of
// Microsoft.Extensions.Http.Resilience assumes. MaxDelay and MaxRetryAfter have
// no default: there is no bound. Methods are the safe ones, which is margay's
// own choice: the handler retries every method.
func setRetryDefaults(m *config.Retry) {
	m.MaxRetryAttempts = orDefault(m.MaxRetryAttempts, 3)
	m.Delay = orDefault(m.Delay, 2000)
	m.BackoffType = orDefault(m.BackoffType, "Exponential")
	m.UseJitter = orDefault(m.UseJitter, true)
	m.ShouldRetryAfterHeader = orDefault(m.ShouldRetryAfterHeader, true)
	m.MaxBufferedBody = orDefault(m.MaxBufferedBody, 1<<20)
	if m.StatusCodes == nil {
		m.StatusCodes = defaultList(config.StatusCodes{First: 408, Last: 408},
			config.StatusCodes{First: 429, Last: 429}, config.StatusCodes{First: 500, Last: 599})
	}
	if m.Methods == nil {
		m.Methods = defaultList("GET", "HEAD", "OPTIONS", "TRACE")
	}
}

// mergeBudget also says whether anything was set, as that switches the retry
// strategy around it on.
func mergeBudget(own, global *config.RetryBudget) (m *config.RetryBudget, isSet bool) {
	a, b := orZero(own), orZero(global)
	m = &config.RetryBudget{
		Section:           sectionOf(own != nil, a.Section, b.Section),
		Enabled:           a.Enabled.Or(b.Enabled),
		RetryRatio:        a.RetryRatio.Or(b.RetryRatio),
		MinimumThroughput: a.MinimumThroughput.Or(b.MinimumThroughput),
		SamplingDuration:  a.SamplingDuration.Or(b.SamplingDuration),
		Scope:             a.Scope.Or(b.Scope),
	}
	isSet = m.RetryRatio.IsSet() || m.MinimumThroughput.IsSet() || m.SamplingDuration.IsSet() || m.Scope.IsSet()
	if isOff(m.Enabled, isSet) {
		return nil, isSet || m.Enabled.IsSet()
	}
	m.RetryRatio = orDefault(m.RetryRatio, 0.1)
	m.MinimumThroughput = orDefault(m.MinimumThroughput, 10)
	m.SamplingDuration = orDefault(m.SamplingDuration, 10_000)
	m.Scope = orDefault(m.Scope, "Route")
	return m, true
}

func defaultList[T any](items ...T) *config.List[T] {
	origin := config.Origin{Kind: config.Default}
	list := &config.List[T]{Origin: origin}
	for _, item := range items {
		list.Items = append(list.Items, config.Value[T]{V: item, Origin: origin})
	}
	return list
}
