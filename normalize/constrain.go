package normalize

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// limits are what one provider accepts and what it takes instead. No setting
// that it refuses stops the start, and only Polly's writes a log line.
type limits struct {
	breakDuration, samplingDuration, timeout span
	// ratio stands in for an invalid FailureRatio.
	ratio float64
}

// span is a range of milliseconds, both ends excluded, and its default.
type span struct {
	over, under int32 // under 0: no upper end
	instead     int32
}

const (
	day = 86_400_000

	// lowThroughput is the smallest MinimumThroughput that is a value of its
	// own; 1 is replaced by defaultThroughput under both providers.
	lowThroughput     = 2
	defaultThroughput = 100
)

// builtinLimits are those of Ocelot's CircuitBreakerDelegatingHandler.
var builtinLimits = limits{
	breakDuration:    span{over: 500, instead: 5000},
	samplingDuration: span{over: 500, instead: 10_000},
	timeout:          span{over: 10, under: day, instead: 30_000},
	ratio:            0.5,
}

// pollyLimits are those of CircuitBreakerStrategy and TimeoutStrategy in
// Ocelot.QualityOfService.Polly, stricter than Polly itself.
var pollyLimits = limits{
	breakDuration:    span{over: 500, under: day, instead: 5000},
	samplingDuration: span{over: 500, under: day, instead: 30_000},
	timeout:          span{over: 10, under: day, instead: 30_000},
	ratio:            0.1,
}

// holds says whether the provider takes v as it is.
func (s span) holds(v int32) bool { return v > s.over && (s.under == 0 || v < s.under) }

// constraining is one application of a provider's limits.
type constraining struct {
	*Options
	*limits
	divergences profile.Divergences
	notes       *notes
}

// constrain returns the breaker and the attempt timeout that a provider makes
// of active options.
func constrain(o *Options, by rules, n *notes) (Breaker, config.Value[int32]) {
	c := constraining{o, &builtinLimits, by.divergences, n}
	switch by.provider {
	case profile.Polly:
		c.limits = &pollyLimits
		return c.polly(), c.attemptTimeout()
	case profile.Builtin:
		return c.builtin(), c.attemptTimeout()
	}
	return Breaker{}, config.Value[int32]{}
}

// builtin chooses the mode by FailureRatio alone: set means ratio mode, with
// everything else defaulted (claim-D03, claim-D04).
func (c *constraining) builtin() Breaker {
	b := Breaker{MinimumThroughput: c.throughput()}
	if !b.MinimumThroughput.IsSet() {
		c.ignored(BreakerOff)
		return Breaker{}
	}
	b.BreakDuration = c.duration(BreakDuration, c.Options.BreakDuration.Value, c.breakDuration)
	b.FailureRatio = c.builtinRatio()
	if !b.FailureRatio.IsSet() {
		b.Kind = Consecutive
		c.notes.ignore(SamplingDuration, toNumber(c.Options.SamplingDuration.Value), CountMode)
		return b
	}
	b.Kind = Ratio
	b.SamplingDuration = c.duration(SamplingDuration, c.Options.SamplingDuration.Value, c.samplingDuration)
	return b
}

// polly has one mode only, and no breaker without a positive
// MinimumThroughput (claim-D08).
func (c *constraining) polly() Breaker {
	b := Breaker{Kind: Polly, MinimumThroughput: c.throughput()}
	if !b.MinimumThroughput.IsSet() {
		c.ignored(BreakerOff)
		return Breaker{}
	}
	b.BreakDuration = c.duration(BreakDuration, c.Options.BreakDuration.Value, c.breakDuration)
	ratio := c.Options.FailureRatio.Value
	valid := ratio.V > 0 && ratio.V < 1
	if !c.divergences.Has(profile.PollyRatioOne) {
		valid = valid || ratio.V == 1
	}
	b.FailureRatio = c.ratioOr(ratio, valid)
	b.SamplingDuration = c.duration(SamplingDuration, c.Options.SamplingDuration.Value, c.samplingDuration)
	return b
}

// throughput returns MinimumThroughput as it is used; unset: no breaker.
func (c *constraining) throughput() config.Value[int32] {
	v := c.Options.MinimumThroughput.Value
	builtin := c.limits == &builtinLimits
	switch {
	case v.V >= lowThroughput:
		return v
	case !v.IsSet() && !builtin:
		return v
	case v.IsSet() && v.V <= 0 && !(builtin && c.divergences.Has(profile.ZeroThroughput)):
		c.notes.ignore(MinimumThroughput, toNumber(v), BreakerOff)
		return config.Value[int32]{}
	}
	effective := instead(v, defaultThroughput)
	c.notes.replace(MinimumThroughput, toNumber(v), toNumber(effective), TooLow)
	return effective
}

// builtinRatio returns the ratio of the built-in breaker; unset: count mode.
func (c *constraining) builtinRatio() config.Value[float64] {
	v := c.Options.FailureRatio.Value
	positive := v.V > 0 // false for NaN
	switch {
	case !v.IsSet():
		return v
	case !positive && c.divergences.Has(profile.NonpositiveRatio):
		c.notes.ignore(FailureRatio, v, CountMode)
		return config.Value[float64]{}
	}
	return c.ratioOr(v, positive && v.V <= 1)
}

func (c *constraining) ratioOr(v config.Value[float64], valid bool) config.Value[float64] {
	if valid {
		return v
	}
	effective := instead(v, c.ratio)
	c.notes.replace(FailureRatio, v, effective, OutOfRange)
	return effective
}

// attemptTimeout is off unless Timeout is above zero.
func (c *constraining) attemptTimeout() config.Value[int32] {
	v := c.Options.Timeout.Value
	if v.V <= 0 {
		c.notes.ignore(Timeout, toNumber(v), TimeoutOff)
		return config.Value[int32]{}
	}
	return c.duration(Timeout, v, c.timeout)
}

func (c *constraining) duration(o Option, v config.Value[int32], s span) config.Value[int32] {
	if v.IsSet() && s.holds(v.V) {
		return v
	}
	effective := instead(v, s.instead)
	c.notes.replace(o, toNumber(v), toNumber(effective), OutOfRange)
	return effective
}

// ignored notes the options that mean nothing without a breaker.
func (c *constraining) ignored(why Why) {
	c.notes.ignore(BreakDuration, toNumber(c.Options.BreakDuration.Value), why)
	c.notes.ignore(FailureRatio, c.Options.FailureRatio.Value, why)
	c.notes.ignore(SamplingDuration, toNumber(c.Options.SamplingDuration.Value), why)
}

// instead returns a value that stands in for one that is unset or refused.
func instead[T any](refused config.Value[T], v T) config.Value[T] {
	return config.Value[T]{V: v, Origin: derived(refused.Origin)}
}

// derived returns the origin of a value that came about at another one's
// place: Default where that is nowhere.
func derived(o config.Origin) config.Origin {
	switch o.Kind {
	case config.Unset:
		o.Kind = config.Default
	case config.Explicit:
		o.Kind = config.Derived
	}
	return o
}
