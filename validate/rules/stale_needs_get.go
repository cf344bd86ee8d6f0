package rules

import (
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func staleNeedsGet() *validate.Rule {
	return &validate.Rule{
		Name:        "stale-needs-get",
		Summary:     "Old answers are kept for a route that never gets a request whose answer may be kept.",
		Severity:    diag.Warning,
		Category:    validate.Resilience,
		CheckRoutes: checkStaleNeedsGet,
	}
}

func checkStaleNeedsGet(p *validate.Pass) {
	for r := range p.Routes {
		if r.Resilience == nil || r.Resilience.Fallback == nil || r.Resilience.Fallback.StaleIfError.V <= 0 || r.Static == nil || r.Static.UpstreamHttpMethod.Len() == 0 {
			continue
		}
		kept := func(m config.Value[string]) bool {
			verb := strings.ToUpper(strings.TrimSpace(m.V))
			return verb == "GET" || verb == "HEAD"
		}
		if slices.ContainsFunc(r.Static.UpstreamHttpMethod.Items, kept) {
			continue
		}
		p.Report(diag.Diagnostic{
			Message: "StaleIfError does nothing here: only answers to GET and HEAD are kept, and the route takes neither",
			Span:    p.Span(r.Resilience.Fallback.StaleIfError.Origin),
			Help:    "remove StaleIfError, or move GET to the route",
			Related: []diag.Related{{Span: p.Span(r.Static.UpstreamHttpMethod.Origin), Message: "the methods of the route"}},
			Subject: validate.Subject(r, "ResilienceOptions.Fallback.StaleIfError"),
			Cause:   "StaleIfError",
		})
	}
}
