package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func deprecatedOverrides() *validate.Rule {
	return &validate.Rule{
		Name:        "deprecated-overrides",
		Summary:     "An option stands under its old and its new name with different values, and the old name wins.",
		Severity:    diag.Warning,
		Category:    validate.QoS,
		CheckRoutes: checkDeprecatedOverrides,
		Check:       checkGlobalDeprecatedOverrides,
	}
}

func checkDeprecatedOverrides(p *validate.Pass) {
	for r := range p.Routes {
		if r.Own != nil {
			overridesIn(p, r.Own, func() diag.Subject { return validate.Subject(r, "") })
		}
	}
}

func checkGlobalDeprecatedOverrides(p *validate.Pass) {
	if p.Gateway == nil {
		return
	}
	if g := p.Config.Global.QoSOptions; g != nil {
		overridesIn(p, &g.QoSOptions, func() diag.Subject { return diag.Subject{} })
	}
}

// overridesIn asks for the subject only when there is something to report: it
// is a text that is made anew for every route.
func overridesIn(p *validate.Pass, q *config.QoSOptions, subjectOf func() diag.Subject) {
	for _, o := range renamed {
		old, new := namesOf(q, o)
		if !old.IsSet() || !new.IsSet() || old.V == new.V {
			continue
		}
		subject := subjectOf()
		subject.Option = option(o)
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("%q is deprecated and beats %q: %s counts, not %s",
				o.Deprecated(), o, valueText(o, float64(old.V)), valueText(o, float64(new.V))),
			Span:    p.Span(old.Origin),
			Related: []diag.Related{{Span: p.Span(new.Origin), Message: "ignored by Ocelot"}},
			Help:    fmt.Sprintf("remove %q, or remove %q if the new value is meant", o, o.Deprecated()),
			Subject: subject,
		})
	}
}

// namesOf returns the values of an option under its old and its new name.
func namesOf(q *config.QoSOptions, o normalize.Option) (old, new config.Value[int32]) {
	switch o {
	case normalize.BreakDuration:
		return q.DurationOfBreak, q.BreakDuration
	case normalize.MinimumThroughput:
		return q.ExceptionsAllowedBeforeBreaking, q.MinimumThroughput
	}
	return q.TimeoutValue, q.Timeout
}

func equalFold(a, b string) bool { return strings.EqualFold(a, b) }
