package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func keylessGroup() *validate.Rule {
	return &validate.Rule{
		Name:        "keyless-group",
		Summary:     "A group is named by RouteKeys while routes without a Key can never join it.",
		Severity:    diag.Info,
		Category:    validate.Groups,
		CheckRoutes: checkKeylessGroup,
		Check:       reportKeylessGroup,
	}
}

func checkKeylessGroup(p *validate.Pass) {
	if qosGroup(p) == nil {
		return
	}
	for r := range p.Routes {
		if r.Excluded && !r.Base().Key.IsSet() {
			p.Mark(r)
		}
	}
}

func reportKeylessGroup(p *validate.Pass) {
	g, keyless := qosGroup(p), p.Marked()
	if len(keyless) == 0 {
		return
	}
	p.Report(diag.Diagnostic{
		Message: fmt.Sprintf("%s without a Key can't belong to this group", counted(len(keyless), "route")),
		Span:    p.MemberKey(g.Section, "RouteKeys"),
		Related: []diag.Related{{Span: p.Span(keyless[0].Section().Origin), Message: "the first of them"}},
		Help:    "give them a Key and name it here, or remove RouteKeys to reach every route",
		Subject: diag.Subject{Option: "GlobalConfiguration.QoSOptions.RouteKeys"},
	})
}
