package rules

import (
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func twoBreakers() *validate.Rule {
	return &validate.Rule{
		Name:        "two-breakers",
		Summary:     "A circuit breaker with an expression replaces the one of QoSOptions.",
		Severity:    diag.Warning,
		Category:    validate.Resilience,
		CheckRoutes: checkTwoBreakers,
	}
}

func checkTwoBreakers(p *validate.Pass) {
	for r := range p.Routes {
		if r.Resilience == nil || r.Resilience.CircuitBreaker == nil {
			continue
		}
		at := r.Options.MinimumThroughput.Origin
		if r.Options.MinimumThroughput.V <= 0 {
			at = r.Options.FailureRatio.Origin
		}
		if r.Options.MinimumThroughput.V <= 0 && !(r.Options.FailureRatio.V > 0) {
			continue // a breaker that only defaults bring about
		}
		p.Report(diag.Diagnostic{
			Message: "this circuit breaker is replaced by the one with an expression in ResilienceOptions",
			Span:    p.Span(at),
			Help:    "remove MinimumThroughput, FailureRatio, BreakDuration and SamplingDuration, or ResilienceOptions.CircuitBreaker",
			Related: []diag.Related{{Span: p.Span(r.Resilience.CircuitBreaker.Origin), Message: "the breaker in force"}},
			Subject: validate.Subject(r, "ResilienceOptions.CircuitBreaker"),
			Cause:   "two breakers",
		})
	}
}
