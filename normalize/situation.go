package normalize

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// rules are whose answer is computed: a provider, and the points on which the
// documentation is not followed.
type rules struct {
	divergences profile.Divergences
	provider    profile.Provider
	facts       *profile.Facts
}

// with returns the same rules with another set of divergences.
func (r rules) with(d profile.Divergences) rules {
	r.divergences = d
	return r
}

// limits are those of the provider; nil where there is none.
func (r rules) limits() *profile.Limits {
	switch r.provider {
	case profile.Builtin:
		return &r.facts.Builtin
	case profile.Polly:
		return &r.facts.Polly
	}
	return nil
}

// situation is everything in a configuration that decides a route's QoS.
type situation struct {
	own *config.QoSOptions
	// global is nil where the section does not reach the route.
	global *config.QoSOptions
	// timeout and globalTimeout are seconds.
	timeout, globalTimeout config.Value[int32]
	// resilience is merged; nil if none.
	resilience *config.Resilience

	unlisted bool
	// alone says that the route's QoS is its own, see isAlone.
	alone bool
	// grouped says that the global section names RouteKeys. For an unlisted
	// service the profile decides what that means.
	grouped bool
	// excluded says that the route is outside of that group.
	excluded bool
}

// result is what a situation comes to.
type result struct {
	*QoS
	timeouts
}

// resolve computes a situation under rules; q receives the QoS.
func (s *situation) resolve(by rules, q *QoS) result {
	q.Own, q.Global, q.Excluded = s.own, s.global, s.excluded
	if s.unlisted && s.grouped && !by.divergences.Has(profile.UnlistedGroup) {
		q.Global, q.Excluded = nil, true
	}
	q.Options.merge(q.Own, q.Global, by.divergences)
	q.Options.fill(&by.facts.Defaults)
	if q.Active = q.Options.isActive(by.facts); q.Active {
		constrain(q, by, nil)
	}
	r := result{q, s.timeouts(q, by, nil)}
	if s.resilience != nil {
		r.replaceBy(s.resilience)
	}
	return r
}

// replaceBy puts ResilienceOptions in the place of what they stand in for: an
// expression breaker replaces that of QoSOptions, while the attempt timeout
// stays, and the total timeout replaces the outer one.
func (r *result) replaceBy(o *config.Resilience) {
	if o.CircuitBreaker != nil {
		r.Breaker = Breaker{Kind: Expression, InsteadOf: r.Breaker.Kind}
	}
	if total := o.TotalTimeout; total.IsSet() {
		r.outer = config.Value[int64]{V: int64(total.V), Origin: total.Origin}
		r.doubled = false
	}
}
