package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func queryRewritten() *validate.Rule {
	return &validate.Rule{
		Name:        "query-rewritten",
		Summary:     "Routes with placeholders rewrite the query of every request.",
		Severity:    diag.Info,
		Category:    validate.Routes,
		CheckRoutes: checkQueryRewritten,
		Check:       reportQueryRewritten,
	}
}

func checkQueryRewritten(p *validate.Pass) {
	for r := range p.Routes {
		if s := r.Static; s != nil && hasPlaceholder(s.UpstreamPathTemplate.V) && !strings.Contains(s.DownstreamPathTemplate.V, "?") {
			p.Mark(r)
		}
	}
}

func reportQueryRewritten(p *validate.Pass) {
	marked := p.Marked()
	if len(marked) == 0 {
		return
	}
	p.Report(diag.Diagnostic{
		Message: fmt.Sprintf("queries are rewritten by %s with placeholders, this one first", counted(len(marked), "route")),
		Span:    p.Span(marked[0].Static.DownstreamPathTemplate.Origin),
		Effect:  "+ becomes %20, ?b becomes ?b=, repeated parameters are grouped under their first spelling, those named like a placeholder are left out",
		Help:    "make sure that the backend does not depend on the query's exact text, as signed URLs do",
		Subject: diag.Subject{Route: validate.AllRoutes, Option: "DownstreamPathTemplate"},
	})
}
