package rules

import (
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func certificateNotChecked() *validate.Rule {
	return &validate.Rule{
		Name:        "certificate-not-checked",
		Summary:     "The certificate of the backend is not checked.",
		Severity:    diag.Warning,
		Category:    validate.Security,
		CWE:         295,
		CheckRoutes: checkCertificateNotChecked,
	}
}

func checkCertificateNotChecked(p *validate.Pass) {
	for r := range p.StaticRoutes {
		if any := r.DangerousAcceptAnyServerCertificateValidator; any.V {
			p.Report(diag.Diagnostic{
				Message: "every certificate is accepted, also that of an attacker between gateway and backend",
				Span:    p.Span(any.Origin),
				Help:    "remove the option and let the gateway trust the authority that issued the backend's certificate",
				Subject: diag.Subject{Route: r.UpstreamPathTemplate.V, Option: "DangerousAcceptAnyServerCertificateValidator"},
				Cause:   "any certificate",
			})
		}
	}
}
