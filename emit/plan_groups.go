package emit

import (
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// groups says which global sections scope a route.
type groups struct {
	authentication, cache, handler, balancer, rateLimit scope
	// everywhere says that RouteKeys do not keep a section from unlisted
	// services, as in the program.
	everywhere bool
}

func newGroups(g *config.GlobalConfiguration, p profile.Profile) groups {
	var s groups
	if o := g.AuthenticationOptions; o != nil {
		s.authentication = newScope(o.RouteKeys)
	}
	if o := g.CacheOptions; o != nil {
		s.cache = newScope(o.RouteKeys)
	}
	if o := g.HttpHandlerOptions; o != nil {
		s.handler = newScope(o.RouteKeys)
		s.handler.servicesOnly = !p.Facts().Inherits
	}
	if o := g.LoadBalancerOptions; o != nil {
		s.balancer = newScope(o.RouteKeys)
		s.balancer.servicesOnly = !p.Facts().Inherits
	}
	if o := g.RateLimitOptions; o != nil {
		s.rateLimit = newScope(o.RouteKeys)
	}
	s.everywhere = p.Divergences().Has(profile.UnlistedGroup)
	return s
}

// scope is the set of routes that a global section is for. The zero scope is
// that of a section that does not exist.
type scope struct {
	exists  bool
	keys    map[string]bool // nil: every route
	keyless bool
	// servicesOnly says that the section is not inherited by static routes.
	servicesOnly bool
}

func newScope(keys *config.List[string]) scope {
	r := scope{exists: true}
	if keys.Len() == 0 {
		return r
	}
	r.keys = make(map[string]bool, keys.Len())
	for _, k := range keys.All() {
		if k.IsSet() {
			r.keys[k.V] = true
		} else {
			r.keyless = true
		}
	}
	return r
}

// has says whether the section reaches a route. Keys are compared ordinally; a
// null among them names routes without a Key.
func (g *groups) has(r *scope, route *normalize.Route) bool {
	switch {
	case r.servicesOnly && route.Kind == normalize.Static:
		return false
	case !r.exists || r.keys == nil:
		return r.exists
	case route.Kind == normalize.Unlisted:
		return g.everywhere
	}
	if key := route.Base().Key; key.IsSet() {
		return r.keys[key.V]
	}
	return r.keyless
}
