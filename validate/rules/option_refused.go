package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func optionRefused() *validate.Rule {
	return &validate.Rule{
		Name:        "option-refused",
		Summary:     "Polly throws over a QoS option, so every request of the route fails.",
		Severity:    diag.Error,
		Category:    validate.QoS,
		CheckRoutes: checkOptionRefused,
	}
}

// checkOptionRefused is about releases before 24.1, which hand the options to
// Polly, or to a timer, as they are (strategyError in versions.jsonl). Later
// ones replace them; where their arithmetic goes wrong, timeout-overflow says so.
func checkOptionRefused(p *validate.Pass) {
	if p.Profile.Facts().RouteTimeouts {
		return
	}
	for r := range p.Resolved {
		f := r.Failure()
		if f == nil {
			continue
		}
		if len(f.Refused) == 0 {
			p.Report(negativeTimer(p, r, f))
		}
		for _, o := range f.Refused {
			p.Report(refused(p, r, f, o))
		}
	}
}

func refused(p *validate.Pass, r *normalize.Route, f *normalize.Failure, o normalize.Refused) diag.Diagnostic {
	facts := p.Profile.Facts()
	name := o.Option.In(facts)
	d := diag.Diagnostic{
		Message: fmt.Sprintf("Polly takes no %s of %s: every request of the route fails with 500", name, valueText(o.Option, float64(o.Value.V))),
		Span:    p.Span(o.Value.Origin),
		Effect:  "the start is fine, the exception comes with each request",
		Help:    fmt.Sprintf("write %s", allowed(o.Option, p.Profile)),
		Ocelot:  f.Message,
		Subject: validate.Subject(r, option(o.Option)),
		Cause:   fmt.Sprint(o.Option, o.Value.V),
	}
	if o.Value.Origin.Kind == config.Default {
		d.Message = fmt.Sprintf("a breaker without %s gets %s, which Polly does not take: every request of the route fails with 500",
			name, valueText(o.Option, float64(o.Value.V)))
		d.Span = p.Span(r.Options.MinimumThroughput.Origin)
		d.Help = fmt.Sprintf("write %s too, %s", name, allowed(o.Option, p.Profile))
	}
	return d
}

// negativeTimer is about a TimeoutValue below -1, which is the outer timer too.
func negativeTimer(p *validate.Pass, r *normalize.Route, f *normalize.Failure) diag.Diagnostic {
	name := normalize.Timeout.In(p.Profile.Facts())
	return diag.Diagnostic{
		Message: fmt.Sprintf("%s %d is the timer of the whole request too, which can't be negative: every request of the route fails with 500",
			name, r.Options.Timeout.V),
		Span:    p.Span(r.Options.Timeout.Origin),
		Effect:  "the start is fine, the exception comes with each request",
		Help:    "write the milliseconds that are meant, or -1 for no limit",
		Ocelot:  f.Message,
		Subject: validate.Subject(r, option(normalize.Timeout)),
		Cause:   fmt.Sprint(r.Options.Timeout.V),
	}
}
