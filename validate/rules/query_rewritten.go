package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func queryRewritten() *validate.Rule {
	return &validate.Rule{
		Name:     "query-rewritten",
		Summary:  "Routes with placeholders rewrite the query of every request.",
		Severity: diag.Info,
		Category: validate.Routes,
		Check:    checkQueryRewritten,
	}
}

func checkQueryRewritten(p *validate.Pass) {
	if p.Gateway == nil {
		return
	}
	var first *config.Route
	count := 0
	for i := range p.Config.Routes {
		r := &p.Config.Routes[i]
		if strings.Contains(r.DownstreamPathTemplate.V, "?") || !hasPlaceholder(r.UpstreamPathTemplate.V) {
			continue
		}
		if count++; first == nil {
			first = r
		}
	}
	if first == nil {
		return
	}
	p.Report(diag.Diagnostic{
		Message: fmt.Sprintf("queries are rewritten by %s with placeholders, this one first", counted(count, "route")),
		Span:    p.Span(first.DownstreamPathTemplate.Origin),
		Effect:  "+ becomes %20, ?b becomes ?b=, repeated parameters are grouped under their first spelling, those named like a placeholder are left out",
		Help:    "make sure that the backend does not depend on the query's exact text, as signed URLs do",
		Subject: diag.Subject{Option: "DownstreamPathTemplate"},
	})
}
