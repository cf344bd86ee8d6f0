package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
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
	uncounted := p.Profile.Facts().Timeouts == profile.Uncounted && p.Profile.Provider == profile.Polly
	eachBreaker(p, func(r *normalize.Route, b *normalize.Breaker) {
		if b.Kind == normalize.Expression || r.AttemptTimeout.IsSet() && !uncounted || !leads(p, r) {
			return
		}
		if r.AttemptTimeout.IsSet() {
			reportUncounted(p, r)
			return
		}
		counted := "does not count it"
		if p.Profile.Provider == profile.Polly {
			counted = "counts it as a success"
		}
		message := fmt.Sprintf("a service that hangs is cut off after %s, and Ocelot %s: the circuit never opens for it",
			duration(float64(r.OuterTimeout.V)), counted)
		if r.OuterTimeout.V == normalize.Infinite {
			message = "a service that hangs is never cut off, and the circuit never opens for it"
		}
		p.Report(diag.Diagnostic{
			Message: message,
			Span:    p.Span(r.Options.MinimumThroughput.Origin),
			Help:    "set QoSOptions." + normalize.Timeout.In(p.Profile.Facts()) + ", in milliseconds",
			Subject: validate.Subject(r, "QoSOptions.Timeout"),
			Cause:   "hang",
		})
	})
}

// reportUncounted is about releases whose breaker does not see attempt timeouts
// (verlive-timeout-race-1 to -4): in 23.2 the timeout lies around the breaker,
// from 23.3 to 24.0 an outer timer of the same length comes first.
func reportUncounted(p *validate.Pass, r *normalize.Route) {
	p.Report(diag.Diagnostic{
		Message: fmt.Sprintf("a service that hangs is cut off after %s, and the circuit never opens for it: Ocelot %s does not count timeouts",
			duration(float64(r.AttemptTimeout.V)), p.Profile.Number()),
		Span:    p.Span(r.AttemptTimeout.Origin),
		Help:    "move to Ocelot 24.1, which counts them",
		Subject: validate.Subject(r, "QoSOptions.Timeout"),
		Cause:   "uncounted",
	})
}
