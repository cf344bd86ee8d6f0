package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func deadDynamicRoutes() *validate.Rule {
	return &validate.Rule{
		Name:     "dead-dynamic-routes",
		Summary:  "Dynamic routes never take a request.",
		Severity: diag.Error,
		Category: validate.Routes,
		Check:    checkDeadDynamicRoutes,
	}
}

func checkDeadDynamicRoutes(p *validate.Pass) {
	if p.Gateway == nil || p.Gateway.Finder == normalize.Discovery {
		return
	}
	message, help := whyDead(p.Config)
	for i := range p.Config.DynamicRoutes {
		r := &p.Config.DynamicRoutes[i]
		span := p.Span(r.ServiceName.Origin)
		if !r.ServiceName.IsSet() {
			span = p.Span(r.Origin)
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("dynamic route %q is dead: %s", r.ServiceName.V, message),
			Span:    span,
			Effect:  "requests for the service get 404",
			Help:    help,
			Subject: diag.Subject{Route: r.ServiceName.V, Option: "DynamicRoutes"},
			Cause:   message,
		})
	}
}

func whyDead(cfg *config.Configuration) (message, help string) {
	if len(cfg.Routes) > 0 || len(cfg.Aggregates) > 0 {
		return "a gateway with static routes never asks service discovery for others", "write static routes with ServiceName, or move the dynamic routes to a gateway of their own"
	}
	return "GlobalConfiguration.ServiceDiscoveryProvider has no Host or no Port", "set Host, Port and Type of ServiceDiscoveryProvider"
}
