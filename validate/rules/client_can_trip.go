package rules

import (
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/validate"
)

func clientCanTrip() *validate.Rule {
	return &validate.Rule{
		Name:     "client-can-trip",
		Summary:  "A client can open the circuit of the built-in breaker with bad requests.",
		Severity: diag.Info,
		Category: validate.Security,
		Check:    checkClientCanTrip,
	}
}

func checkClientCanTrip(p *validate.Pass) {
	if p.Gateway == nil || p.Profile.Provider != profile.Builtin || p.Margay {
		return
	}
	seen := map[*normalize.QoS]bool{}
	for r := range p.Routes {
		if r.Breaker.Kind == normalize.NoBreaker || r.Own == nil && (r.Global == nil || seen[r.QoS]) {
			continue
		}
		seen[r.QoS] = true
		section := r.Own
		if section == nil {
			section = r.Global
		}
		p.Report(diag.Diagnostic{
			Message: "a client can open this circuit for everybody: its own bad requests count as failures of the backend",
			Span:    p.Span(section.Origin),
			Effect:  "a header outside of ASCII, a body that is too large or malformed chunks each count, although the backend is never asked",
			Help:    "reject such requests before the gateway, or take the Polly provider",
			Subject: validate.Subject(r, "QoSOptions"),
			Cause:   "bad requests count",
		})
	}
}
