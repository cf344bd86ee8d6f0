package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func secondsForMilliseconds() *validate.Rule {
	return &validate.Rule{
		Name:        "seconds-for-milliseconds",
		Summary:     "A QoS timeout looks like seconds, but the option is in milliseconds.",
		Severity:    diag.Warning,
		Category:    validate.QoS,
		Fixable:     true,
		CheckRoutes: checkSecondsForMilliseconds,
	}
}

// mostSeconds is the largest QoS timeout that rather is meant in seconds: no
// backend is given 90 ms, and 90 s is Ocelot's own limit for a request.
const mostSeconds = 90

func looksLikeSeconds(s normalize.Substitution) bool {
	return s.Option == normalize.Timeout && s.Written.V >= 1 && s.Written.V <= mostSeconds
}

func checkSecondsForMilliseconds(p *validate.Pass) {
	facts := p.Profile.Facts()
	for r := range p.Routes {
		t := r.Options.Timeout
		if !t.IsSet() || t.V < 1 || t.V > mostSeconds || facts.Polly.Timeout.Refuses(t.V) { // option-refused says more
			continue
		}
		span := p.Span(t.Origin)
		d := diag.Diagnostic{
			Message: fmt.Sprintf("QoSOptions.%s %d is %d milliseconds: were %d seconds meant?", r.NameOf(normalize.Timeout), t.V, t.V, t.V),
			Span:    span,
			Help:    fmt.Sprintf("write %d for %d seconds", t.V*1000, t.V),
			Fix:     &diag.Fix{Title: fmt.Sprintf("write %d", t.V*1000), Edits: []diag.Edit{{Span: span, NewText: fmt.Sprint(t.V * 1000)}}, Unsafe: true},
			Subject: validate.Subject(r, "QoSOptions.Timeout"),
			Cause:   fmt.Sprint(t.V),
		}
		if limit := facts.Polly.Timeout; limit.Replaces(t.V) {
			d.Effect = fmt.Sprintf("Ocelot refuses timeouts of %d ms and less and takes %d s", limit.Over, limit.Instead/1000)
		}
		p.Report(d)
	}
}
