package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func discoveryByDrop() *validate.Rule {
	return &validate.Rule{
		Name:     "discovery-by-drop",
		Summary:  "Every static route is dropped, so any service of the discovery provider becomes reachable.",
		Severity: diag.Error,
		Category: validate.Security,
		CWE:      863,
		Check:    checkDiscoveryByDrop,
	}
}

func checkDiscoveryByDrop(p *validate.Pass) {
	if p.Gateway == nil || p.Gateway.Finder != normalize.Discovery {
		return
	}
	for _, dropped := range p.Config.Dropped {
		if !isRoute(dropped.Path) {
			continue
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("every static route is dropped, the first because %q does not convert: the gateway now takes the name of any service from the path", dropped.Reason.Value),
			Span:    p.Span(dropped.Reason.At.Origin),
			Effect:  "GET /SERVICE/PATH is sent to whatever service the discovery provider knows by that name, without the options of the routes",
			Help:    "mend the value",
			Subject: diag.Subject{Option: "Routes"},
		})
		return
	}
}
