package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func retryWithoutBudget() *validate.Rule {
	return &validate.Rule{
		Name:        "retry-without-budget",
		Summary:     "Retries have no budget, so they multiply the load of a backend that is down.",
		Severity:    diag.Info,
		Category:    validate.Resilience,
		CheckRoutes: checkRetryWithoutBudget,
	}
}

func checkRetryWithoutBudget(p *validate.Pass) {
	eachResilience(p, func(r *normalize.Route, o *config.Resilience) {
		if o.Retry == nil || o.Retry.RetryBudget != nil || o.Retry.MaxRetryAttempts.V <= 0 {
			return
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("while the backend is down, it gets %d times its load: retries have no budget", o.Retry.MaxRetryAttempts.V+1),
			Span:    p.Span(o.Retry.Origin),
			Help:    "add RetryBudget, such as { \"RetryRatio\": 0.2 }",
			Subject: validate.Subject(r, "ResilienceOptions.Retry.RetryBudget"),
			Cause:   "no budget",
		})
	})
}
