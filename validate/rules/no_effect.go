package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func noEffect() *validate.Rule {
	return &validate.Rule{
		Name:        "no-effect",
		Summary:     "A QoS option means nothing beside the other options of the route.",
		Severity:    diag.Warning,
		Category:    validate.QoS,
		CheckRoutes: checkNoEffect,
		Check:       checkGlobalNoEffect,
	}
}

// checkNoEffect leaves alone zeros that switch something off on purpose, and
// sections that do nothing at all (inactive-qos).
func checkNoEffect(p *validate.Pass) {
	if !p.Profile.Facts().RouteTimeouts {
		checkRouteTimeouts(p)
	}
	eachSubstitution(p, func(r *normalize.Route, s normalize.Substitution) {
		var why, help string
		switch {
		case s.Why == normalize.CountMode && s.Option == normalize.SamplingDuration:
			why, help = "without FailureRatio failures are counted in a row, whenever they happen", "set FailureRatio too, or remove SamplingDuration"
		case s.Why == normalize.BreakerOff && s.Option != normalize.MinimumThroughput:
			throughput := r.NameOf(normalize.MinimumThroughput)
			why, help = fmt.Sprintf("the circuit breaker is off, because %s is missing or not above 0", throughput), "set "+throughput+", or remove "+r.NameOf(s.Option)
		default:
			return
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("%s has no effect: %s", r.NameOf(s.Option), why),
			Span:    p.Span(s.Written.Origin),
			Help:    help,
			Subject: validate.Subject(r, option(s.Option)),
			Cause:   s.Option.String(),
		})
	})
}

// checkRouteTimeouts is about releases before 24.1: they bind Timeout of a
// route and never look at it (verlive-route-timeout).
func checkRouteTimeouts(p *validate.Pass) {
	for r := range p.Routes {
		t := r.Base().Timeout
		if !t.IsSet() || t.V == 0 {
			continue
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("Timeout has no effect: Ocelot %s reads it and never uses it", p.Profile.Number()),
			Span:    p.Span(t.Origin),
			Effect:  fmt.Sprintf("from Ocelot 24.1 on it is %d s for the whole request", t.V),
			Help:    "write QoSOptions.TimeoutValue, in milliseconds, or remove it",
			Subject: validate.Subject(r, "Timeout"),
			Cause:   "route timeout",
		})
	}
}

// checkGlobalNoEffect is about releases before 24.1, where the global section is
// for the services of discovery alone (ver-shape cases in versions.jsonl).
func checkGlobalNoEffect(p *validate.Pass) {
	if p.Gateway == nil || p.Profile.Facts().Inherits || p.Gateway.Finder == normalize.Discovery || p.Config.Global.QoSOptions == nil {
		return
	}
	p.Report(diag.Diagnostic{
		Message: fmt.Sprintf("the global QoSOptions have no effect: Ocelot %s gives them to services that discovery finds, and to no route", p.Profile.Number()),
		Span:    p.MemberKey(p.Config.Global.Section, "QoSOptions"),
		Effect:  "from Ocelot 24.1 on they fill what routes leave out, also on routes without QoSOptions",
		Help:    "write QoSOptions on each route",
		Subject: diag.Subject{Option: "GlobalConfiguration.QoSOptions"},
		Cause:   "global section",
	})
}
