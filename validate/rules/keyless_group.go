package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func keylessGroup() *validate.Rule {
	return &validate.Rule{
		Name:     "keyless-group",
		Summary:  "A group is named by RouteKeys while routes without a Key can never join it.",
		Severity: diag.Info,
		Category: validate.Groups,
		Check:    checkKeylessGroup,
	}
}

func checkKeylessGroup(p *validate.Pass) {
	g := qosGroup(p)
	if g == nil {
		return
	}
	keyless, first := 0, (*normalize.Route)(nil)
	for r := range p.Routes {
		if !r.Base().Key.IsSet() && r.Excluded {
			if keyless++; first == nil {
				first = r
			}
		}
	}
	if keyless == 0 {
		return
	}
	p.Report(diag.Diagnostic{
		Message: fmt.Sprintf("%s without a Key can't belong to this group", counted(keyless, "route")),
		Span:    p.MemberKey(g.Section, "RouteKeys"),
		Related: []diag.Related{{Span: p.Span(first.Section().Origin), Message: "the first of them"}},
		Help:    "give them a Key and name it here, or remove RouteKeys to reach every route",
		Subject: diag.Subject{Option: "GlobalConfiguration.QoSOptions.RouteKeys"},
	})
}
