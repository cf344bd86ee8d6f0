package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func chaosEnabled() *validate.Rule {
	return &validate.Rule{
		Name:        "chaos-enabled",
		Summary:     "Faults are injected on purpose.",
		Severity:    diag.Warning,
		Category:    validate.Resilience,
		CheckRoutes: checkChaosEnabled,
	}
}

func checkChaosEnabled(p *validate.Pass) {
	eachResilience(p, func(r *normalize.Route, o *config.Resilience) {
		if o.Chaos == nil {
			return
		}
		p.Report(diag.Diagnostic{
			Message: "chaos is on: " + faults(o.Chaos),
			Span:    p.Span(o.Chaos.Origin),
			Help:    "remove Chaos, or set its Enabled to false, before real clients come",
			Subject: validate.Subject(r, "ResilienceOptions.Chaos"),
		})
	})
}

func faults(c *config.Chaos) string {
	var all []string
	if c.Latency != nil {
		all = append(all, fmt.Sprintf("%s of the requests wait for %s", share(c.Latency.InjectionRate.V), duration(float64(c.Latency.Latency.V))))
	}
	if c.Outcome != nil {
		all = append(all, fmt.Sprintf("%s get %d", share(c.Outcome.InjectionRate.V), c.Outcome.StatusCode.V))
	}
	if c.Fault != nil {
		all = append(all, share(c.Fault.InjectionRate.V)+" fail")
	}
	return strings.Join(all, ", ")
}

func share(rate float64) string { return fmt.Sprintf("%.3g %%", 100*rate) }
