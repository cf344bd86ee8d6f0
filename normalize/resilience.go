package normalize

import "github.com/margay-dev/margay/schema/config"

// resilienceSharer merges ResilienceOptions, once for all routes that have none
// of their own.
type resilienceSharer struct {
	global   *config.Resilience // nil if none
	group    group
	shared   *config.Resilience // the global section, merged with nothing
	isMerged bool
}

func newResilienceSharer(cfg *config.Configuration) resilienceSharer {
	section := cfg.Global.Resilience
	if section == nil {
		return resilienceSharer{}
	}
	return resilienceSharer{global: &section.Resilience, group: newGroup(section.RouteKeys)}
}

// merged returns what is in force on a route, defaults filled in; nil if
// nothing is. Unlisted services belong to no group.
func (r *resilienceSharer) merged(base *config.RouteBase, unlisted bool) *config.Resilience {
	global := r.global
	if global != nil && !r.group.isEveryRoute() && (unlisted || !r.group.has(base.Key)) {
		global = nil
	}
	switch {
	case base.Resilience != nil:
		return mergeResilience(base.Resilience, global)
	case global == nil:
		return nil
	case !r.isMerged:
		r.shared, r.isMerged = mergeResilience(nil, global), true
	}
	return r.shared
}

// mergeResilience merges two sections leaf by leaf at every depth, switches off
// what is disabled or has no leaf, and fills in defaults.
func mergeResilience(own, global *config.Resilience) *config.Resilience {
	a, b := orZero(own), orZero(global)
	m := &config.Resilience{
		Section:            sectionOf(own != nil, a.Section, b.Section),
		TotalTimeout:       a.TotalTimeout.Or(b.TotalTimeout),
		Retry:              mergeRetry(a.Retry, b.Retry),
		CircuitBreaker:     mergeExpression(a.CircuitBreaker, b.CircuitBreaker),
		FailureStatusCodes: orList(a.FailureStatusCodes, b.FailureStatusCodes),
		ConcurrencyLimiter: mergeLimiter(a.ConcurrencyLimiter, b.ConcurrencyLimiter),
		Fallback:           mergeFallback(a.Fallback, b.Fallback),
		ProblemDetails:     a.ProblemDetails.Or(b.ProblemDetails),
		Chaos:              mergeChaos(a.Chaos, b.Chaos),
	}
	if !m.TotalTimeout.IsSet() && m.Retry == nil && m.CircuitBreaker == nil && m.FailureStatusCodes == nil &&
		m.ConcurrencyLimiter == nil && m.Fallback == nil && !m.ProblemDetails.IsSet() && m.Chaos == nil {
		return nil
	}
	return m
}

func orZero[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// sectionOf returns the section whose place stands for the merged one.
func sectionOf(hasOwn bool, own, global config.Section) config.Section {
	if hasOwn {
		return own
	}
	return global
}

// orList takes arrays whole; an empty one is set.
func orList[T any](own, global *config.List[T]) *config.List[T] {
	if own != nil {
		return own
	}
	return global
}

// isOff says whether a strategy is off: disabled, or without any leaf.
func isOff(enabled config.Value[bool], hasLeaf bool) bool {
	if enabled.IsSet() {
		return !enabled.V
	}
	return !hasLeaf
}

func orDefault[T any](v config.Value[T], d T) config.Value[T] {
	if v.IsSet() {
		return v
	}
	return config.Value[T]{V: d, Origin: config.Origin{Kind: config.Default}}
}
