package emit

import (
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/config"
)

// route adds the route at a position of the gateway.
func (l *lowering) route(position int) {
	route := &l.Gateway.Routes[position]
	if !isPlanRoute(route) {
		return
	}
	section := route.Section()
	out := plan.Route{ID: l.id(route), Name: route.Name(), Key: route.Key().V, Match: l.match(route), Backend: l.backend(route)}
	if route.Kind != normalize.Unlisted && !l.placeless {
		out.At = l.at(section.Origin)
	}
	l.idAt[position] = out.ID
	l.strategies(&out, route)
	l.guards(&out, route)
	out.LoadBalancer = l.balancer(route)
	if !l.placeless {
		out.Origins = l.origins(route)
	}
	l.plan.Routes = append(l.plan.Routes, out)
	l.routeAt = append(l.routeAt, route.Section())
}

func isPlanRoute(route *normalize.Route) bool { return route.Kind != normalize.Aggregate && route.Live }

// PlanSources returns the routes that the plan of a result has, and its
// aggregates, each in the order of the plan.
func PlanSources(r *Result) (routes, aggregates []*normalize.Route) {
	for i := range r.Gateway.Routes {
		switch route := &r.Gateway.Routes[i]; {
		case isPlanRoute(route):
			routes = append(routes, route)
		case route.Kind == normalize.Aggregate:
			aggregates = append(aggregates, route)
		}
	}
	return routes, aggregates
}

func (l *lowering) match(route *normalize.Route) plan.Match {
	switch route.Kind {
	case normalize.Unlisted:
		return plan.Match{Kind: plan.Unlisted}
	case normalize.Dynamic:
		return plan.Match{Kind: plan.Dynamic}
	}
	s := route.Static
	return plan.Match{
		Kind: plan.Static, Methods: methodsOf(s.UpstreamHttpMethod), Path: s.UpstreamPathTemplate.V,
		Host: s.UpstreamHost.V, Headers: headerMatches(route),
		Priority: priority(s.UpstreamPathTemplate.V, s.Priority), CaseSensitive: s.RouteIsCaseSensitive.V,
	}
}

// priority is that in force: 0 for a template that is one placeholder, which
// Ocelot asks last whatever is written.
func priority(template string, written config.Value[int32]) int {
	if strings.HasPrefix(template, "/{") && strings.IndexByte(template, '}') == len(template)-1 {
		return 0
	}
	if !written.IsSet() {
		return 1
	}
	return int(written.V)
}

func headerMatches(route *normalize.Route) []plan.HeaderMatch {
	var matches []plan.HeaderMatch
	for _, h := range headerTemplates(route) {
		matches = append(matches, plan.HeaderMatch{Name: h.Key.V, Template: h.Value.V})
	}
	return matches
}

func (l *lowering) backend(route *normalize.Route) plan.Backend {
	b := plan.Backend{Handler: l.handler(route)}
	base := route.Base()
	if base == nil {
		l.needsDiscovery = true
		return l.globalVersion(b, &config.RouteBase{})
	}
	b.Service, b.Namespace = base.ServiceName.V, base.ServiceNamespace.V
	l.needsDiscovery = l.needsDiscovery || b.Service != ""
	if route.Kind == normalize.Dynamic {
		return l.globalVersion(b, base)
	}
	s := route.Static
	b.Scheme = strings.ToLower(s.DownstreamScheme.V)
	b.Path, b.Method = s.DownstreamPathTemplate.V, strings.ToUpper(s.DownstreamHttpMethod.V)
	b.HTTPVersion, b.VersionPolicy = version(s.DownstreamHttpVersion.V), policy(s.DownstreamHttpVersionPolicy.V)
	b.AnyCertificate = s.DangerousAcceptAnyServerCertificateValidator.V
	if b.Service == "" {
		b.Namespace = ""
		for i := range s.DownstreamHostAndPorts {
			h := &s.DownstreamHostAndPorts[i]
			b.Hosts = append(b.Hosts, plan.Host{Name: h.Host.V, Port: max(int(h.Port.V), 0)})
		}
	}
	return b
}

