package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/validate"
)

func globalDeprecatedWins() *validate.Rule {
	return &validate.Rule{
		Name:        "global-deprecated-wins",
		Summary:     "A deprecated name in the global section beats the new name on a route.",
		Severity:    diag.Warning,
		Category:    validate.QoS,
		CheckRoutes: checkGlobalDeprecatedWins,
	}
}

// checkGlobalDeprecatedWins reports claim-D14 to claim-D16: Ocelot 25.0 fills
// the route's empty names from the global section before it reads aliases.
func checkGlobalDeprecatedWins(p *validate.Pass) {
	for r := range p.Routes {
		if !r.Divergences.Has(profile.MergeBeforeAlias) || r.Own == nil || r.Global == nil {
			continue
		}
		for _, o := range renamed {
			reportGlobalWins(p, r, o)
		}
	}
}

func reportGlobalWins(p *validate.Pass, r *normalize.Route, o normalize.Option) {
	oldHere, newHere := namesOf(r.Own, o)
	oldGlobal, _ := namesOf(r.Global, o)
	if oldHere.IsSet() || !newHere.IsSet() || !oldGlobal.IsSet() || oldGlobal.V == newHere.V {
		return
	}
	p.Report(diag.Diagnostic{
		Message: fmt.Sprintf("the global %q beats this %s: Ocelot %s uses %s, not %s", o.Deprecated(), o, p.Profile.Number(),
			valueText(o, float64(oldGlobal.V)), valueText(o, float64(newHere.V))),
		Span:    p.Span(newHere.Origin),
		Effect:  "the documentation says that the route wins",
		Related: []diag.Related{{Span: p.Span(oldGlobal.Origin), Message: "this value counts"}},
		Help:    fmt.Sprintf("rename %q in the global section to %q", o.Deprecated(), o),
		Subject: validate.Subject(r, option(o)),
		Cause:   o.String(),
	})
}
