package emit

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
)

// planDiffers is the name under which is said what a plan cannot imitate.
const planDiffers = "plan-differs"

// PlanDiffers returns warnings about what the plan of a result does in another
// way than the release that it imitates, and about routes that answer nothing
// but errors because the release does so; none from 24.1 on. Whoever writes or
// runs a plan shows them.
func PlanDiffers(r *Result) *diag.List {
	found, l := &diag.List{}, newLowering(r)
	if r.Profile.Facts().Inherits {
		return found
	}
	raced := false
	for i := range l.Gateway.Routes {
		route := &l.Gateway.Routes[i]
		switch {
		case refused(route):
			found.Add(l.failing(route))
		case !raced && route.Breaker.Kind != normalize.NoBreaker && route.AttemptTimeout.IsSet() && counting(l.Profile) == profile.Raced:
			raced = true
			found.Add(l.racing(route))
		}
	}
	return found
}

func (l *lowering) failing(route *normalize.Route) diag.Diagnostic {
	at := route.Failure().Refused[0].Value.Origin
	if at.Kind == config.Default {
		at = route.Options.MinimumThroughput.Origin
	}
	return diag.Diagnostic{
		Rule: planDiffers, Severity: diag.Warning, Span: l.span(at),
		Message: fmt.Sprintf("the plan answers 500 to every request of %s, as Ocelot %s does: %s",
			routeName(route), l.Profile.Number(), refusalWords(route, l.names())),
		Help: "mend the option, or make the plan for another release with --ocelot",
	}
}

// racing is about what no plan can say: which of two timers comes first.
func (l *lowering) racing(route *normalize.Route) diag.Diagnostic {
	return diag.Diagnostic{
		Rule: planDiffers, Severity: diag.Warning, Span: l.span(route.AttemptTimeout.Origin),
		Message: fmt.Sprintf("margay counts every timeout as a failure, Ocelot %s most of them: its two timers of equal length race", l.Profile.Number()),
		Effect:  "from 24.1 on Ocelot counts them all too, from 23.2 to 24.0 none",
		Help:    "make the plan with the release that is meant to run, by --ocelot, where that matters",
	}
}
