package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func responseCodeInvalid() *validate.Rule {
	return &validate.Rule{
		Name:        "response-code-invalid",
		Summary:     "A status code is none that can be answered with.",
		Severity:    diag.Error,
		Category:    validate.Resilience,
		CheckRoutes: checkResponseCodeInvalid,
	}
}

func checkResponseCodeInvalid(p *validate.Pass) {
	eachResilience(p, func(r *normalize.Route, o *config.Resilience) {
		report := func(code config.Value[int32], option string) {
			if !code.IsSet() || code.V >= 200 && code.V <= 599 {
				return
			}
			p.Report(diag.Diagnostic{
				Message: fmt.Sprintf("%d is no status code to answer with: 200 to 599 are", code.V),
				Span:    p.Span(code.Origin),
				Help:    "write a code such as 503",
				Subject: validate.Subject(r, "ResilienceOptions."+option),
				Cause:   option,
			})
		}
		if b := o.CircuitBreaker; b != nil {
			report(b.ResponseCode, "CircuitBreaker.ResponseCode")
		}
		if f := o.Fallback; f != nil {
			report(f.StatusCode, "Fallback.StatusCode")
		}
		if o.Chaos != nil && o.Chaos.Outcome != nil {
			report(o.Chaos.Outcome.StatusCode, "Chaos.Outcome.StatusCode")
		}
	})
}
