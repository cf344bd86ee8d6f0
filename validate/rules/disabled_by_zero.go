package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func disabledByZero() *validate.Rule {
	return &validate.Rule{
		Name:        "disabled-by-zero",
		Summary:     "Zeros on a route keep the global QoSOptions away from it.",
		Severity:    diag.Info,
		Category:    validate.QoS,
		CheckRoutes: checkDisabledByZero,
	}
}

func checkDisabledByZero(p *validate.Pass) {
	for r := range p.Routes {
		if r.Global == nil || r.Own == nil {
			continue
		}
		reportZero(p, r, normalize.MinimumThroughput, r.Options.MinimumThroughput, r.Global.ExceptionsAllowedBeforeBreaking.Or(r.Global.MinimumThroughput))
		reportZero(p, r, normalize.Timeout, r.Options.Timeout, r.Global.TimeoutValue.Or(r.Global.Timeout))
	}
}

func reportZero(p *validate.Pass, r *normalize.Route, o normalize.Option, decided normalize.Decision[int32], global config.Value[int32]) {
	fromRoute := decided.From == normalize.RouteNew || decided.From == normalize.RouteDeprecated
	if !fromRoute || decided.V > 0 || global.V <= 0 {
		return
	}
	p.Report(diag.Diagnostic{
		Message: fmt.Sprintf("%s %d keeps the global %s away from this route", o, decided.V, valueText(o, float64(global.V))),
		Help:    "leave it as it is, or remove it if the global value is meant",
		Span:    p.Span(decided.Origin),
		Related: []diag.Related{{Span: p.Span(global.Origin), Message: "the global value"}},
		Subject: validate.Subject(r, option(o)),
		Cause:   o.String(),
	})
}
