package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func retryAmplification() *validate.Rule {
	return &validate.Rule{
		Name:        "retry-amplification",
		Summary:     "One request may become many calls.",
		Severity:    diag.Warning,
		Category:    validate.Resilience,
		CheckRoutes: checkRetryAmplification,
	}
}

// mostCalls is how many calls for one request are nothing to talk about: the
// default of three retries.
const mostCalls = 4

func checkRetryAmplification(p *validate.Pass) {
	eachResilience(p, func(r *normalize.Route, o *config.Resilience) {
		if o.Retry == nil {
			return
		}
		calls := int64(o.Retry.MaxRetryAttempts.V) + 1
		if calls <= mostCalls {
			return
		}
		d := diag.Diagnostic{
			Message: fmt.Sprintf("one request may become %d calls to the backend", calls),
			Span:    p.Span(o.Retry.MaxRetryAttempts.Origin),
			Help:    "lower MaxRetryAttempts to 3 or less: what fails four times seldom works the fifth time",
			Subject: validate.Subject(r, "ResilienceOptions.Retry.MaxRetryAttempts"),
			Cause:   fmt.Sprint(calls),
		}
		p.Report(d)
	})
}
