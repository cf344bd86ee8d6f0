package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
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
	facts := p.Profile.Facts()
	for r := range p.Routes {
		if r.Own == nil || r.Active || switchesOff(r) || !facts.RouteTimeouts && r.Options.Timeout.V != 0 {
			continue
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("this QoSOptions section does nothing: %s is above 0", switches(facts)),
			Span:    p.MemberKey(r.Base().Section, "QoSOptions"),
			Effect:  "Ocelot adds no QoS handler to the route",
			Help: fmt.Sprintf("set %s for a circuit breaker, %s for a time limit, or remove the section",
				normalize.MinimumThroughput.In(facts), normalize.Timeout.In(facts)),
			Subject: validate.Subject(r, "QoSOptions"),
			Cause:   "inactive",
		})
	}
}

// switches names the options that switch QoS on.
func switches(f *profile.Facts) string {
	throughput, timeout := normalize.MinimumThroughput.In(f), normalize.Timeout.In(f)
	if !f.RatioActivates {
		return fmt.Sprintf("neither %s nor %s", throughput, timeout)
	}
	return fmt.Sprintf("neither %s, %s nor %s", throughput, timeout, normalize.FailureRatio)
}

// switchesOff says whether the route's zeros keep a global section away, which
// is a way to say so on purpose (disabled-by-zero).
func switchesOff(r *normalize.Route) bool {
	return r.Global != nil && (r.Own.MinimumThroughput.IsSet() || r.Own.ExceptionsAllowedBeforeBreaking.IsSet() ||
		r.Own.Timeout.IsSet() || r.Own.TimeoutValue.IsSet() || r.Own.FailureRatio.IsSet())
}
