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

// mostRelated bounds how many further routes one finding points to.
const mostRelated = 5

// checkPrefixEscape makes one finding for a gateway: nearly every route has the
// hole, and what helps is the same for all of them.
func checkPrefixEscape(p *validate.Pass) {
	if p.Gateway == nil || p.Margay {
		return
	}
	var found diag.Diagnostic
	count := 0
	for i := range p.Config.Routes {
		r := &p.Config.Routes[i]
		prefix, ph, ok := leavable(r.DownstreamPathTemplate.V)
		if !ok {
			continue
		}
		at := within(p, r.DownstreamPathTemplate, ph.start, ph.end)
		switch count++; {
		case count == 1:
			found = diag.Diagnostic{
				Message: fmt.Sprintf("a client can leave %q: {%s} may hold %%252e%%252e, which becomes two dots behind the gateway", prefix, ph.text),
				Span:    at,
				Help:    "let the backend check every path by itself, and give it nothing that clients of this route must not reach",
				Subject: diag.Subject{Route: r.UpstreamPathTemplate.V, Option: "DownstreamPathTemplate"},
			}
		case count <= mostRelated+1:
			found.Related = append(found.Related, diag.Related{Span: at, Message: "here too"})
		}
	}
	if count > 1 {
		found.Message += fmt.Sprintf(" (and so in %s more)", counted(count-1, "route"))
	}
	if count > 0 {
		p.Report(found)
	}
}

// leavable returns the fixed folder before the first placeholder of a path.
func leavable(template string) (prefix string, first piece, ok bool) {
	if first, ok = nextPlaceholder(pathOf(template), 0); !ok {
		return "", piece{}, false
	}
	prefix = template[:first.start]
	return prefix, first, strings.Trim(prefix, "/") != ""
}
