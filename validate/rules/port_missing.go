package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func portMissing() *validate.Rule {
	return &validate.Rule{
		Name:        "port-missing",
		Summary:     "A host has no port, so the client chooses the port.",
		Severity:    diag.Error,
		Category:    validate.Routes,
		CheckRoutes: checkPortMissing,
	}
}

func checkPortMissing(p *validate.Pass) {
	for r := range p.StaticRoutes {
		if r.ServiceName.V != "" {
			continue // the hosts come from service discovery
		}
		for j := range r.DownstreamHostAndPorts {
			h := &r.DownstreamHostAndPorts[j]
			if h.Port.V <= 0 && !strings.ContainsAny(h.Host.V, "{}$") { // else the application fills in the address
				p.Report(portMissingAt(p, r, h))
			}
		}
	}
}

func portMissingAt(p *validate.Pass, r *config.Route, h *config.HostAndPort) diag.Diagnostic {
	d := diag.Diagnostic{
		Message: fmt.Sprintf("host %q has no port", h.Host.V),
		Span:    p.Span(h.Origin),
		Effect:  "Ocelot sends the request to the port that the client writes into its Host header",
		Help:    "write the port: 80 for http and 443 for https",
		Subject: diag.Subject{Route: r.UpstreamPathTemplate.V, Option: "DownstreamHostAndPorts"},
	}
	if span := p.Span(h.Port.Origin); span.File != nil {
		d.Message, d.Span = fmt.Sprintf("port %d of host %q is no port", h.Port.V, h.Host.V), span
	}
	return d
}
