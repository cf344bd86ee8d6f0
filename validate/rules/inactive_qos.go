package rules

import (
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func inactiveQoS() *validate.Rule {
	return &validate.Rule{
		Name:        "inactive-qos",
		Summary:     "A QoSOptions section does nothing, because none of its options switches QoS on.",
		Severity:    diag.Warning,
		Category:    validate.QoS,
		CheckRoutes: checkInactiveQoS,
	}
}

// checkInactiveQoS looks at routes with a section of their own: a global
// section that does nothing is reported where it stands by its first route.
func checkInactiveQoS(p *validate.Pass) {
	for r := range p.Routes {
		if r.Own == nil || r.Active || switchesOff(r) {
			continue
		}
		p.Report(diag.Diagnostic{
			Message: "this QoSOptions section does nothing: neither MinimumThroughput, Timeout nor FailureRatio is above 0",
			Span:    p.MemberKey(r.Base().Section, "QoSOptions"),
			Effect:  "Ocelot adds no QoS handler to the route",
			Help:    "set MinimumThroughput for a circuit breaker, Timeout for a time limit, or remove the section",
			Subject: validate.Subject(r, "QoSOptions"),
			Cause:   "inactive",
		})
	}
}

// switchesOff says whether the route's zeros keep a global section away, which
// is a way to say so on purpose (disabled-by-zero).
func switchesOff(r *normalize.Route) bool {
	return r.Global != nil && (r.Own.MinimumThroughput.IsSet() || r.Own.ExceptionsAllowedBeforeBreaking.IsSet() ||
		r.Own.Timeout.IsSet() || r.Own.TimeoutValue.IsSet() || r.Own.FailureRatio.IsSet())
}
