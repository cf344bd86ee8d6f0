package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func excludedWithoutQoS() *validate.Rule {
	return &validate.Rule{
		Name:        "excluded-without-qos",
		Summary:     "A route is outside of the group of the global QoSOptions and has none of its own.",
		Severity:    diag.Info,
		Category:    validate.Groups,
		CheckRoutes: checkExcludedWithoutQoS,
	}
}

func checkExcludedWithoutQoS(p *validate.Pass) {
	g := qosGroup(p)
	if g == nil {
		return
	}
	for r := range p.Routes {
		key := r.Base().Key
		if !r.Excluded || r.Own != nil || !key.IsSet() {
			continue
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("this route has no QoS: RouteKeys of the global QoSOptions does not contain %q", key.V),
			Span:    p.Span(key.Origin),
			Related: []diag.Related{{Span: p.MemberKey(g.Section, "RouteKeys"), Message: "the group"}},
			Help:    fmt.Sprintf("add %q there, or give the route QoSOptions", key.V),
			Subject: validate.Subject(r, "QoSOptions"),
			Cause:   "excluded",
		})
	}
}

// qosGroup returns the global QoS section if it is for a group and does
// something; nil otherwise.
func qosGroup(p *validate.Pass) *config.GlobalQoSOptions {
	if p.Gateway == nil || p.Config.Global.QoSOptions == nil || p.Config.Global.QoSOptions.RouteKeys.Len() == 0 {
		return nil
	}
	return p.Config.Global.QoSOptions
}
