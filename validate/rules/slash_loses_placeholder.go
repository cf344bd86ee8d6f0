package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func slashLosesPlaceholder() *validate.Rule {
	return &validate.Rule{
		Name:        "slash-loses-placeholder",
		Summary:     "Called without the slash at its end, a route sends its placeholders as they are written.",
		Severity:    diag.Warning,
		Category:    validate.Routes,
		CheckRoutes: checkSlashLosesPlaceholder,
	}
}

func checkSlashLosesPlaceholder(p *validate.Pass) {
	if p.Margay { // margay does not do that
		return
	}
	for r := range p.StaticRoutes {
		up := r.UpstreamPathTemplate
		if !strings.HasSuffix(up.V, "/") {
			continue
		}
		segments := strings.Split(up.V, "/")
		last := len(segments) - 1
		if strings.Contains(up.V, "?") || last < 2 || strings.ContainsAny(segments[last-1], "{}") {
			continue
		}
		name, ok := nextPlaceholder(up.V, 0)
		if !ok || !strings.Contains(r.DownstreamPathTemplate.V, "{") {
			continue
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("called without the slash at the end, the route sends {%s} as it is written", name.text),
			Span:    within(p, up, len(up.V)-1, len(up.V)),
			Effect:  fmt.Sprintf("the backend gets %%7B%s%%7D", name.text),
			Help:    "write two routes, one with and one without the slash, the one without first",
			Subject: diag.Subject{Route: up.V, Option: "UpstreamPathTemplate"},
		})
	}
}
