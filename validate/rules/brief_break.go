package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func briefBreak() *validate.Rule {
	return &validate.Rule{
		Name:        "brief-break",
		Summary:     "The circuit stays open for so short a time that it protects nothing.",
		Severity:    diag.Warning,
		Category:    validate.QoS,
		CheckRoutes: checkBriefBreak,
	}
}

// leastBreak is the shortest break, in milliseconds, in which a service can
// recover from anything. Since 23.3 Ocelot takes nothing shorter than five times
// as much; 22.0 takes everything, and 1 ms where nothing is written.
const leastBreak = 100

func checkBriefBreak(p *validate.Pass) {
	name := normalize.BreakDuration.In(p.Profile.Facts())
	eachBreaker(p, func(r *normalize.Route, b *normalize.Breaker) {
		if b.Kind == normalize.Expression || b.BreakDuration.V >= leastBreak || !leads(p, r) {
			return
		}
		at, help := b.BreakDuration.Origin, "write the milliseconds that the service needs to recover"
		if at.Kind == config.Default {
			at, help = r.Options.MinimumThroughput.Origin, "write "+name+" too, in milliseconds: Ocelot takes 1 without it"
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("the circuit stays open for %s only, so it protects nothing", duration(float64(b.BreakDuration.V))),
			Span:    p.Span(at),
			Help:    help,
			Subject: validate.Subject(r, option(normalize.BreakDuration)),
			Cause:   fmt.Sprint(b.BreakDuration.V),
		})
	})
}
