package normalize

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// Ocelot fills the eight raw names of a route from the global section and reads
// deprecated names after that (claim-D14 to claim-D16); by its documentation
// the route wins over the global section whatever the names are.
var (
	observedOrder   = [...]Place{RouteDeprecated, GlobalDeprecated, RouteNew, GlobalNew}
	documentedOrder = [...]Place{RouteDeprecated, RouteNew, GlobalDeprecated, GlobalNew}
)

// merge decides each option. Only null is missing: 0 and negatives are values.
// A nil section has nothing set.
func (o *Options) merge(own, global *config.QoSOptions, d profile.Divergences) {
	order := &documentedOrder
	if d.Has(profile.MergeBeforeAlias) {
		order = &observedOrder
	}
	var (
		breaks, throughput, sampling, timeout places[int32]
		ratio                                 places[float64]
	)
	if own != nil {
		breaks[RouteDeprecated], breaks[RouteNew] = &own.DurationOfBreak, &own.BreakDuration
		throughput[RouteDeprecated], throughput[RouteNew] = &own.ExceptionsAllowedBeforeBreaking, &own.MinimumThroughput
		timeout[RouteDeprecated], timeout[RouteNew] = &own.TimeoutValue, &own.Timeout
		ratio[RouteNew], sampling[RouteNew] = &own.FailureRatio, &own.SamplingDuration
	}
	if global != nil {
		breaks[GlobalDeprecated], breaks[GlobalNew] = &global.DurationOfBreak, &global.BreakDuration
		throughput[GlobalDeprecated], throughput[GlobalNew] = &global.ExceptionsAllowedBeforeBreaking, &global.MinimumThroughput
		timeout[GlobalDeprecated], timeout[GlobalNew] = &global.TimeoutValue, &global.Timeout
		ratio[GlobalNew], sampling[GlobalNew] = &global.FailureRatio, &global.SamplingDuration
	}
	o.BreakDuration = decide(&breaks, order)
	o.MinimumThroughput = decide(&throughput, order)
	o.FailureRatio = decide(&ratio, order)
	o.SamplingDuration = decide(&sampling, order)
	o.Timeout = decide(&timeout, order)
}

// fill sets the options that are written nowhere, in programs where an option
// is never unset.
func (o *Options) fill(d *profile.Defaults) {
	if !d.Set {
		return
	}
	o.BreakDuration.Value = orDefault(o.BreakDuration.Value, d.BreakDuration)
	o.MinimumThroughput.Value = orDefault(o.MinimumThroughput.Value, 0)
	o.Timeout.Value = orDefault(o.Timeout.Value, 0)
}

// isActive is QosOptions.UseQos: BreakDuration and SamplingDuration alone do
// nothing, and NaN is not above zero.
func (o *Options) isActive(f *profile.Facts) bool {
	return o.MinimumThroughput.V > 0 || o.Timeout.V > 0 || f.RatioActivates && o.FailureRatio.V > 0
}
