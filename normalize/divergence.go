package normalize

import (
	"math"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// diverging names the points on which the documentation and a program give a
// situation different results: every one whose removal from the program changes
// its result, or, where two mask each other so that none does, every one whose
// addition to the documentation changes that. known is the result under by.
func (s *situation) diverging(by rules, known *result, program profile.Divergences) profile.Divergences {
	relevant := program & s.relevant(by)
	if relevant == 0 {
		return 0
	}
	var q QoS
	other := s.resolve(by.with(program&^by.divergences), &q)
	if other.same(known) {
		return 0
	}
	observed, documented := known, &other
	if by.divergences == 0 {
		observed, documented = &other, known
	}
	var named profile.Divergences
	for d := range relevant.All() {
		var q QoS
		without := s.resolve(by.with(relevant&^d), &q)
		if !without.same(observed) {
			named |= d
		}
	}
	if named != 0 {
		return named
	}
	for d := range relevant.All() {
		var q QoS
		with := s.resolve(by.with(d), &q)
		if !with.same(documented) {
			named |= d
		}
	}
	return named
}

// same says whether two results differ in nothing that a reader of the
// resolved gateway sees: options, activity, breaker, timeouts. Where a value
// came from does not matter.
func (r *result) same(o *result) bool {
	return r.Active == o.Active &&
		r.outer.V == o.outer.V &&
		equal(&r.route.Value, &o.route.Value) &&
		equal(&r.AttemptTimeout, &o.AttemptTimeout) &&
		r.Options.same(&o.Options) &&
		r.Breaker.same(&o.Breaker)
}

func (o *Options) same(p *Options) bool {
	return equal(&o.BreakDuration.Value, &p.BreakDuration.Value) &&
		equal(&o.MinimumThroughput.Value, &p.MinimumThroughput.Value) &&
		equalRatio(&o.FailureRatio.Value, &p.FailureRatio.Value) &&
		equal(&o.SamplingDuration.Value, &p.SamplingDuration.Value) &&
		equal(&o.Timeout.Value, &p.Timeout.Value)
}

func (b *Breaker) same(c *Breaker) bool {
	return b.Kind == c.Kind &&
		equal(&b.MinimumThroughput, &c.MinimumThroughput) &&
		equalRatio(&b.FailureRatio, &c.FailureRatio) &&
		equal(&b.SamplingDuration, &c.SamplingDuration) &&
		equal(&b.BreakDuration, &c.BreakDuration)
}

func equal[T comparable](a, b *config.Value[T]) bool {
	return a.IsSet() == b.IsSet() && a.V == b.V
}

// equalRatio is equal for numbers that may be NaN.
func equalRatio(a, b *config.Value[float64]) bool {
	return equal(a, b) || a.IsSet() && b.IsSet() && math.IsNaN(a.V) && math.IsNaN(b.V)
}
