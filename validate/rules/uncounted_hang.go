package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func uncountedHang() *validate.Rule {
	return &validate.Rule{
		Name:        "uncounted-hang",
		Summary:     "A circuit breaker without an attempt timeout never notices a service that hangs.",
		Severity:    diag.Info,
		Category:    validate.Timeouts,
		CheckRoutes: checkUncountedHang,
	}
}

// checkUncountedHang reports hazard H04: the outer timer ends such requests,
// and Ocelot counts that as nothing, with Polly even as a success.
func checkUncountedHang(p *validate.Pass) {
	eachBreaker(p, func(r *normalize.Route, b *normalize.Breaker) {
		if r.AttemptTimeout.IsSet() || b.Kind == normalize.Expression || !leads(p, r) {
			return
		}
		counted := "does not count it"
		if b.Kind == normalize.Polly {
			counted = "counts it as a success"
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("a service that hangs is cut off after %s, and Ocelot %s: the circuit never opens for it",
				duration(float64(r.OuterTimeout.V)), counted),
			Span:    p.Span(r.Options.MinimumThroughput.Origin),
			Help:    "set QoSOptions.Timeout, in milliseconds",
			Subject: validate.Subject(r, "QoSOptions.Timeout"),
			Cause:   "hang",
		})
	})
}
