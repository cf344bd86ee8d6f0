package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func duplicateRouteKey() *validate.Rule {
	return &validate.Rule{
		Name:     "duplicate-route-key",
		Summary:  "Several routes share a Key that a group or an aggregate names.",
		Severity: diag.Warning,
		Category: validate.Groups,
		Check:    checkDuplicateRouteKey,
	}
}

func checkDuplicateRouteKey(p *validate.Pass) {
	if p.Config == nil {
		return
	}
	keys := mentionedKeys(p)
	if !haveRepeated(keys) {
		return
	}
	named := namedKeys(groupsOf(p.Config))
	nameMembers(p, named)
	for i := range p.Config.Routes {
		key := p.Config.Routes[i].Key
		same := keys[key.V]
		if !key.IsSet() || !named[key.V] || len(same) < 2 || same[0] == &p.Config.Routes[i].RouteBase {
			continue
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("the Key %q belongs to another route too", key.V),
			Span:    p.Span(key.Origin),
			Effect:  "a group takes both routes in; an aggregate of this Key does not start, or takes the wrong one",
			Related: []diag.Related{{Span: p.Span(same[0].Key.Origin), Message: "first used here"}},
			Help:    "give each route a Key of its own",
			Subject: diag.Subject{Route: key.V, Option: "Key"},
		})
	}
}

func haveRepeated(keys map[string][]*config.RouteBase) bool {
	for _, routes := range keys {
		if len(routes) > 1 {
			return true
		}
	}
	return false
}

// nameMembers adds the keys of aggregates, but for those that aggregate-invalid
// reports.
func nameMembers(p *validate.Pass, named map[string]bool) {
	for i := range p.Config.Aggregates {
		for _, k := range p.Config.Aggregates[i].RouteKeys.All() {
			named[k.V] = named[k.V] || k.IsSet()
		}
	}
	for i := range p.Startup.Failures {
		if f := &p.Startup.Failures[i]; f.Check == "V21" {
			if key, found := memberKeyAt(p, f.At); found {
				delete(named, key)
			}
		}
	}
}
