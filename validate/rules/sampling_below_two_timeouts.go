package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func samplingBelowTwoTimeouts() *validate.Rule {
	return &validate.Rule{
		Name:        "sampling-below-two-timeouts",
		Summary:     "The sampling window is too short to see two attempts time out.",
		Severity:    diag.Warning,
		Category:    validate.Resilience,
		CheckRoutes: checkSamplingBelowTwoTimeouts,
	}
}

func checkSamplingBelowTwoTimeouts(p *validate.Pass) {
	for r := range p.Routes {
		sampling, timeout := r.Breaker.SamplingDuration, r.AttemptTimeout
		if r.Resilience == nil || r.Breaker.Kind == normalize.NoBreaker || !sampling.IsSet() || !timeout.IsSet() || sampling.V >= 2*timeout.V || sampling.V <= 0 {
			continue
		}
		at := p.Span(sampling.Origin)
		if at.File == nil { // the provider's default
			at = p.Span(timeout.Origin)
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("SamplingDuration %d ms is less than twice the attempt timeout of %d ms", sampling.V, timeout.V),
			Span:    at,
			Effect:  "failures by timeout leave the window before there are enough of them, so the circuit stays closed",
			Help:    fmt.Sprintf("raise SamplingDuration to %d or more, or lower Timeout", 2*timeout.V),
			Subject: validate.Subject(r, "QoSOptions.SamplingDuration"),
			Cause:   fmt.Sprint(sampling.V, timeout.V),
		})
	}
}
