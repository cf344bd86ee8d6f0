package rules

import (
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/validate"
)

func clientCanTrip() *validate.Rule {
	return &validate.Rule{
		Name:        "client-can-trip",
		Summary:     "A client can open the circuit of the built-in breaker with bad requests.",
		Severity:    diag.Info,
		Category:    validate.Security,
		CheckRoutes: checkClientCanTrip,
		Check:       reportClientCanTrip,
	}
}

// checkClientCanTrip speaks once for a gateway: every circuit of the built-in
// provider is open to it, and a list of all routes says no more.
func checkClientCanTrip(p *validate.Pass) {
	if p.Profile.Provider != profile.Builtin || p.Margay {
		return
	}
	for r := range p.Routes {
		if r.Breaker.Kind != normalize.NoBreaker {
			p.Mark(r)
		}
	}
}

func reportClientCanTrip(p *validate.Pass) {
	breakers := p.Marked()
	if len(breakers) == 0 {
		return
	}
	first := breakers[0]
	section := p.Config.Global.Section
	switch {
	case first.Own != nil:
		section = first.Base().Section
	case first.Global == nil:
		return // the breaker of ResilienceOptions, which only margay runs
	}
	p.Report(diag.Diagnostic{
		Message: "a client can open this circuit for everybody: its own bad requests count as failures of the backend (" + counted(len(breakers), "route") + " with a breaker)",
		Span:    p.MemberKey(section, "QoSOptions"),
		Effect:  "a header outside of ASCII, a body that is too large or malformed chunks each count, although the backend is never asked",
		Help:    "reject such requests before the gateway, or take the Polly provider",
		Subject: diag.Subject{Route: validate.AllRoutes, Option: "QoSOptions"},
	})
}
