package rules

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/validate"
)

// groupRules returns the rules about which routes a global section reaches.
func groupRules() []*validate.Rule {
	return []*validate.Rule{unknownRouteKey(), duplicateRouteKey(), keylessGroup(), excludedWithoutQoS(), sharedCircuit()}
}

// namedGroup is a list of keys of routes, and the section or aggregate that
// names them.
type namedGroup struct {
	section string
	keys    *config.List[string]
}

// groupsOf returns every non-empty list of keys of a configuration.
func groupsOf(cfg *config.Configuration) []namedGroup {
	var all []namedGroup
	add := func(section string, keys *config.List[string]) {
		if keys.Len() > 0 {
			all = append(all, namedGroup{section, keys})
		}
	}
	g := cfg.Global
	if g.QoSOptions != nil {
		add("QoSOptions", g.QoSOptions.RouteKeys)
	}
	if g.AuthenticationOptions != nil {
		add("AuthenticationOptions", g.AuthenticationOptions.RouteKeys)
	}
	if g.CacheOptions != nil {
		add("CacheOptions", g.CacheOptions.RouteKeys)
	}
	if g.HttpHandlerOptions != nil {
		add("HttpHandlerOptions", g.HttpHandlerOptions.RouteKeys)
	}
	if g.LoadBalancerOptions != nil {
		add("LoadBalancerOptions", g.LoadBalancerOptions.RouteKeys)
	}
	if g.RateLimitOptions != nil {
		add("RateLimitOptions", g.RateLimitOptions.RouteKeys)
	}
	if g.Resilience != nil {
		add("ResilienceOptions", g.Resilience.RouteKeys)
	}
	return all
}

type mentionedKey struct{}

// mentionedKeys returns the routes by their Key: those that a group or an
// aggregate names.
func mentionedKeys(p *validate.Pass) map[string][]*config.RouteBase {
	return validate.Share(p.Input, mentionedKey{}, func() map[string][]*config.RouteBase {
		named := namedKeys(groupsOf(p.Config))
		for i := range p.Config.Aggregates {
			for _, k := range p.Config.Aggregates[i].RouteKeys.All() {
				named[k.V] = named[k.V] || k.IsSet()
			}
		}
		if len(named) == 0 {
			return nil
		}
		return keysOf(p.Config, named)
	})
}

// keysOf returns the routes by their Key: those of the wanted keys, or of all
// where wanted is nil.
func keysOf(cfg *config.Configuration, wanted map[string]bool) map[string][]*config.RouteBase {
	keys := map[string][]*config.RouteBase{}
	add := func(r *config.RouteBase) {
		if r.Key.IsSet() && (wanted == nil || wanted[r.Key.V]) {
			keys[r.Key.V] = append(keys[r.Key.V], r)
		}
	}
	for i := range cfg.Routes {
		add(&cfg.Routes[i].RouteBase)
	}
	for i := range cfg.DynamicRoutes {
		add(&cfg.DynamicRoutes[i].RouteBase)
	}
	return keys
}

// namedKeys returns the keys that groups name.
func namedKeys(groups []namedGroup) map[string]bool {
	named := map[string]bool{}
	for _, g := range groups {
		for _, k := range g.keys.All() {
			if k.IsSet() {
				named[k.V] = true
			}
		}
	}
	return named
}
