package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func upstreamHostNever() *validate.Rule {
	return &validate.Rule{
		Name:        "upstream-host-never",
		Summary:     "UpstreamHost holds what no compared host holds, so the route never takes a request.",
		Severity:    diag.Warning,
		Category:    validate.Routes,
		CheckRoutes: checkUpstreamHostNever,
	}
}

func checkUpstreamHostNever(p *validate.Pass) {
	upstreams(p, func(r *normalize.Route, _, host config.Value[string]) {
		at := strings.IndexAny(host.V, ":*/ \t")
		if at < 0 || !host.IsSet() {
			return
		}
		d := diag.Diagnostic{
			Message: fmt.Sprintf("no request has the host %q: hosts are compared as text", host.V),
			Span:    within(p, host, at, len(host.V)),
			Effect:  "the route never takes a request",
			Help:    "write one host name per route, without a wildcard",
			Subject: diag.Subject{Route: validate.Identity(r), Option: "UpstreamHost"},
		}
		if host.V[at] == ':' {
			d.Message = fmt.Sprintf("no request has the host %q: the Host header is cut at its first colon", host.V)
			d.Help = fmt.Sprintf("write %q", host.V[:at])
		}
		p.Report(d)
	})
}
