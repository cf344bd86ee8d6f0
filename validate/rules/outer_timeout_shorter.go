package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate"
)

func outerTimeoutShorter() *validate.Rule {
	return &validate.Rule{
		Name:        "outer-timeout-shorter",
		Summary:     "The timeout of the whole request is not longer than that of one attempt, so Ocelot replaces it.",
		Severity:    diag.Warning,
		Category:    validate.Timeouts,
		CheckRoutes: checkOuterTimeoutShorter,
	}
}

func checkOuterTimeoutShorter(p *validate.Pass) {
	for r := range p.Routes {
		if !r.OuterDoubled || r.OuterTimeout.V <= 0 {
			continue
		}
		attempt := r.Options.Timeout
		seconds := int64(normalize.DefaultTimeout)
		if r.RouteTimeout.IsSet() {
			seconds = int64(r.RouteTimeout.V)
		}
		d := diag.Diagnostic{
			Message: fmt.Sprintf("the attempt timeout %s is not shorter than the %d s of the whole request: Ocelot makes those %s",
				duration(float64(attempt.V)), seconds, duration(float64(r.OuterTimeout.V))),
			Span:    p.Span(attempt.Origin),
			Help:    fmt.Sprintf("set the route's Timeout to %d seconds or more, or lower QoSOptions.Timeout", int64(attempt.V)/1000+1),
			Subject: validate.Subject(r, "Timeout"),
			Cause:   fmt.Sprint(attempt.V, seconds),
		}
		if at := p.Span(r.RouteTimeout.Origin); at != (source.Span{}) {
			d.Related = []diag.Related{{Span: at, Message: "the whole request, in seconds"}}
		}
		p.Report(d)
	}
}
