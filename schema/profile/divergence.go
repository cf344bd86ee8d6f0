package profile

import (
	"iter"
	"math/bits"
)

// Divergences is a set of the points on which Ocelot 25.0 does something else
// than its documentation says. Each is a switch of its own: a stage asks for
// one of them and never for a version.
type Divergences uint16

// The divergences. The comment says what the program does; what the
// documentation says is in Documented.
const (
	// MergeBeforeAlias fills the eight raw names of a route from the global
	// section first and reads deprecated names after that, so a global
	// deprecated name beats a route's new one (claim-D14 to claim-D16).
	MergeBeforeAlias Divergences = 1 << iota
	// ZeroThroughput: the built-in breaker cannot be switched off; a
	// MinimumThroughput of 0 or less is 100 (claim-D01).
	ZeroThroughput
	// NonpositiveRatio: for the built-in breaker a FailureRatio of 0 or
	// less, or NaN, means count mode (claim-D06).
	NonpositiveRatio
	// PollyRatioOne: with Polly a FailureRatio of 1.0 is replaced by 0.1
	// (claim-D07).
	PollyRatioOne
	// UnlistedGroup: RouteKeys of the global section do not keep it from
	// services that DynamicRoutes does not list (claim-D18).
	UnlistedGroup
	// ZeroRouteTimeout: a Timeout of 0 or less on a route means 90 s and
	// hides the global one (claim-D35).
	ZeroRouteTimeout
	// RawOuterTimeout compares the outer timer with the Timeout as written,
	// before substitution and whatever its sign, and doubles it in 32 bits
	// (claim-D22 to claim-D24).
	RawOuterTimeout
	// SecondsOverflow multiplies seconds by 1000 in 32 bits.
	SecondsOverflow
	// UnlistedTimeout uses the global Timeout of a service that is not
	// listed as written, 0 and negatives too.
	UnlistedTimeout

	// AllDivergences is what the program of Ocelot 25.0 does.
	AllDivergences = UnlistedTimeout<<1 - 1
)

// texts are what people read about one divergence.
type texts struct{ name, documented, observed string }

var divergences = [...]texts{
	{"merge-before-alias",
		"deprecated names are read section by section, then the route's options win over the global ones",
		"the global section fills the route's empty names first: a global deprecated name wins over the route's new name"},
	{"zero-throughput",
		"a MinimumThroughput of 0 or less turns the breaker off",
		"the breaker stays on with 100 as long as another option keeps QoS active"},
	{"nonpositive-ratio",
		"a FailureRatio of 0 or less, or NaN, is invalid and replaced by 0.5",
		"failures are counted in a row, as if FailureRatio were not set"},
	{"polly-ratio-one",
		"a FailureRatio of 1.0 is valid",
		"a FailureRatio of 1.0 is replaced by 0.1"},
	{"unlisted-group",
		"services that DynamicRoutes does not list belong to no group",
		"RouteKeys are ignored for them: they get the global section"},
	{"zero-route-timeout",
		"a Timeout of 0 or less on a route counts as absent",
		"it means 90 s and hides the global Timeout"},
	{"raw-outer-timeout",
		"the outer timeout is compared with the effective attempt timeout, and doubles that",
		"it is compared with QoSOptions.Timeout as written, and doubles that in 32 bits"},
	{"seconds-overflow",
		"the outer timeout is exactly 1000 times the seconds",
		"the product has 32 bits and wraps from 2147484 s on"},
	{"unlisted-timeout",
		"a global Timeout of 0 or less counts as absent for services that are not listed",
		"it is used as written: 0 fires at once, a negative one fails every request"},
}

// Has says whether every divergence of d is in s.
func (s Divergences) Has(d Divergences) bool { return s&d == d }

// Len returns how many divergences are in the set.
func (s Divergences) Len() int { return bits.OnesCount16(uint16(s)) }

// All yields the divergences of the set one by one, in the order of the
// constants.
func (s Divergences) All() iter.Seq[Divergences] {
	return func(yield func(Divergences) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(s & -s) {
				return
			}
		}
	}
}

// Names returns the IDs of the divergences in the set, such as
// "merge-before-alias"; nil for the empty set.
func (s Divergences) Names() []string {
	var names []string
	for d := range s.All() {
		names = append(names, d.String())
	}
	return names
}

// String returns the ID of a single divergence, or the IDs of a set separated
// by commas.
func (s Divergences) String() string {
	text := ""
	for d := range s.All() {
		if text != "" {
			text += ","
		}
		text += d.texts().name
	}
	return text
}

// Documented returns what Ocelot's documentation says on a single divergence,
// as a clause without a full stop; "" for any other set.
func (s Divergences) Documented() string { return s.texts().documented }

// Observed returns what Ocelot 25.0 does on a single divergence, as a clause
// without a full stop; "" for any other set.
func (s Divergences) Observed() string { return s.texts().observed }

func (s Divergences) texts() texts {
	if s.Len() != 1 || s&^AllDivergences != 0 {
		return texts{}
	}
	return divergences[bits.TrailingZeros16(uint16(s))]
}

// ParseDivergence returns the divergence with the given ID.
func ParseDivergence(id string) (Divergences, bool) {
	for d := range AllDivergences.All() {
		if d.String() == id {
			return d, true
		}
	}
	return 0, false
}
