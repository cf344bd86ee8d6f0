package rules

import (
	"fmt"
	"math"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func endlessTimeout() *validate.Rule {
	return &validate.Rule{
		Name:        "endless-timeout",
		Summary:     "Nothing ends a request of the route, not even the limit of 90 s.",
		Severity:    diag.Info,
		Category:    validate.Timeouts,
		CheckRoutes: checkEndlessTimeout,
	}
}

// checkEndlessTimeout is about the two ways to say "never" that work before
// 24.1, where TimeoutValue is the timer of the whole request as well. Both mean
// something else from 24.1 on: -1 no attempt timeout, and the largest number
// 500 at every request.
func checkEndlessTimeout(p *validate.Pass) {
	if p.Profile.Facts().RouteTimeouts {
		return
	}
	name := normalize.Timeout.In(p.Profile.Facts())
	for r := range p.Resolved {
		t := r.Options.Timeout
		if r.Kind == normalize.Aggregate || t.V != normalize.Infinite && t.V != math.MaxInt32 {
			continue
		}
		then := "no attempt timeout and a limit of 90 s"
		if t.V > 0 {
			then = "500 at every request"
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("%s %d lets a request last for ever: a service that hangs holds its callers and their connections", name, t.V),
			Span:    p.Span(t.Origin),
			Effect:  "from Ocelot 24.1 on the same number means " + then,
			Help:    "write the milliseconds after which nobody waits any more",
			Subject: validate.Subject(r, option(normalize.Timeout)),
			Cause:   fmt.Sprint(t.V),
		})
	}
}
