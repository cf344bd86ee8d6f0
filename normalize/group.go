package normalize

import "github.com/margay-dev/margay/schema/config"

// group is the set of routes that a global section is for. The zero group
// holds every route.
type group struct {
	// keys is nil for a group that holds every route.
	keys map[string]bool
	// keyless says that RouteKeys holds a null, which is what a route without
	// Key is looked up as.
	keyless bool
}

// newGroup makes the group of a section's RouteKeys. Null and empty mean every
// route (also for [["R1"]], whose only element does not bind).
func newGroup(routeKeys *config.List[string]) group {
	if routeKeys.Len() == 0 {
		return group{}
	}
	g := group{keys: make(map[string]bool, routeKeys.Len())}
	for _, key := range routeKeys.All() {
		if key.IsSet() {
			g.keys[key.V] = true
		} else {
			g.keyless = true
		}
	}
	return g
}

// isEveryRoute says whether the group is no group at all.
func (g *group) isEveryRoute() bool { return g.keys == nil }

// has says whether a route with the given Key belongs to the group. Keys are
// compared ordinally: case counts.
func (g *group) has(key config.Value[string]) bool {
	switch {
	case g.keys == nil:
		return true
	case key.IsSet():
		return g.keys[key.V]
	}
	return g.keyless
}
