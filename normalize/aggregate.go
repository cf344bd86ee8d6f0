package normalize

import "github.com/margay-dev/margay/schema/config"

// memberFinder finds the routes that aggregates name. The zero value is ready.
type memberFinder struct {
	first map[string]int
	// keyless is the position of the first route without a Key; a null in
	// RouteKeys names it.
	keyless int
}

// find returns the positions of the members in the order of the keys; false if
// a key names no route. Of routes with one Key the first is taken.
func (f *memberFinder) find(routes []config.Route, keys *config.List[string]) ([]int, bool) {
	if f.first == nil {
		f.index(routes)
	}
	members := make([]int, 0, keys.Len())
	for _, key := range keys.All() {
		at, ok := f.keyless, f.keyless >= 0
		if key.IsSet() {
			at, ok = f.first[key.V]
		}
		if !ok {
			return nil, false
		}
		members = append(members, at)
	}
	return members, true
}

func (f *memberFinder) index(routes []config.Route) {
	f.first, f.keyless = map[string]int{}, -1
	for i := range routes {
		key := routes[i].Key
		if _, taken := f.first[key.V]; key.IsSet() && !taken {
			f.first[key.V] = i
		}
		if !key.IsSet() && f.keyless < 0 {
			f.keyless = i
		}
	}
}
