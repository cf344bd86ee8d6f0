package telemetry

import (
	"sync"
	"sync/atomic"
)

// OtherRoutes is the label of the routes beyond the limit of [RouteLabels].
const OtherRoutes = "(other)"

// DefaultMaxRoutes is how many routes [RouteLabels] tells apart by default.
const DefaultMaxRoutes = 1000

// RouteLabels keeps the number of different routes in metrics bounded, for
// adapters: a gateway that is reconfigured for years must not collect the
// series of all routes it ever had. The first routes that are seen keep their
// names, those that come when Max is reached share [OtherRoutes].
//
// The zero value is ready and tells DefaultMaxRoutes routes apart. It must not
// be copied after its first use. Any number of goroutines may use it.
type RouteLabels struct {
	// Max is the number of routes that keep their names; zero or less is
	// DefaultMaxRoutes. It must not be changed after the first use.
	Max int

	known sync.Map // route → nothing
	count atomic.Int64
	mu    sync.Mutex // serializes learning
}

// Of returns the label of a route: its ID, or OtherRoutes.
func (l *RouteLabels) Of(route string) string {
	if _, ok := l.known.Load(route); ok {
		return route
	}
	if l.full() {
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
	if l.full() {
		return OtherRoutes
	}
	l.known.Store(route, nil)
	l.count.Add(1)
	return route
}

func (l *RouteLabels) full() bool {
	limit := l.Max
	if limit <= 0 {
		limit = DefaultMaxRoutes
	}
	return l.count.Load() >= int64(limit)
}
