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
	if len(groups) == 0 {
		return
	}
	keys := keysOf(p.Config, namedKeys(groups))
	for _, g := range groups {
		for _, k := range g.keys.All() {
			if k.IsSet() && len(keys[k.V]) == 0 {
				p.Report(unknownKey(p, g.section, k, keysOf(p.Config, nil)))
			}
		}
	}
}

func unknownKey(p *validate.Pass, section string, k config.Value[string], keys map[string][]*config.RouteBase) diag.Diagnostic {
	span := p.Span(k.Origin)
	d := diag.Diagnostic{
		Message: fmt.Sprintf("no route has the Key %q", k.V),
		Span:    span,
		Effect:  fmt.Sprintf("the global %s reaches no route by it", section),
		Help:    "give the route that is meant this Key, or remove it from the list",
		Subject: diag.Subject{Option: "GlobalConfiguration." + section + ".RouteKeys"},
	}
	known := slices.Sorted(maps.Keys(keys))
	for _, key := range known {
		if strings.EqualFold(key, k.V) {
			d.Message += fmt.Sprintf(": %q differs by case, and keys are compared with regard to it", key)
			d.Help = fmt.Sprintf("write %q", key)
			d.Related = []diag.Related{{Span: p.Span(keys[key][0].Key.Origin), Message: "this route's Key"}}
			d.Fix = &diag.Fix{Title: fmt.Sprintf("write %q", key), Edits: []diag.Edit{{Span: span, NewText: fmt.Sprintf("%q", key)}}, Unsafe: true}
			return d
		}
	}
	if near, ok := diag.Suggest(k.V, known); ok {
		d.Help = fmt.Sprintf("did you mean %q?", near)
	}
	return d
}