// globalVersion fills in what only services take from the global section.
func (l *lowering) globalVersion(b plan.Backend, base *config.RouteBase) plan.Backend {
	g := l.global
	b.Scheme = strings.ToLower(orText(base.DownstreamScheme.V, g.DownstreamScheme.V))
	b.HTTPVersion = version(orText(base.DownstreamHttpVersion.V, g.DownstreamHttpVersion.V))
	b.VersionPolicy = policy(orText(base.DownstreamHttpVersionPolicy.V, g.DownstreamHttpVersionPolicy.V))
	return b
}

// version returns an HTTP version; "", which means 1.1, for any text that
// System.Version does not read or that names no version of HTTP. What starts
// with a 0 stays, for no plan to hold it: Ocelot answers 500 to every request
// (ver-09).
func version(text string) string {
	switch text {
	case "1.0", "1.1", "2.0", "3.0":
		return text
	}
	if minor, ok := strings.CutPrefix(text, "0."); ok && strings.Trim(minor, "0123456789.") == "" {
		return text
	}
	return ""
}

func policy(text string) plan.VersionPolicy {
	switch text {
	case "RequestVersionExact":
		return plan.Exact
	case "RequestVersionOrHigher":
		return plan.OrHigher
	}
	return ""
}

// defaultLifetime is PooledConnectionLifetimeSeconds where nobody sets it.
const defaultLifetime = 120

func (l *lowering) handler(route *normalize.Route) plan.Handler {
	var own, global config.HttpHandlerOptions
	if base := route.Base(); base != nil && base.HttpHandlerOptions != nil {
		own = *base.HttpHandlerOptions
	}
	if l.groups.has(&l.groups.handler, route) {
		global = l.global.HttpHandlerOptions.HttpHandlerOptions
	}
	lifetime := plan.Millis(defaultLifetime * 1000)
	if v := own.PooledConnectionLifetimeSeconds.Or(global.PooledConnectionLifetimeSeconds); v.IsSet() {
		lifetime = plan.Millis(v.V) * 1000
	}
	return plan.Handler{
		FollowRedirects:    own.AllowAutoRedirect.Or(global.AllowAutoRedirect).V,
		MaxConnections:     max(int(own.MaxConnectionsPerServer.Or(global.MaxConnectionsPerServer).V), 0),
		ConnectionLifetime: &lifetime,
		Cookies:            own.UseCookieContainer.Or(global.UseCookieContainer).V,
		Proxy:              orElse(own.UseProxy.Or(global.UseProxy), l.Profile.Facts().UsesProxy),
		Tracing:            own.UseTracing.Or(global.UseTracing).V,
	}
}

// orElse returns a value, or a default where it is not set.
func orElse[T any](v config.Value[T], d T) T {
	if v.IsSet() {
		return v.V
	}
	return d
}

// aggregate adds an aggregate; its members are in the plan by now.
func (l *lowering) aggregate(route *normalize.Route) {
	if route.Kind != normalize.Aggregate {
		return
	}
	a := route.Aggregate
	out := plan.Aggregate{
		ID: l.id(route), Name: route.Name(), At: l.at(a.Origin), Aggregator: a.Aggregator.V,
		Match: plan.Match{
			Kind: plan.Static, Methods: methodsOf(a.UpstreamHttpMethod), Path: a.UpstreamPathTemplate.V,
			Host: a.UpstreamHost.V, Headers: headerMatches(route),
			Priority: priority(a.UpstreamPathTemplate.V, a.Priority), CaseSensitive: a.RouteIsCaseSensitive.V,
		},
	}
	for i, position := range a.Members {
		m := plan.Member{Route: l.idAt[position], Key: a.RouteKeys.Items[i].V}
		for j := range a.RouteKeysConfig {
			if c := &a.RouteKeysConfig[j]; i > 0 && c.RouteKey.V == m.Key {
				m.JSONPath, m.Parameter = c.JsonPath.V, c.Parameter.V
			}
		}
		out.Members = append(out.Members, m)
	}
	l.plan.Aggregates = append(l.plan.Aggregates, out)
	l.aggregateAt = append(l.aggregateAt, a.Section)
}
