package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func httpVersion() *validate.Rule {
	return &validate.Rule{
		Name:        "http-version",
		Summary:     "DownstreamHttpVersion does not do what it says.",
		Severity:    diag.Warning,
		Category:    validate.Routes,
		CheckRoutes: checkHttpVersion,
		Check:       checkGlobalHttpVersion,
	}
}

func checkHttpVersion(p *validate.Pass) {
	for r := range p.Routes {
		if v := r.Base().DownstreamHttpVersion; v.IsSet() {
			reportVersion(p, v, validate.Subject(r, "DownstreamHttpVersion"))
		}
	}
}

func checkGlobalHttpVersion(p *validate.Pass) {
	if p.Gateway == nil {
		return
	}
	if len(p.Config.DynamicRoutes) > 0 || p.Gateway.Finder == normalize.Discovery {
		reportVersion(p, p.Config.Global.DownstreamHttpVersion, diag.Subject{Option: "GlobalConfiguration.DownstreamHttpVersion"})
	}
}

func reportVersion(p *validate.Pass, version config.Value[string], subject diag.Subject) {
	d := diag.Diagnostic{Span: p.Span(version.Origin), Subject: subject, Cause: version.V}
	switch {
	case version.V == "1.0":
		d.Message, d.Effect = "HTTP 1.0 knows no chunked bodies", "a request with one gets 500"
		d.Help = `write "1.1"`
	case len(version.V) == 1 && strings.Contains("123", version.V), len(version.V) == 3 && version.V[1] == ',':
		d.Message = fmt.Sprintf("%q does not read as a version, so HTTP 1.1 is used", version.V)
		d.Help = fmt.Sprintf("write \"%c.0\", or remove the option", version.V[0])
		if version.V[0] == '1' {
			d.Help = `write "1.1", or remove the option`
		}
	default:
		return
	}
	p.Report(d)
}
