package rules

import (
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func ampersandInTemplate() *validate.Rule {
	return &validate.Rule{
		Name:        "ampersand-in-template",
		Summary:     "An ampersand in a template cuts off what follows it.",
		Severity:    diag.Warning,
		Category:    validate.Routes,
		CheckRoutes: checkAmpersandInTemplate,
	}
}

func checkAmpersandInTemplate(p *validate.Pass) {
	if p.Margay { // margay does not do that
		return
	}
	for r := range p.StaticRoutes {
		up := r.UpstreamPathTemplate
		at := strings.IndexByte(pathOf(up.V), '&')
		if at < 0 || !hasPlaceholder(up.V) {
			continue
		}
		p.Report(diag.Diagnostic{
			Message: "an ampersand in a path ends the value before it, as if it were in a query",
			Span:    within(p, up, at, at+1),
			Effect:  "values are cut off, or the placeholders go out as they are written",
			Help:    "do without the ampersand, or write a template without placeholders",
			Subject: diag.Subject{Route: up.V, Option: "UpstreamPathTemplate"},
		})
	}
}
