package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/syntax"
	"github.com/margay-dev/margay/validate"
)

func deprecatedOption() *validate.Rule {
	return &validate.Rule{
		Name:        "deprecated-option",
		Summary:     "An option has a name that Ocelot has deprecated.",
		Severity:    diag.Warning,
		Category:    validate.QoS,
		CheckRoutes: checkDeprecatedOption,
		Check:       checkGlobalDeprecatedOption,
	}
}

// oldName is a deprecated name and what replaces it.
type oldName struct{ name, instead, note string }

var (
	oldQoSNames = []oldName{
		{"DurationOfBreak", "BreakDuration", ""},
		{"ExceptionsAllowedBeforeBreaking", "MinimumThroughput", ""},
		{"TimeoutValue", "Timeout", ""},
	}
	oldRateLimitNames = []oldName{
		{"DisableRateLimitHeaders", "EnableHeaders", "with the opposite value"},
		{"HttpStatusCode", "StatusCode", ""},
		{"QuotaExceededMessage", "QuotaMessage", ""},
		{"RateLimitCounterPrefix", "KeyPrefix", ""},
		{"PeriodTimespan", "Wait", "as text with a unit, such as \"10s\""},
	}
	oldAuthenticationNames = []oldName{{"AuthenticationProviderKey", "AuthenticationProviderKeys", "as a list"}}
	oldRouteNames          = []oldName{{"FileCacheOptions", "CacheOptions", ""}, {"RateLimitRule", "RateLimitOptions", ""}}
)

// checkDeprecatedOption keeps still where the new names are not known yet: a
// rename would switch QoS off there.
func checkDeprecatedOption(p *validate.Pass) {
	if !p.Profile.KnowsNewNames() {
		return
	}
	for r := range p.Routes {
		old := oldRouteNames[:1]
		if r.Kind == normalize.Dynamic {
			old = oldRouteNames[1:]
		}
		deprecatedIn(p, r.Base().Section, old)
		deprecatedInBase(p, r.Base())
	}
}

func checkGlobalDeprecatedOption(p *validate.Pass) {
	if p.Config == nil || !p.Profile.KnowsNewNames() {
		return
	}
	g := p.Config.Global
	if g.QoSOptions != nil {
		deprecatedIn(p, g.QoSOptions.Section, oldQoSNames)
	}
	if g.RateLimitOptions != nil {
		deprecatedIn(p, g.RateLimitOptions.Section, oldRateLimitNames)
	}
	if g.AuthenticationOptions != nil {
		deprecatedIn(p, g.AuthenticationOptions.Section, oldAuthenticationNames)
	}
}

func deprecatedInBase(p *validate.Pass, b *config.RouteBase) {
	if b.QoSOptions != nil {
		deprecatedIn(p, b.QoSOptions.Section, oldQoSNames)
	}
	if b.RateLimitOptions != nil {
		deprecatedIn(p, b.RateLimitOptions.Section, oldRateLimitNames)
	}
	if b.AuthenticationOptions != nil {
		deprecatedIn(p, b.AuthenticationOptions.Section, oldAuthenticationNames)
	}
}

func deprecatedIn(p *validate.Pass, s config.Section, names []oldName) {
	if s.Node == 0 {
		return
	}
	tree := p.Config.Tree
	for c := range tree.Children(s.Node) {
		key := tree.Key(c)
		for _, old := range names {
			if len(key) == len(old.name) && equalFold(key, old.name) && tree.Node(c).Kind != syntax.Null {
				p.Report(deprecated(p, c, old))
			}
		}
	}
}

func deprecated(p *validate.Pass, member syntax.ID, old oldName) diag.Diagnostic {
	help := fmt.Sprintf("write %q", old.instead)
	if old.note != "" {
		help += ", " + old.note
	}
	help += "; `margay normalize` renames all of them and keeps what Ocelot computes"
	return diag.Diagnostic{
		Message: fmt.Sprintf("%q is deprecated", old.name),
		Span:    p.Config.Tree.KeySpan(member),
		Help:    help,
		Subject: diag.Subject{Option: old.name},
		Cause:   old.name,
	}
}

// options with a deprecated name.
var renamed = []normalize.Option{normalize.BreakDuration, normalize.MinimumThroughput, normalize.Timeout}
