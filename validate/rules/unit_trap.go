package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func unitTrap() *validate.Rule {
	return &validate.Rule{
		Name:        "unit-trap",
		Summary:     "A timeout in seconds looks like milliseconds.",
		Severity:    diag.Warning,
		Category:    validate.Timeouts,
		Fixable:     true,
		CheckRoutes: checkUnitTrap,
		Check:       checkGlobalUnitTrap,
	}
}

// leastMilliseconds is the smallest timeout in seconds that rather is meant in
// milliseconds: a quarter of an hour is longer than any client waits.
const leastMilliseconds = 1000

func checkUnitTrap(p *validate.Pass) {
	if !p.Profile.Facts().RouteTimeouts {
		return // it has no effect there, see no-effect
	}
	for r := range p.Routes {
		if t := r.Base().Timeout; looksLikeMilliseconds(t.V) {
			reportUnit(p, t, validate.Subject(r, "Timeout"))
		}
	}
}

func checkGlobalUnitTrap(p *validate.Pass) {
	if p.Gateway == nil {
		return
	}
	if t := p.Config.Global.Timeout; looksLikeMilliseconds(t.V) {
		reportUnit(p, t, diag.Subject{Option: "GlobalConfiguration.Timeout"})
	}
}

func looksLikeMilliseconds(t int32) bool {
	return t >= leastMilliseconds && t%100 == 0 && t <= 1_000_000
}

func reportUnit(p *validate.Pass, t config.Value[int32], subject diag.Subject) {
	seconds := max(t.V/1000, 1)
	span := p.Span(t.Origin)
	p.Report(diag.Diagnostic{
		Message: fmt.Sprintf("Timeout %d is %s, in seconds: were milliseconds meant?", t.V, hours(t.V)),
		Span:    span,
		Help:    fmt.Sprintf("write %d for %d ms, or QoSOptions.Timeout, which is in milliseconds", seconds, t.V),
		Fix:     &diag.Fix{Title: fmt.Sprintf("write %d", seconds), Edits: []diag.Edit{{Span: span, NewText: fmt.Sprint(seconds)}}, Unsafe: true},
		Subject: subject,
		Cause:   fmt.Sprint(t.V),
	})
}

func hours(seconds int32) string {
	if seconds < 3600 {
		return fmt.Sprintf("%.3g minutes", float64(seconds)/60)
	}
	return fmt.Sprintf("%.3g hours", float64(seconds)/3600)
}
