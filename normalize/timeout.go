package normalize

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// DefaultTimeout is how long a request may take where nothing says otherwise, in
// seconds: DownstreamRoute.DefaultTimeoutSeconds.
const DefaultTimeout = 90

// timeouts are what becomes of a route's Timeout in seconds.
type timeouts struct {
	route Decision[int32]
	// routeMS is the route's timer in milliseconds, before the attempt timeout
	// is looked at.
	routeMS int64
	// attemptMS is what routeMS was compared with.
	attemptMS int64
	outer     config.Value[int64]
	doubled   bool
}

// timeouts computes the outer timer: Ocelot's
// EnsureRouteTimeoutIsGreaterThanQosOne, or what its documentation promises.
func (s *situation) timeouts(q *QoS, by rules, n *notes) timeouts {
	if !by.facts.RouteTimeouts {
		return timeouts{outer: outerOf(q.Options.Timeout.Value)}
	}
	t := timeouts{route: s.routeTimeout(by, n)}
	seconds := t.route.Value
	if !seconds.IsSet() {
		seconds = instead(seconds, DefaultTimeout)
	}
	exact := config.Value[int64]{V: 1000 * int64(seconds.V), Origin: seconds.Origin}
	t.outer = exact
	if by.divergences.Has(profile.SecondsOverflow) {
		t.outer.V = int64(int32(exact.V))
	}
	if t.outer.V != exact.V {
		t.outer.Origin = derived(exact.Origin)
		n.replace(OuterTimeout, toNumber(exact), toNumber(t.outer), Overflow)
	}
	t.routeMS = t.outer.V

	attempt, twice, compared := s.compared(q, by)
	t.attemptMS = int64(attempt.V)
	if !compared || t.routeMS > t.attemptMS {
		return t
	}
	doubled := config.Value[int64]{V: twice, Origin: derived(attempt.Origin)}
	n.replace(OuterTimeout, toNumber(t.outer), toNumber(doubled), Doubled)
	t.outer, t.doubled = doubled, true
	return t
}

// outerOf returns the outer timer of programs in which a route's Timeout has no
// effect: TimeoutValue as written, Infinite included, whether QoS is active or
// not; 90 s where it is 0.
func outerOf(timeout config.Value[int32]) config.Value[int64] {
	if timeout.V == 0 {
		return config.Value[int64]{V: 1000 * DefaultTimeout, Origin: config.Origin{Kind: config.Default}}
	}
	return config.Value[int64]{V: int64(timeout.V), Origin: derived(timeout.Origin)}
}

// compared returns the timeout that the outer one must exceed, twice that, and
// whether there is one. The program looks at the raw option of an active QoS,
// of any sign, and doubles it in 32 bits.
func (s *situation) compared(q *QoS, by rules) (attempt config.Value[int32], twice int64, ok bool) {
	if by.divergences.Has(profile.RawOuterTimeout) {
		raw := q.Options.Timeout.Value
		return raw, int64(2 * raw.V), q.Active && raw.IsSet()
	}
	return q.AttemptTimeout, 2 * int64(q.AttemptTimeout.V), q.AttemptTimeout.IsSet()
}

// routeTimeout decides the seconds. It is set for every route but unlisted
// services, which have only a global timeout.
func (s *situation) routeTimeout(by rules, n *notes) Decision[int32] {
	if s.unlisted {
		return s.unlistedTimeout(by, n)
	}
	own, global := s.timeout, s.globalTimeout
	switch {
	case own.V > 0:
		return timeoutDecision(own, RouteNew, global, GlobalNew)
	case own.IsSet() && by.divergences.Has(profile.ZeroRouteTimeout):
		d := timeoutDecision(instead(own, DefaultTimeout), RouteNew, global, GlobalNew)
		n.replace(RouteTimeout, toNumber(own), toNumber(d.Value), ZeroTimeout)
		return d
	}
	n.ignore(RouteTimeout, toNumber(own), ZeroTimeout)
	if global.V > 0 {
		return timeoutDecision(global, GlobalNew, own, RouteNew)
	}
	n.ignore(RouteTimeout, toNumber(global), ZeroTimeout)
	return Decision[int32]{Value: instead(config.Value[int32]{}, DefaultTimeout)}
}

func (s *situation) unlistedTimeout(by rules, n *notes) Decision[int32] {
	global := s.globalTimeout
	if !global.IsSet() {
		return Decision[int32]{}
	}
	if global.V <= 0 && !by.divergences.Has(profile.UnlistedTimeout) {
		n.ignore(RouteTimeout, toNumber(global), ZeroTimeout)
		return Decision[int32]{}
	}
	return Decision[int32]{Value: global, From: GlobalNew}
}

func timeoutDecision(won config.Value[int32], from Place, lost config.Value[int32], at Place) Decision[int32] {
	d := Decision[int32]{Value: won, From: from}
	if lost.IsSet() {
		d.Beat = 1 << at
	}
	return d
}
