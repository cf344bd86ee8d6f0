package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func unreachableThroughput() *validate.Rule {
	return &validate.Rule{
		Name:        "unreachable-throughput",
		Summary:     "The circuit opens only at a rate of requests that hardly a route ever sees.",
		Severity:    diag.Info,
		Category:    validate.QoS,
		CheckRoutes: checkUnreachableThroughput,
	}
}

// implausible is a rate in requests a second that one route of one gateway
// process rarely reaches; a breaker that needs it does not protect.
const implausible = 1000

func checkUnreachableThroughput(p *validate.Pass) {
	facts := p.Profile.Facts()
	help := "lower " + normalize.MinimumThroughput.In(facts)
	if facts.Inherits {
		help += " or raise SamplingDuration"
	}
	eachBreaker(p, func(r *normalize.Route, b *normalize.Breaker) {
		if b.Kind == normalize.Consecutive || b.SamplingDuration.V <= 0 {
			return
		}
		rate := float64(b.MinimumThroughput.V) * 1000 / float64(b.SamplingDuration.V)
		if rate <= implausible || !leads(p, r) {
			return
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("the circuit can open only above %.0f requests a second: %d calls within %s",
				rate, b.MinimumThroughput.V, duration(float64(b.SamplingDuration.V))),
			Span:    p.Span(r.Options.MinimumThroughput.Origin),
			Help:    help,
			Subject: validate.Subject(r, "QoSOptions.MinimumThroughput"),
			Cause:   fmt.Sprint(b.MinimumThroughput.V, b.SamplingDuration.V),
		})
	})
}
