package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/validate"
)

func hairTrigger() *validate.Rule {
	return &validate.Rule{
		Name:        "hair-trigger",
		Summary:     "With these numbers a single failure opens the circuit.",
		Severity:    diag.Info,
		Category:    validate.QoS,
		CheckRoutes: checkHairTrigger,
	}
}

// checkHairTrigger applies to breakers that count a ratio: one failure among
// the fewest calls that count already reaches it (claim-D28).
func checkHairTrigger(p *validate.Pass) {
	eachBreaker(p, func(r *normalize.Route, b *normalize.Breaker) {
		if b.Kind != normalize.Polly || float64(b.MinimumThroughput.V)*b.FailureRatio.V > 1 || !leads(p, r) {
			return
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("one failure opens the circuit: after %d good calls it is %s of %d calls, and %s is enough",
				b.MinimumThroughput.V-1, percent(1/float64(b.MinimumThroughput.V)), b.MinimumThroughput.V, percent(b.FailureRatio.V)),
			Span:    p.Span(r.Options.MinimumThroughput.Origin),
			Help:    raiseThroughput(p.Profile.Facts()),
			Subject: validate.Subject(r, "QoSOptions.MinimumThroughput"),
			Cause:   fmt.Sprint(b.MinimumThroughput.V, b.FailureRatio.V),
		})
	})
}

// raiseThroughput says what to write in a release, before 24.1 without a ratio.
func raiseThroughput(f *profile.Facts) string {
	text := "raise " + normalize.MinimumThroughput.In(f)
	if f.Inherits {
		text += ", or write a FailureRatio such as 0.5"
	}
	return text
}

// eachBreaker calls f for the breakers of written routes.
func eachBreaker(p *validate.Pass, f func(*normalize.Route, *normalize.Breaker)) {
	for r := range p.Routes {
		if r.Breaker.Kind != normalize.NoBreaker {
			f(r, &r.Breaker)
		}
	}
}

func percent(ratio float64) string { return fmt.Sprintf("%.3g %%", ratio*100) }
