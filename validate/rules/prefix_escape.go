package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func prefixEscape() *validate.Rule {
	return &validate.Rule{
		Name:     "prefix-escape",
		Summary:  "A value of the path can leave the prefix of the downstream template.",
		Severity: diag.Warning,
		Category: validate.Security,
		Check:    checkPrefixEscape,
	}
}

func checkPrefixEscape(p *validate.Pass) {
	if p.Gateway == nil {
		return
	}
	for i := range p.Config.Routes {
		r := &p.Config.Routes[i]
		down := r.DownstreamPathTemplate
		all := placeholdersIn(pathOf(down.V))
		if len(all) == 0 || strings.Trim(down.V[:all[0].start], "/") == "" {
			continue
		}
		prefix := down.V[:all[0].start]
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("a client can leave %q: {%s} may hold %%252e%%252e, which becomes two dots behind the gateway", prefix, all[0].text),
			Span:    within(p, down, all[0].start, all[0].end),
			Help:    "let the backend check every path by itself, and give it nothing that clients of this route must not reach",
			Subject: diag.Subject{Route: r.UpstreamPathTemplate.V, Option: "DownstreamPathTemplate"},
			Cause:   "doubly encoded dots",
		})
	}
}
