package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func ignoredZeroTimeout() *validate.Rule {
	return &validate.Rule{
		Name:        "ignored-zero-timeout",
		Summary:     "A Timeout of zero or less on a route hides the global one, where it was meant to be absent.",
		Severity:    diag.Warning,
		Category:    validate.Timeouts,
		CheckRoutes: checkIgnoredZeroTimeout,
	}
}

// checkIgnoredZeroTimeout reports claim-D35.
func checkIgnoredZeroTimeout(p *validate.Pass) {
	if !p.Profile.Facts().RouteTimeouts {
		return
	}
	global := p.Config.Global.Timeout
	for r := range p.Routes {
		own := r.Base().Timeout
		if !own.IsSet() || own.V > 0 || global.V <= 0 {
			continue
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("Timeout %d means 90 s in Ocelot %s and hides the global %d s; by the documentation it counts as absent", own.V, p.Profile.Number(), global.V),
			Span:    p.Span(own.Origin),
			Related: []diag.Related{{Span: p.Span(global.Origin), Message: "the global timeout"}},
			Help:    fmt.Sprintf("remove it for the global %d s, or write the seconds that are meant", global.V),
			Subject: validate.Subject(r, "Timeout"),
			Cause:   "zero",
		})
	}
}
