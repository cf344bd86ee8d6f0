package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

// routeKeys are routes by their Key.
type routeKeys struct {
	routes map[string][]*config.RouteBase
	sorted []string
	// folded are the keys in lower case.
	folded map[string]string
}

type (
	allKeysKey    struct{}
	staticKeysKey struct{}
)

// allKeys returns the routes that a group can hold.
func allKeys(p *validate.Pass) routeKeys {
	return validate.Share(p.Input, allKeysKey{}, func() routeKeys { return newRouteKeys(keysOf(p.Config, nil)) })
}

// staticKeys returns the routes that an aggregate can hold.
func staticKeys(p *validate.Pass) routeKeys {
	return validate.Share(p.Input, staticKeysKey{}, func() routeKeys {
		routes := make(map[string][]*config.RouteBase, len(p.Config.Routes))
		for i := range p.Config.Routes {
			if r := &p.Config.Routes[i].RouteBase; r.Key.IsSet() {
				routes[r.Key.V] = append(routes[r.Key.V], r)
			}
		}
		return newRouteKeys(routes)
	})
}

func newRouteKeys(routes map[string][]*config.RouteBase) routeKeys {
	k := routeKeys{routes: routes, sorted: slices.Sorted(maps.Keys(routes)), folded: make(map[string]string, len(routes))}
	for _, key := range k.sorted {
		k.folded[strings.ToLower(key)] = key
	}
	return k
}

// suggest adds to a finding about a Key what could be meant by it.
func (k routeKeys) suggest(p *validate.Pass, d *diag.Diagnostic, unknown string) {
	if key, ok := k.folded[strings.ToLower(unknown)]; ok {
		d.Message += fmt.Sprintf(": %q differs by case, and keys are compared with regard to it", key)
		d.Help = fmt.Sprintf("write %q", key)
		d.Related = []diag.Related{{Span: p.Span(k.routes[key][0].Key.Origin), Message: "this route's Key"}}
		d.Fix = &diag.Fix{Title: d.Help, Edits: []diag.Edit{{Span: d.Span, NewText: fmt.Sprintf("%q", key)}}, Unsafe: true}
		return
	}
	if near, ok := diag.Suggest(unknown, k.sorted); ok {
		d.Help = fmt.Sprintf("did you mean %q?", near)
	}
}

type memberKeysKey struct{}

// memberKeyAt returns the key that stands at a place in the RouteKeys of an
// aggregate.
func memberKeyAt(p *validate.Pass, at config.Origin) (key string, found bool) {
	keys := validate.Share(p.Input, memberKeysKey{}, func() map[config.Origin]string {
		keys := map[config.Origin]string{}
		for i := range p.Config.Aggregates {
			for _, k := range p.Config.Aggregates[i].RouteKeys.All() {
				if k.IsSet() {
					keys[k.Origin] = k.V
				}
			}
		}
		return keys
	})
	key, found = keys[at]
	return key, found
}
