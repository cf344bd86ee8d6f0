package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func noEffect() *validate.Rule {
	return &validate.Rule{
		Name:        "no-effect",
		Summary:     "A QoS option means nothing beside the other options of the route.",
		Severity:    diag.Warning,
		Category:    validate.QoS,
		CheckRoutes: checkNoEffect,
	}
}

// checkNoEffect leaves alone zeros that switch something off on purpose, and
// sections that do nothing at all (inactive-qos).
func checkNoEffect(p *validate.Pass) {
	eachSubstitution(p, func(r *normalize.Route, s normalize.Substitution) {
		var why, help string
		switch {
		case s.Why == normalize.CountMode && s.Option == normalize.SamplingDuration:
			why, help = "without FailureRatio failures are counted in a row, whenever they happen", "set FailureRatio too, or remove SamplingDuration"
		case s.Why == normalize.BreakerOff && s.Option != normalize.MinimumThroughput:
			why, help = "the circuit breaker is off, because MinimumThroughput is missing or not above 0", "set MinimumThroughput, or remove "+s.Option.String()
		default:
			return
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("%s has no effect: %s", s.Option, why),
			Span:    p.Span(s.Written.Origin),
			Help:    help,
			Subject: validate.Subject(r, option(s.Option)),
			Cause:   s.Option.String(),
		})
	})
}
