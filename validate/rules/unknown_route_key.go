package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func unknownRouteKey() *validate.Rule {
	return &validate.Rule{
		Name:     "unknown-route-key",
		Summary:  "A list of route keys names a Key that no route has.",
		Severity: diag.Error,
		Category: validate.Groups,
		Fixable:  true,
		Check:    checkUnknownRouteKey,
	}
}

// checkUnknownRouteKey leaves the keys of aggregates to aggregate-invalid where
// Ocelot's own start-up already refuses them.
func checkUnknownRouteKey(p *validate.Pass) {
	if p.Config == nil {
		return
	}
	groups := groupsOf(p.Config)
	if len(groups) > 0 {
		keys, found := mentionedKeys(p), 0
		for _, g := range groups {
			for _, k := range g.keys.All() {
				if k.IsSet() && len(keys[k.V]) == 0 {
					p.Report(unknownKey(p, g.section, k, found))
					found++
				}
			}
		}
	}
	if len(p.Config.Aggregates) > 0 {
		checkMembers(p)
	}
}

// mostCompared bounds how many pairs of keys are compared: where thousands of
// keys are unknown, what one of them may mean is of no help.
const mostCompared = 2_000_000

func unknownKey(p *validate.Pass, section string, k config.Value[string], before int) diag.Diagnostic {
	d := diag.Diagnostic{
		Message: fmt.Sprintf("no route has the Key %q", k.V),
		Span:    p.Span(k.Origin),
		Effect:  fmt.Sprintf("the global %s reaches no route by it", section),
		Help:    "give the route that is meant this Key, or remove it from the list",
		Subject: diag.Subject{Option: "GlobalConfiguration." + section + ".RouteKeys"},
	}
	if all := allKeys(p); before*len(all.sorted) < mostCompared {
		all.suggest(p, &d, k.V)
	}
	return d
}

// checkMembers looks at aggregates that the start lets pass: it compares two
// counts, so a Key that two routes have makes up for one that none has
// (val.agg.dupkey-two).
func checkMembers(p *validate.Pass) {
	keys := staticKeys(p)
	for i := range p.Config.Aggregates {
		a := &p.Config.Aggregates[i]
		found := 0
		for _, k := range a.RouteKeys.All() {
			found += len(keys.routes[k.V])
		}
		if found != a.RouteKeys.Len() {
			continue
		}
		for _, k := range a.RouteKeys.All() {
			if !k.IsSet() || len(keys.routes[k.V]) > 0 {
				continue
			}
			d := diag.Diagnostic{
				Message: fmt.Sprintf("no static route has the Key %q", k.V),
				Span:    p.Span(k.Origin),
				Effect:  "Ocelot starts only because another Key of this aggregate belongs to several routes",
				Help:    "give the route that is meant this Key",
				Subject: diag.Subject{Option: "Aggregates.RouteKeys"},
			}
			keys.suggest(p, &d, k.V)
			p.Report(d)
		}
	}
}
