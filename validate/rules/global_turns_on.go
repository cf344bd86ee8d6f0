package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func globalTurnsOn() *validate.Rule {
	return &validate.Rule{
		Name:        "global-turns-on",
		Summary:     "The global QoSOptions protect routes that have no section of their own.",
		Severity:    diag.Info,
		Category:    validate.QoS,
		CheckRoutes: checkGlobalTurnsOn,
		Check:       reportGlobalTurnsOn,
	}
}

func checkGlobalTurnsOn(p *validate.Pass) {
	if !p.Profile.Facts().Inherits {
		return
	}
	for r := range p.Routes {
		if r.Own == nil && r.Global != nil && r.Active {
			p.Mark(r)
		}
	}
}

func reportGlobalTurnsOn(p *validate.Pass) {
	reached := len(p.Marked())
	if reached == 0 {
		return
	}
	p.Report(diag.Diagnostic{
		Message: fmt.Sprintf("these options reach %s without QoSOptions of their own; before Ocelot 24.1 they reached none", counted(reached, "route")),
		Help:    "name the routes that are meant in RouteKeys, if not all are",
		Span:    p.MemberKey(p.Config.Global.Section, "QoSOptions"),
		Subject: diag.Subject{Option: "GlobalConfiguration.QoSOptions"},
	})
}
