package upgrade

import (
	"slices"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/profile"
)

// effect is what a request can notice of the QoS of a route.
type effect struct {
	// fails says that every request is answered 500.
	fails bool
	// breaker is in force; the zero breaker is none.
	breaker breaker
	// limit is the number of milliseconds after which a hanging call is cut off;
	// 0 is none.
	limit int64
	// counts is what such a call is to the breaker, where there are both.
	counts profile.Counting
	// partners are the routes with which the circuit is shared, by position, the
	// route itself left out.
	partners []int
}

// breaker are its numbers.
type breaker struct {
	// kind is how it decides: Consecutive, or Ratio for either way of measuring.
	kind       normalize.BreakerKind
	throughput int32
	ratio      float64
	sampling   int32
	breaks     int32
	// refusals says that connections that are refused count as failures.
	refusals bool
}

// effectsOf returns the effects of all routes of a gateway, by position.
func effectsOf(r *emit.Result) []effect {
	routes := r.Gateway.Routes
	all := make([]effect, len(routes))
	shared := map[int][]int{}
	for i := range routes {
		all[i] = effectOf(r, &routes[i])
		if at := routes[i].SharedWith; at >= 0 {
			shared[at] = append(shared[at], i)
		}
	}
	for first, others := range shared {
		group := append([]int{first}, others...)
		for _, i := range group {
			for _, j := range group {
				if i != j {
					all[i].partners = append(all[i].partners, j)
				}
			}
			slices.Sort(all[i].partners)
		}
	}
	return all
}

func effectOf(r *emit.Result, route *normalize.Route) effect {
	var e effect
	if route.Kind == normalize.Aggregate {
		return e
	}
	if route.Failure() != nil {
		return effect{fails: true}
	}
	owner := route
	if route.SharedWith >= 0 {
		owner = &r.Gateway.Routes[route.SharedWith]
	}
	b := &owner.Breaker
	if b.Kind != normalize.NoBreaker {
		e.breaker = breaker{kind: b.Kind, throughput: b.MinimumThroughput.V, ratio: b.FailureRatio.V, sampling: b.SamplingDuration.V,
			breaks: b.BreakDuration.V, refusals: r.Profile.Provider == profile.Builtin}
		if b.Kind == normalize.Polly {
			e.breaker.kind = normalize.Ratio
		}
	}
	attempt, outer := int64(owner.AttemptTimeout.V), route.OuterTimeout.V
	e.limit = max(outer, 0)
	if attempt > 0 && (outer <= 0 || attempt <= outer) {
		e.limit = attempt
	}
	e.counts = profile.Uncounted
	if attempt > 0 && e.limit == attempt {
		e.counts = profile.Counted
		if r.Profile.Provider == profile.Polly {
			e.counts = r.Profile.Facts().Timeouts
		}
	}
	if e.limit == 0 || b.Kind == normalize.NoBreaker {
		e.counts = profile.Counted // there is nothing to count, or nothing that counts
	}
	return e
}

// Cause is why a part of today's behaviour cannot be kept.
type Cause string

// The causes.
const (
	FailedBefore     Cause = "failed-before"     // every request failed, which nobody wants back
	BreakerMode      Cause = "breaker-mode"      // failures in a row against a ratio
	BreakerNumbers   Cause = "breaker-numbers"   // a number that the new release does not take
	BreakerGone      Cause = "breaker-gone"      // no breaker can be had
	BreakerComes     Cause = "breaker-comes"     // the breaker cannot be switched off
	RefusalsCounted  Cause = "refusals-counted"  // refused connections count, or no longer do
	TimeoutsCounted  Cause = "timeouts-counted"  // timeouts count, or no longer do
	TimeLimit        Cause = "time-limit"        // the length cannot be written
	NoLimit          Cause = "no-limit"          // no limit at all cannot be written
	CircuitsSplit    Cause = "circuits-split"    // circuits are kept by another key
	FailsNow         Cause = "fails-now"         // every request fails
	NotThere         Cause = "not-there"         // the route is not there
	Scattered        Cause = "scattered"         // its options are written in several places at once
	DoesNotStart     Cause = "does-not-start"    // the start fails for a reason that no option decides
	OtherDifferences Cause = "other-differences" // something else than QoS
)

// texts say why, as a clause.
var texts = map[Cause]string{
	FailedBefore:     "today every request fails with 500, which is not worth keeping",
	BreakerMode:      "this release counts failures in a row, the other one takes a ratio of calls; no option chooses",
	BreakerNumbers:   "the new release takes another number in place of the old one",
	BreakerGone:      "the new release has no breaker with these numbers",
	BreakerComes:     "the built-in breaker cannot be switched off while another option is set",
	RefusalsCounted:  "built-in QoS counts refused connections as failures, Polly does not; no option chooses",
	TimeoutsCounted:  "timeouts open the circuit in one of the two releases only; none are counted where the outer timeout cuts off, which takes whole seconds",
	TimeLimit:        "the outer timeout is written in seconds, and the attempt timeout has to lie between 11 ms and a day",
	NoLimit:          "a request without any limit cannot be written any more; the longest is 2 147 483 s",
	CircuitsSplit:    "circuits are kept by another key, so other routes share one",
	FailsNow:         "every request fails with 500",
	NotThere:         "the route is not there",
	Scattered:        "its options stand in several places at once, or twice",
	DoesNotStart:     "Ocelot does not start",
	OtherDifferences: "what differs is not about QoS",
}

// differences are the causes for which two effects differ; none if they do not.
func (e *effect) differences(o *effect) []Cause {
	var all []Cause
	add := func(differs bool, cause Cause) {
		if differs {
			all = append(all, cause)
		}
	}
	switch {
	case e.fails && o.fails:
		return nil
	case e.fails:
		return []Cause{FailedBefore}
	case o.fails:
		return []Cause{FailsNow}
	}
	a, b := e.breaker, o.breaker
	switch {
	case a == b:
	case a.kind == normalize.NoBreaker:
		add(true, BreakerComes)
	case b.kind == normalize.NoBreaker:
		add(true, BreakerGone)
	default:
		add(a.kind != b.kind, BreakerMode)
		add(a.kind == b.kind && (a.throughput != b.throughput || a.ratio != b.ratio || a.sampling != b.sampling) || a.breaks != b.breaks, BreakerNumbers)
		add(a.refusals != b.refusals, RefusalsCounted)
	}
	switch {
	case e.limit == o.limit:
	case e.limit == 0 || e.limit > longestSeconds*1000:
		add(true, NoLimit)
	default:
		add(true, TimeLimit)
	}
	hasBoth := a.kind != normalize.NoBreaker && b.kind != normalize.NoBreaker && e.limit > 0 && e.limit <= longestSeconds*1000
	add(hasBoth && e.counts != o.counts, TimeoutsCounted)
	add(!slices.Equal(e.partners, o.partners), CircuitsSplit)
	return all
}
