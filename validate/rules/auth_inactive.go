package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func authInactive() *validate.Rule {
	return &validate.Rule{
		Name:        "auth-inactive",
		Summary:     "The global AuthenticationOptions do not reach a route that has none of its own.",
		Severity:    diag.Warning,
		Category:    validate.Security,
		CWE:         306,
		CheckRoutes: checkAuthInactive,
	}
}

func checkAuthInactive(p *validate.Pass) {
	global := p.Config.Global.AuthenticationOptions
	if global == nil || global.RouteKeys.Len() == 0 || len(schemesOf(&config.AuthenticationOptions{}, &global.AuthenticationOptions)) == 0 {
		return
	}
	for r := range p.StaticRoutes {
		if r.AuthenticationOptions != nil || reaches(p, global.RouteKeys, &r.RouteBase) {
			continue
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("everybody may call %q: the global AuthenticationOptions are for routes with the keys they list", r.UpstreamPathTemplate.V),
			Span:    p.Span(r.UpstreamPathTemplate.Origin),
			Help:    "put the route's Key into RouteKeys, or say that it is open with AuthenticationOptions.AllowAnonymous",
			Related: []diag.Related{{Span: p.Span(global.RouteKeys.Origin), Message: "the routes that the section is for"}},
			Subject: diag.Subject{Route: r.UpstreamPathTemplate.V, Option: "AuthenticationOptions"},
			Cause:   "RouteKeys",
		})
	}
}
