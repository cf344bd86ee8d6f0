package normalize

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// qosSharer resolves routes, and routes with the same options once: a gateway
// has far fewer sections than routes.
type qosSharer struct {
	rules   rules
	program profile.Divergences
	global  *config.GlobalQoSOptions
	group   group
	// own is where the QoS of routes with a section of their own live.
	own    []QoS
	shared map[sharedKey]*shared
}

// sharedKey tells apart the routes without a section of their own.
type sharedKey struct {
	global             *config.QoSOptions
	resilience         *config.Resilience
	unlisted, excluded bool
}

// shared is the result of routes without a section or a timeout of their own.
type shared struct {
	result
	divergences profile.Divergences
}

func newQoSSharer(cfg *config.Configuration, by rules, program profile.Divergences) qosSharer {
	s := qosSharer{
		rules:   by,
		program: program,
		global:  cfg.Global.QoSOptions,
		own:     make([]QoS, 0, countAlone(cfg)),
		shared:  map[sharedKey]*shared{},
	}
	if s.global != nil {
		s.group = newGroup(s.global.RouteKeys)
	}
	return s
}

// programOf returns the divergences of the program that the documentation is
// held against: that of the profile, or Ocelot 25.0.
func programOf(p profile.Profile) profile.Divergences {
	if p.Documented() {
		return profile.AllDivergences
	}
	return p.Divergences()
}

// countAlone counts the routes that share nothing.
func countAlone(cfg *config.Configuration) int {
	n := 0
	for i := range cfg.Routes {
		if isAlone(&cfg.Routes[i].RouteBase) {
			n++
		}
	}
	for i := range cfg.DynamicRoutes {
		if isAlone(&cfg.DynamicRoutes[i].RouteBase) {
			n++
		}
	}
	return n
}

// isAlone says whether a route has a section of its own, and so a QoS that no
// other route can share.
func isAlone(base *config.RouteBase) bool {
	return base.QoSOptions != nil || base.Resilience != nil
}

// reach completes a situation with the global section, as far as it reaches
// the route. Where it is not inherited it is that of all services, RouteKeys or
// not.
func (q *qosSharer) reach(s *situation, kind Kind, key config.Value[string]) {
	switch {
	case q.global == nil:
		return
	case !q.rules.facts.Inherits:
		if kind != Static {
			s.global = &q.global.QoSOptions
		}
		return
	}
	s.grouped = !q.group.isEveryRoute()
	if s.unlisted || q.group.has(key) {
		s.global = &q.global.QoSOptions
	} else {
		s.excluded = true
	}
}

// fill resolves a situation into a route.
func (q *qosSharer) fill(route *Route, s *situation) {
	if s.alone {
		q.own = append(q.own, QoS{})
		r := s.resolve(q.rules, &q.own[len(q.own)-1])
		route.QoS = r.QoS
		route.set(&r.timeouts, s.diverging(q.rules, &r, q.program))
		return
	}
	common := q.common(s)
	route.QoS = common.QoS
	if !s.timeout.IsSet() {
		route.set(&common.timeouts, common.divergences)
		return
	}
	var own QoS
	r := s.resolve(q.rules, &own)
	route.set(&r.timeouts, s.diverging(q.rules, &r, q.program))
}

// common returns the result of all routes like this one that have no timeout
// of their own.
func (q *qosSharer) common(s *situation) *shared {
	key := sharedKey{s.global, s.resilience, s.unlisted, s.excluded}
	if c := q.shared[key]; c != nil {
		return c
	}
	plain := *s
	plain.timeout = config.Value[int32]{}
	c := &shared{result: plain.resolve(q.rules, &QoS{})}
	c.divergences = plain.diverging(q.rules, &c.result, q.program)
	q.shared[key] = c
	return c
}

func (r *Route) set(t *timeouts, d profile.Divergences) {
	r.RouteTimeout, r.OuterTimeout, r.OuterDoubled = t.route, t.outer, t.doubled
	r.Divergences = d
}
