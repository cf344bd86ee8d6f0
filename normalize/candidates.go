package normalize

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// Candidate is one place where an option of a route is set.
type Candidate struct {
	Place Place
	Value config.Value[float64]
}

// Candidates returns every place where an option is set, the deciding one
// first and each next one beaten by those before it. Options that are set
// nowhere have none. OuterTimeout has those of RouteTimeout.
func (r *Route) Candidates(o Option) []Candidate {
	var c []Candidate
	add := func(place Place, v config.Value[float64]) {
		if v.IsSet() {
			c = append(c, Candidate{place, v})
		}
	}
	if o >= RouteTimeout {
		if base := r.Base(); base != nil {
			add(RouteNew, toNumber(base.Timeout))
		}
		if r.Kind != Aggregate {
			add(GlobalNew, toNumber(r.gateway.Config.Global.Timeout))
		}
		return c
	}
	order := documentedOrder
	if r.under.Has(profile.MergeBeforeAlias) {
		order = observedOrder
	}
	for _, place := range order {
		section := r.Own
		if place == GlobalDeprecated || place == GlobalNew {
			section = r.Global
		}
		if section != nil {
			add(place, valueAt(section, o, place == RouteDeprecated || place == GlobalDeprecated))
		}
	}
	return c
}

func valueAt(s *config.QoSOptions, o Option, deprecated bool) config.Value[float64] {
	switch {
	case o == BreakDuration && deprecated:
		return toNumber(s.DurationOfBreak)
	case o == BreakDuration:
		return toNumber(s.BreakDuration)
	case o == MinimumThroughput && deprecated:
		return toNumber(s.ExceptionsAllowedBeforeBreaking)
	case o == MinimumThroughput:
		return toNumber(s.MinimumThroughput)
	case o == Timeout && deprecated:
		return toNumber(s.TimeoutValue)
	case o == Timeout:
		return toNumber(s.Timeout)
	case o == FailureRatio && !deprecated:
		return s.FailureRatio
	case o == SamplingDuration && !deprecated:
		return toNumber(s.SamplingDuration)
	}
	return config.Value[float64]{}
}
