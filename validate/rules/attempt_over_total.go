package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func attemptOverTotal() *validate.Rule {
	return &validate.Rule{
		Name:        "attempt-over-total",
		Summary:     "One attempt may take as long as the whole request.",
		Severity:    diag.Warning,
		Category:    validate.Resilience,
		CheckRoutes: checkAttemptOverTotal,
	}
}

func checkAttemptOverTotal(p *validate.Pass) {
	for r := range p.Routes {
		timeout := r.AttemptTimeout
		if r.Resilience == nil || !r.Resilience.TotalTimeout.IsSet() || !timeout.IsSet() || timeout.V < r.Resilience.TotalTimeout.V {
			continue
		}
		total := r.Resilience.TotalTimeout
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("the timeout of one attempt, %s, is not shorter than TotalTimeout, %s", duration(float64(timeout.V)), duration(float64(total.V))),
			Span:    p.Span(total.Origin),
			Effect:  "the attempt is never cut by its own timeout, so there is never time for a second one",
			Help:    fmt.Sprintf("raise TotalTimeout above %d, or lower QoSOptions.Timeout", timeout.V),
			Related: []diag.Related{{Span: p.Span(timeout.Origin), Message: "the timeout of one attempt"}},
			Subject: validate.Subject(r, "ResilienceOptions.TotalTimeout"),
			Cause:   fmt.Sprint(timeout.V, total.V),
		})
	}
}
