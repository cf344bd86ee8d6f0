package rules

import (
	"fmt"
	"math"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/validate"
)

func timeoutOverflow() *validate.Rule {
	return &validate.Rule{
		Name:        "timeout-overflow",
		Summary:     "A timeout is so large that Ocelot's arithmetic wraps around.",
		Severity:    diag.Error,
		Category:    validate.Timeouts,
		CheckRoutes: checkTimeoutOverflow,
	}
}

// checkTimeoutOverflow is about releases that compute the outer timer, since
// 24.1. It looks at the route as the program gives it, whoever's
// answer is asked for: the wrong timer is there in production.
func checkTimeoutOverflow(p *validate.Pass) {
	if !p.Profile.Facts().RouteTimeouts {
		return
	}
	const wrapping = profile.SecondsOverflow | profile.RawOuterTimeout | profile.UnlistedTimeout
	for r := range p.Resolved {
		if r.Divergences&wrapping == 0 && r.OuterTimeout.V > 0 || r.Kind == normalize.Aggregate {
			continue
		}
		run := *r
		if p.Profile.Documented() {
			run = r.Otherwise()
		}
		wraps := run.Divergences.Has(profile.SecondsOverflow)
		if run.OuterTimeout.V > 0 && !wraps {
			continue
		}
		p.Report(overflow(p, r, &run))
	}
}

// mostWholeSeconds is the largest number of seconds whose milliseconds fit 32
// bits.
const mostWholeSeconds = math.MaxInt32 / 1000

func overflow(p *validate.Pass, r, run *normalize.Route) diag.Diagnostic {
	at, what := run.RouteTimeout.Origin, "Timeout"
	wrapped := run.RouteTimeout.V > mostWholeSeconds
	if run.OuterDoubled && (!wrapped || run.OuterTimeout.V <= 0) {
		at, what = run.Options.Timeout.Origin, "QoSOptions.Timeout"
	}
	d := diag.Diagnostic{
		Span:    p.Span(at),
		Help:    "write at most 2147483 seconds, or 1073741823 milliseconds",
		Subject: validate.Subject(r, what),
		Cause:   what,
	}
	version := p.Profile.Number()
	switch ms := run.OuterTimeout.V; {
	case ms < 0:
		d.Message = fmt.Sprintf("%s becomes %d ms in Ocelot %s: every request of the route fails with 500", what, ms, version)
	case ms == 0:
		d.Message = fmt.Sprintf("%s becomes 0 ms in Ocelot %s: requests fail with 503 unless the service answers at once", what, version)
	case run.OuterDoubled:
		d.Message = fmt.Sprintf("Timeout %d wraps around in Ocelot %s and is not longer than QoSOptions.Timeout then, so twice that counts: %s",
			run.RouteTimeout.V, version, duration(float64(ms)))
	default:
		d.Message = fmt.Sprintf("%s wraps around to %s in Ocelot %s", what, duration(float64(ms)), version)
	}
	return d
}
