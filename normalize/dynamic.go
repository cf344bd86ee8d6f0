package normalize

import (
	"strings"

	"github.com/margay-dev/margay/schema/config"
)

// finder returns the finder that Ocelot chooses: discovery only where no static
// route and no aggregate survived loading and a discovery server is named. Host
// and Type have defaults, so an absent one is fine; an empty Host stays empty.
func finder(cfg *config.Configuration) Finder {
	provider := cfg.Global.ServiceDiscoveryProvider
	switch {
	case len(cfg.Routes) > 0 || len(cfg.Aggregates) > 0:
		return StaticFinder
	case provider == nil || provider.Port.V <= 0:
		return StaticFinder
	case provider.Host.IsSet() && provider.Host.V == "":
		return StaticFinder
	}
	return Discovery
}

// Lookup is what the discovery finder makes of one request.
type Lookup struct {
	// Route is the listed route, or the one for unlisted services, with the
	// name and the key of the service that the request named.
	Route
	// Namespace and Service are the two parts of the first path segment.
	Namespace, Service string
	// Path is the rest: the downstream path, "/" if there is none.
	Path string
}

// found is what a request adds to a route.
type found struct{ namespace, service, path, method string }

// Lookup resolves the path of a request as Ocelot's discovery finder does: the
// first segment is "service" or "namespace.service", split at the first dot;
// before 24.1 it is the service as a whole. It returns false where the finder
// is the static one.
func (g *Gateway) Lookup(path string) (Lookup, bool) { return g.LookupFor("GET", path) }

// LookupFor is Lookup for a request with another method, which is part of
// load-balancing keys before 24.1.
func (g *Gateway) LookupFor(method, path string) (Lookup, bool) {
	if g.Finder != Discovery {
		return Lookup{}, false
	}
	segment, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	l := Lookup{Service: segment, Path: "/" + rest}
	if before, after, dotted := strings.Cut(segment, "."); dotted && g.Profile.Facts().Namespaces {
		l.Namespace, l.Service = before, after
	}
	l.Route = *g.forService(l.Namespace, l.Service)
	l.found = &found{l.Namespace, l.Service, path, method}
	return l, true
}

// forService returns the first listed route for a service, names compared
// ordinally. A request that names no namespace takes any.
func (g *Gateway) forService(namespace, service string) *Route {
	for i := range g.Routes {
		d := g.Routes[i].Dynamic
		if d == nil || !d.ServiceName.IsSet() || d.ServiceName.V != service {
			continue
		}
		if namespace == "" || d.ServiceNamespace.V == namespace {
			return &g.Routes[i]
		}
	}
	return &g.Routes[len(g.Routes)-1]
}
