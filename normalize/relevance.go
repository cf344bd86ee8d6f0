package normalize

import (
	"math"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// relevant returns the divergences that can make a difference to a situation
// at all: any other one gives the same result with and without it. Most routes
// have none, and need to be resolved once only.
func (s *situation) relevant(by rules) profile.Divergences {
	d := s.relevantTimeouts()
	if s.unlisted && s.grouped {
		d |= profile.UnlistedGroup
	}
	if s.own != nil && s.global != nil && globalNameWins(s.own, s.global) {
		d |= profile.MergeBeforeAlias
	}
	for _, section := range [...]*config.QoSOptions{s.own, s.global} {
		if section != nil {
			d |= relevantOptions(section, by)
		}
	}
	return d
}

func (s *situation) relevantTimeouts() profile.Divergences {
	var d profile.Divergences
	if overflows(s.timeout.V) || overflows(s.globalTimeout.V) {
		d |= profile.SecondsOverflow
	}
	if !s.unlisted && isNotPositive(&s.timeout) {
		d |= profile.ZeroRouteTimeout
	}
	if s.unlisted && isNotPositive(&s.globalTimeout) {
		d |= profile.UnlistedTimeout
	}
	return d
}

// globalNameWins says whether a deprecated name of the global section beats a
// new name of the route in the program.
func globalNameWins(own, global *config.QoSOptions) bool {
	wins := func(deprecated, written, global *config.Value[int32]) bool {
		return written.IsSet() && global.IsSet() && !deprecated.IsSet()
	}
	return wins(&own.DurationOfBreak, &own.BreakDuration, &global.DurationOfBreak) ||
		wins(&own.ExceptionsAllowedBeforeBreaking, &own.MinimumThroughput, &global.ExceptionsAllowedBeforeBreaking) ||
		wins(&own.TimeoutValue, &own.Timeout, &global.TimeoutValue)
}

func relevantOptions(o *config.QoSOptions, by rules) profile.Divergences {
	var d profile.Divergences
	ratio := &o.FailureRatio
	switch by.provider {
	case profile.Builtin:
		if isNotPositive(&o.MinimumThroughput) || isNotPositive(&o.ExceptionsAllowedBeforeBreaking) {
			d |= profile.ZeroThroughput
		}
		if ratio.IsSet() && !(ratio.V > 0) { // NaN too
			d |= profile.NonpositiveRatio
		}
	case profile.Polly:
		if ratio.V == 1 {
			d |= profile.PollyRatioOne
		}
	}
	if isReplaced(&o.Timeout, by) || isReplaced(&o.TimeoutValue, by) {
		d |= profile.RawOuterTimeout
	}
	return d
}

// isReplaced says whether a QoS timeout as written is not the one in effect.
func isReplaced(v *config.Value[int32], by rules) bool {
	limits := by.limits()
	return v.IsSet() && (limits == nil || limits.Timeout.Replaces(v.V))
}

func isNotPositive(v *config.Value[int32]) bool { return v.IsSet() && v.V <= 0 }

// overflows says whether so many seconds don't fit 32 bits of milliseconds.
func overflows(seconds int32) bool {
	const most = math.MaxInt32 / 1000
	return seconds > most || seconds < -most
}
