package telemetry

import (
	"strings"
	"sync"
	"sync/atomic"
)

// servicePrefix tells services from routes, whose IDs begin with a method, a
// path or a name without spaces.
const servicePrefix = "service "

// ServiceRoute returns what stands in Event.Route for a service that no route of
// the plan lists, by its name "namespace.service", of which the namespace may be
// empty. Clients may have chosen it: what is no UTF-8 in it, and could be no
// label, becomes U+FFFD.
func ServiceRoute(name string) string {
	return servicePrefix + strings.ToValidUTF8(strings.TrimPrefix(name, "."), "\uFFFD")
}

// IsServiceRoute reports whether route is a ServiceRoute.
func IsServiceRoute(route string) bool { return strings.HasPrefix(route, servicePrefix) }

// OtherRoutes is the label of the routes beyond the limit of [RouteLabels].
const OtherRoutes = "(other)"

// DefaultMaxRoutes is how many routes [RouteLabels] tells apart by default.
const DefaultMaxRoutes = 1000

// RouteLabels keeps the number of different routes in metrics bounded, for
// adapters: a gateway that is reconfigured for years must not collect the
// series of all routes it ever had. The first routes that are seen keep their
// names, those that come when Max is reached share [OtherRoutes]. Services that
// no route lists are counted apart, as clients may invent them: they take no
// route's name away.
//
// The zero value is ready and tells DefaultMaxRoutes routes apart. It must not
// be copied after its first use. Any number of goroutines may use it.
type RouteLabels struct {
	// Max is the number of routes that keep their names; zero or less is
	// DefaultMaxRoutes. It must not be changed after the first use.
	Max int

	known sync.Map        // route → nothing
	count [2]atomic.Int64 // of routes and of services
	mu    sync.Mutex      // serializes learning
}

// Of returns the label of a route: its ID, or OtherRoutes.
func (l *RouteLabels) Of(route string) string {
	if _, ok := l.known.Load(route); ok {
		return route
	}
	if l.full(countOf(route)) {
		return OtherRoutes
	}
	return l.learn(route)
}

func (l *RouteLabels) learn(route string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.known.Load(route); ok {
		return route
	}
	if l.full(countOf(route)) {
		return OtherRoutes
	}
	l.known.Store(route, nil)
	l.count[countOf(route)].Add(1)
	return route
}

// countOf returns the place in count.
func countOf(route string) int {
	if IsServiceRoute(route) {
		return 1
	}
	return 0
}

func (l *RouteLabels) full(count int) bool {
	limit := l.Max
	if limit <= 0 {
		limit = DefaultMaxRoutes
	}
	return l.count[count].Load() >= int64(limit)
}
