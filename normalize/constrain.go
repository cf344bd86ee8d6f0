package normalize

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

const (
	// lowThroughput is the smallest MinimumThroughput that is a value of its
	// own everywhere; what becomes of 1 depends on the program.
	lowThroughput     = 2
	defaultThroughput = 100
)

// constraining is one application of a provider's limits.
type constraining struct {
	*Options
	*profile.Limits
	by    rules
	notes *notes
	// into gets the Refusal. It is written there at once, for what c holds
	// would have to live on the heap if it was taken from c.
	into *QoS
}

// constrain completes a QoS with the breaker and the attempt timeout that a
// provider makes of active options. Where Polly refuses one of them, neither is
// there and Refused says why.
func constrain(q *QoS, by rules, n *notes) {
	c := constraining{Options: &q.Options, Limits: by.limits(), by: by, notes: n, into: q}
	if c.Limits == nil {
		return
	}
	if by.facts.TimeoutOutside { // strategies are built from the outside
		q.AttemptTimeout = c.attemptTimeout()
		q.Breaker = c.breaker()
	} else {
		q.Breaker = c.breaker()
		q.AttemptTimeout = c.attemptTimeout()
	}
	if q.Refused != nil {
		q.Breaker, q.AttemptTimeout = Breaker{}, config.Value[int32]{}
	}
}

func (c *constraining) breaker() Breaker {
	if c.by.provider == profile.Polly {
		return c.polly()
	}
	return c.builtin()
}

// builtin chooses the mode by FailureRatio alone: set means ratio mode, with
// everything else defaulted (claim-D03, claim-D04).
func (c *constraining) builtin() Breaker {
	b := Breaker{MinimumThroughput: c.throughput()}
	if !b.MinimumThroughput.IsSet() {
		c.ignored(BreakerOff)
		return Breaker{}
	}
	b.BreakDuration = c.duration(BreakDuration, c.Options.BreakDuration.Value, c.Limits.BreakDuration)
	b.FailureRatio = c.builtinRatio()
	if !b.FailureRatio.IsSet() {
		b.Kind = Consecutive
		c.notes.ignore(SamplingDuration, toNumber(c.Options.SamplingDuration.Value), CountMode)
		return b
	}
	b.Kind = Ratio
	b.SamplingDuration = c.duration(SamplingDuration, c.Options.SamplingDuration.Value, c.Limits.SamplingDuration)
	return b
}

// polly has one mode in each program, and no breaker without a positive
// MinimumThroughput (claim-D08).
func (c *constraining) polly() Breaker {
	b := Breaker{Kind: Polly, MinimumThroughput: c.throughput()}
	if !b.MinimumThroughput.IsSet() {
		c.ignored(BreakerOff)
		return Breaker{}
	}
	b.BreakDuration = c.duration(BreakDuration, c.Options.BreakDuration.Value, c.Limits.BreakDuration)
	if c.Limits.Ratio == 0 {
		b.Kind = Consecutive
		return b
	}
	ratio := c.Options.FailureRatio.Value
	valid := ratio.V > 0 && ratio.V < 1
	if !c.by.divergences.Has(profile.PollyRatioOne) {
		valid = valid || ratio.V == 1
	}
	b.FailureRatio = c.ratioOr(ratio, valid)
	b.SamplingDuration = c.duration(SamplingDuration, c.Options.SamplingDuration.Value, c.Limits.SamplingDuration)
	return b
}

// throughput returns MinimumThroughput as it is used; unset: no breaker.
func (c *constraining) throughput() config.Value[int32] {
	v := c.Options.MinimumThroughput.Value
	builtin := c.by.provider == profile.Builtin
	switch {
	case v.V >= lowThroughput:
		return v
	case !v.IsSet() && !builtin:
		return v
	case v.IsSet() && v.V <= 0 && !(builtin && c.by.divergences.Has(profile.ZeroThroughput)):
		c.notes.ignore(MinimumThroughput, toNumber(v), BreakerOff)
		return config.Value[int32]{}
	}
	return c.lowThroughput(v)
}

// lowThroughput returns what becomes of a MinimumThroughput of 1, or of less
// where the built-in breaker can't be switched off.
func (c *constraining) lowThroughput(v config.Value[int32]) config.Value[int32] {
	switch c.Limits.Throughput {
	case profile.OneIsOff:
		c.notes.ignore(MinimumThroughput, toNumber(v), OneBreakerOff)
		return config.Value[int32]{}
	case profile.OneIsRefused:
		c.refuse(MinimumThroughput, v)
		return v
	case profile.OneIsOne:
		return v
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
	case !positive && c.by.divergences.Has(profile.NonpositiveRatio):
		c.notes.ignore(FailureRatio, v, CountMode)
		return config.Value[float64]{}
	}
	return c.ratioOr(v, positive && v.V <= 1)
}

func (c *constraining) ratioOr(v config.Value[float64], valid bool) config.Value[float64] {
	if valid {
		return v
	}
	effective := instead(v, c.Limits.Ratio)
	c.notes.replace(FailureRatio, v, effective, OutOfRange)
	return effective
}

// attemptTimeout is off unless Timeout is above zero, or always there, with -1
// for no end.
func (c *constraining) attemptTimeout() config.Value[int32] {
	v := c.Options.Timeout.Value
	switch {
	case c.AlwaysTimeout && v.V == Infinite:
		return config.Value[int32]{}
	case c.AlwaysTimeout:
	case v.V <= 0, c.NoTimeout != 0 && v.V == c.NoTimeout:
		c.notes.ignore(Timeout, toNumber(v), TimeoutOff)
		return config.Value[int32]{}
	}
	return c.duration(Timeout, v, c.Limits.Timeout)
}

// duration returns a duration as it is used: as written, as Ocelot replaces
// it, or not at all where Polly refuses it.
func (c *constraining) duration(o Option, v config.Value[int32], b profile.Bound) config.Value[int32] {
	if !v.IsSet() || b.Replaces(v.V) {
		effective := instead(v, b.Instead)
		c.notes.replace(o, toNumber(v), toNumber(effective), OutOfRange)
		return effective
	}
	if b.Refuses(v.V) {
		c.refuse(o, v)
	}
	return v
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
