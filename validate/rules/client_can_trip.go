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

// checkClientCanTrip speaks once for a gateway: every circuit of the built-in
// provider is open to it, and a list of all routes says no more.
func checkClientCanTrip(p *validate.Pass) {
	if p.Gateway == nil || p.Profile.Provider != profile.Builtin || p.Margay {
		return
	}
	var first *normalize.Route
	breakers := 0
	for r := range p.Routes {
		if r.Breaker.Kind == normalize.NoBreaker {
			continue
		}
		if breakers++; first == nil {
			first = r
		}
	}
	if first == nil {
		return
	}
	section := first.Own
	if section == nil {
		section = first.Global
	}
	if section == nil {
		return // the breaker of ResilienceOptions, which only margay runs
	}
	p.Report(diag.Diagnostic{
		Message: "a client can open this circuit for everybody: its own bad requests count as failures of the backend (" + counted(breakers, "route") + " with a breaker)",
		Span:    p.Span(section.Origin),
		Effect:  "a header outside of ASCII, a body that is too large or malformed chunks each count, although the backend is never asked",
		Help:    "reject such requests before the gateway, or take the Polly provider",
		Subject: diag.Subject{Option: "QoSOptions"},
	})
}
