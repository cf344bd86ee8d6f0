package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func prefixEscape() *validate.Rule {
	return &validate.Rule{
		Name:        "prefix-escape",
		Summary:     "A value of the path can leave the prefix of the downstream template.",
		Severity:    diag.Warning,
		Category:    validate.Security,
		CWE:         22,
		CheckRoutes: checkPrefixEscape,
		Check:       reportPrefixEscape,
	}
}

// mostRelated bounds how many further routes one finding points to.
const mostRelated = 5

// checkPrefixEscape makes one finding for a gateway: nearly every route has the
// hole, and what helps is the same for all of them.
func checkPrefixEscape(p *validate.Pass) {
	if p.Margay {
		return
	}
	for r := range p.Routes {
		if r.Static == nil {
			continue
		}
		if _, _, ok := leavable(r.Static.DownstreamPathTemplate.V); ok {
			p.Mark(r)
		}
	}
}

func reportPrefixEscape(p *validate.Pass) {
	marked := p.Marked()
	if len(marked) == 0 {
		return
	}
	first := marked[0].Static
	prefix, ph, _ := leavable(first.DownstreamPathTemplate.V)
	found := diag.Diagnostic{
		Message: fmt.Sprintf("a client can leave %q: {%s} may hold %%252e%%252e, which becomes two dots behind the gateway", prefix, ph.text),
		Span:    within(p, first.DownstreamPathTemplate, ph.start, ph.end),
		Help:    "let the backend check every path by itself, and give it nothing that clients of this route must not reach",
		Subject: diag.Subject{Route: validate.AllRoutes, Option: "DownstreamPathTemplate"},
	}
	for _, r := range marked[1:min(len(marked), mostRelated+1)] {
		_, ph, _ := leavable(r.Static.DownstreamPathTemplate.V)
		found.Related = append(found.Related, diag.Related{Span: within(p, r.Static.DownstreamPathTemplate, ph.start, ph.end), Message: "here too"})
	}
	if more := len(marked) - 1; more > 0 {
		found.Message += fmt.Sprintf(" (and so in %s more)", counted(more, "route"))
	}
	p.Report(found)
}

// leavable returns the fixed folder before the first placeholder of a path.
func leavable(template string) (prefix string, first piece, ok bool) {
	if first, ok = nextPlaceholder(pathOf(template), 0); !ok {
		return "", piece{}, false
	}
	prefix = template[:first.start]
	return prefix, first, strings.Trim(prefix, "/") != ""
}
