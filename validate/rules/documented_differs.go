package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate"
)

func documentedDiffers() *validate.Rule {
	return &validate.Rule{
		Name:        "documented-differs",
		Summary:     "Ocelot 25.0 gives a route something else than its documentation says.",
		Severity:    diag.Warning,
		Category:    validate.QoS,
		CheckRoutes: checkDocumentedDiffers,
	}
}

// saidElsewhere are the divergences that a rule of their own reports.
const saidElsewhere = profile.MergeBeforeAlias | profile.ZeroRouteTimeout | profile.SecondsOverflow

func checkDocumentedDiffers(p *validate.Pass) {
	for r := range p.Resolved {
		rest := r.Divergences &^ saidElsewhere
		if rest == 0 || r.OuterTimeout.V <= 0 {
			continue
		}
		for d := range rest.All() {
			reportDivergence(p, r, d)
		}
	}
}

func reportDivergence(p *validate.Pass, r *normalize.Route, d profile.Divergences) {
	other := r.Otherwise()
	here, there := r, &other
	if !p.Profile.Documented() {
		here, there = there, here
	}
	p.Report(diag.Diagnostic{
		Message: fmt.Sprintf("%s, but Ocelot %s does otherwise: %s", d.Documented(), p.Profile.Number(), d.Observed()),
		Span:    divergencePlace(p, r, d),
		Effect:  fmt.Sprintf("by the documentation: %s; as Ocelot %s runs it: %s", summary(here), p.Profile.Number(), summary(there)),
		Help:    "margay explain " + d.String(),
		Subject: validate.Subject(r, "QoSOptions"),
		Cause:   d.String(),
	})
}

// divergencePlace returns the text that the divergence is about.
func divergencePlace(p *validate.Pass, r *normalize.Route, d profile.Divergences) source.Span {
	origin := r.Section().Origin
	switch d {
	case profile.ZeroThroughput:
		origin = r.Options.MinimumThroughput.Origin
	case profile.NonpositiveRatio, profile.PollyRatioOne:
		origin = r.Options.FailureRatio.Origin
	case profile.RawOuterTimeout:
		origin = r.Options.Timeout.Origin
	case profile.UnlistedTimeout:
		origin = p.Config.Global.Timeout.Origin
	case profile.UnlistedGroup:
		if q := p.Config.Global.QoSOptions; q != nil && q.RouteKeys != nil {
			origin = q.RouteKeys.Origin
		}
	}
	return p.Span(origin)
}

// summary says in a few words what protects a route.
func summary(r *normalize.Route) string {
	var parts []string
	switch b := r.Breaker; b.Kind {
	case normalize.NoBreaker:
		parts = append(parts, "no breaker")
	case normalize.Consecutive:
		parts = append(parts, fmt.Sprintf("opens after %d failures in a row", b.MinimumThroughput.V))
	case normalize.Ratio, normalize.Polly:
		parts = append(parts, fmt.Sprintf("opens at %s of %d calls in %s", percent(b.FailureRatio.V), b.MinimumThroughput.V, duration(float64(b.SamplingDuration.V))))
	}
	if r.AttemptTimeout.IsSet() {
		parts = append(parts, "attempt timeout "+duration(float64(r.AttemptTimeout.V)))
	}
	if r.OuterTimeout.IsSet() {
		parts = append(parts, "outer timeout "+duration(float64(r.OuterTimeout.V)))
	}
	return strings.Join(parts, ", ")
}
