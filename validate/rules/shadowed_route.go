package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/reach"
)

func shadowedRoute() *validate.Rule {
	return &validate.Rule{
		Name:     "shadowed-route",
		Summary:  "No request can reach a route, because others take all of its requests first.",
		Severity: diag.Warning,
		Category: validate.Routes,
		Dear:     true,
		Check:    checkShadowedRoute,
	}
}

func checkShadowedRoute(p *validate.Pass) {
	if p.Gateway == nil {
		return
	}
	table := newReachable(p)
	for _, s := range table.shadows {
		if table.isDuplicate(s.at, s.By[0]) || opens(p, table.routes[s.at], table.routes[s.By[0]]) {
			continue
		}
		p.Report(shadowed(p, &table, s.at, s.Shadow))
	}
}

func shadowed(p *validate.Pass, table *reachable, i int, shadow reach.Shadow) diag.Diagnostic {
	by := templateOf(table.routes[shadow.By[0]])
	d := diag.Diagnostic{
		Message: fmt.Sprintf("no request reaches %q: %q takes %s and all others first", table.entries[i].Template, by.V, shadow.Witness),
		Span:    p.Span(templateOf(table.routes[i]).Origin),
		Help:    "put this route before the other, give it a higher Priority, or remove it",
		Subject: validate.Subject(table.routes[i], "UpstreamPathTemplate"),
	}
	if len(shadow.By) > 1 {
		d.Message = fmt.Sprintf("no request reaches %q: %d routes before it take all of them, %q takes %s", table.entries[i].Template, len(shadow.By), by.V, shadow.Witness)
	}
	for _, j := range shadow.By {
		d.Cause += templateOf(table.routes[j]).V + " "
		d.Related = append(d.Related, diag.Related{Span: p.Span(templateOf(table.routes[j]).Origin), Message: "this route goes first"})
	}
	return d
}
