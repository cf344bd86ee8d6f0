package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func budgetExceeded() *validate.Rule {
	return &validate.Rule{
		Name:        "budget-exceeded",
		Summary:     "The attempts and the waits between them take longer than the time for the whole request.",
		Severity:    diag.Warning,
		Category:    validate.Timeouts,
		CheckRoutes: checkBudgetExceeded,
	}
}

func checkBudgetExceeded(p *validate.Pass) {
	for r := range p.Routes {
		if r.Resilience == nil || r.Resilience.Retry == nil || !r.AttemptTimeout.IsSet() || !r.Resilience.TotalTimeout.IsSet() {
			continue
		}
		retry := r.Resilience.Retry
		attempts := int64(retry.MaxRetryAttempts.V) + 1
		waits := waitsOf(retry)
		if worst := attempts*int64(r.AttemptTimeout.V) + waits; worst > int64(r.Resilience.TotalTimeout.V) {
			p.Report(exceeded(p, r, attempts, waits, worst))
		}
	}
}

func exceeded(p *validate.Pass, r *normalize.Route, attempts, waits, worst int64) diag.Diagnostic {
	total := r.Resilience.TotalTimeout
	return diag.Diagnostic{
		Message: fmt.Sprintf("%d attempts of %s and waits of %s take up to %s, but the whole request has %s", attempts,
			duration(float64(r.AttemptTimeout.V)), duration(float64(waits)), duration(float64(worst)), duration(float64(total.V))),
		Span:    p.Span(total.Origin),
		Help:    fmt.Sprintf("raise TotalTimeout to %d, or lower MaxRetryAttempts, Delay or QoSOptions.Timeout", worst),
		Subject: validate.Subject(r, "ResilienceOptions.TotalTimeout"),
		Cause:   fmt.Sprint(attempts, worst, total.V),
	}
}

// waitsOf adds up the waits between attempts without jitter, in milliseconds.
func waitsOf(retry *config.Retry) int64 {
	sum := int64(0)
	for i := range retry.MaxRetryAttempts.V {
		wait := int64(retry.Delay.V)
		switch retry.BackoffType.V {
		case "Linear":
			wait *= int64(i) + 1
		case "Exponential":
			wait <<= min(i, 32)
		}
		if retry.MaxDelay.IsSet() {
			wait = min(wait, int64(retry.MaxDelay.V))
		}
		sum += wait
	}
	return sum
}
