// Package normalize says what every route of a gateway really gets: it turns
// what a configuration says into what Ocelot makes of it.
//
// It takes a decoded configuration and a profile and returns the resolved
// gateway. It never changes the configuration and finds nothing wrong with it:
// values that were replaced, overridden or ignored are facts on the routes,
// which rules put into words.
package normalize

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// Resolve resolves every route of a configuration. The order of the steps is
// Ocelot's: the global section joins in by RouteKeys, options merge one by one,
// QoS is active or not, the provider replaces what it does not accept, and the
// outer timeout gives way to the attempt timeout. cfg is kept in the result and
// must not change afterwards.
func Resolve(cfg *config.Configuration, p profile.Profile) *Gateway {
	return resolveUnder(cfg, p, p.Divergences())
}

// resolveUnder resolves with any set of divergences.
func resolveUnder(cfg *config.Configuration, p profile.Profile, d profile.Divergences) *Gateway {
	r := newResolver(cfg, p, d)
	for i := range cfg.Routes {
		r.static(&cfg.Routes[i])
	}
	for i := range cfg.Aggregates {
		r.aggregate(&cfg.Aggregates[i])
	}
	for i := range cfg.DynamicRoutes {
		r.listed(&cfg.DynamicRoutes[i])
	}
	if r.gateway.Finder == Discovery {
		r.unlisted()
	}
	if p.Provider == profile.Polly {
		shareCircuits(r.gateway)
	}
	return r.gateway
}

// resolver is the state of one Resolve.
type resolver struct {
	gateway    *Gateway
	qos        qosSharer
	resilience resilienceSharer
	members    memberFinder
}

func newResolver(cfg *config.Configuration, p profile.Profile, d profile.Divergences) *resolver {
	g := &Gateway{Profile: p, facts: p.Facts(), Config: cfg, Finder: finder(cfg)}
	g.balancing = newBalancing(cfg.Global.LoadBalancerOptions)
	count := len(cfg.Routes) + len(cfg.Aggregates) + len(cfg.DynamicRoutes)
	if g.Finder == Discovery {
		count++
	}
	g.Routes = make([]Route, 0, count)
	by := rules{divergences: d, provider: p.Provider, facts: g.facts}
	return &resolver{gateway: g, qos: newQoSSharer(cfg, by, programOf(p)), resilience: newResilienceSharer(cfg)}
}

func (r *resolver) static(written *config.Route) {
	route := r.add(Static, written.Index)
	route.Static = written
	r.resolve(route, &written.RouteBase)
}

func (r *resolver) listed(written *config.DynamicRoute) {
	route := r.add(Dynamic, written.Index)
	route.Dynamic, route.Live = written, r.gateway.Finder == Discovery
	r.resolve(route, &written.RouteBase)
}

// aggregate adds an aggregate, unless it names a Key that no static route has:
// Ocelot leaves such a one out without a message.
func (r *resolver) aggregate(written *config.AggregateRoute) {
	members, ok := r.members.find(r.gateway.Config.Routes, written.RouteKeys)
	if !ok {
		return
	}
	route := r.add(Aggregate, written.Index)
	route.Aggregate = &AggregateRoute{written, members}
	route.QoS = &QoS{}
}

// unlisted adds the one record that stands for every service without a
// dynamic route of its own.
func (r *resolver) unlisted() {
	r.resolve(r.add(Unlisted, -1), &config.RouteBase{})
}

func (r *resolver) add(kind Kind, index int) *Route {
	g := r.gateway
	g.Routes = g.Routes[:len(g.Routes)+1]
	route := &g.Routes[len(g.Routes)-1]
	route.Kind, route.Live, route.Index = kind, true, index
	route.SharedWith, route.gateway, route.under = -1, g, r.qos.rules.divergences
	return route
}

// resolve completes a route of which base is what is written.
func (r *resolver) resolve(route *Route, base *config.RouteBase) {
	s := situation{
		own:           base.QoSOptions,
		timeout:       base.Timeout,
		globalTimeout: r.gateway.Config.Global.Timeout,
		resilience:    r.resilience.merged(base, route.Kind == Unlisted),
		unlisted:      route.Kind == Unlisted,
		alone:         isAlone(base),
	}
	route.Resilience = s.resilience
	r.qos.reach(&s, route.Kind, base.Key)
	r.qos.fill(route, &s)
}
