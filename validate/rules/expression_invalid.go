package rules

import (
	"errors"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/expr"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func expressionInvalid() *validate.Rule {
	return &validate.Rule{
		Name:        "expression-invalid",
		Summary:     "The expression of a circuit breaker does not read.",
		Severity:    diag.Error,
		Category:    validate.Resilience,
		CheckRoutes: checkExpressionInvalid,
	}
}

func checkExpressionInvalid(p *validate.Pass) {
	eachResilience(p, func(r *normalize.Route, o *config.Resilience) {
		if o.CircuitBreaker == nil {
			return
		}
		text := o.CircuitBreaker.Expression
		if !text.IsSet() {
			p.Report(diag.Diagnostic{
				Message: "this circuit breaker has no Expression, so it never opens",
				Span:    p.Span(o.CircuitBreaker.Origin),
				Help:    "add an Expression, such as \"NetworkErrorRatio() > 0.30\"",
				Subject: validate.Subject(r, "ResilienceOptions.CircuitBreaker.Expression"),
			})
			return
		}
		_, err := expr.Parse(text.V)
		mistakes, _ := errors.AsType[expr.Errors](err)
		for _, mistake := range mistakes {
			p.Report(diag.Diagnostic{
				Message: "in the expression: " + mistake.Message,
				Span:    within(p, text, mistake.Start, mistake.End),
				Help:    mistake.Help,
				Subject: validate.Subject(r, "ResilienceOptions.CircuitBreaker.Expression"),
			})
		}
	})
}
