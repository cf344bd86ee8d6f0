package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate"
)

func upgradeUnprotected() *validate.Rule {
	return &validate.Rule{
		Name:        "upgrade-unprotected",
		Summary:     "An upgrade to WebSocket skips authentication, claims and rate limits of a route.",
		Severity:    diag.Warning,
		Category:    validate.Security,
		CWE:         306,
		CheckRoutes: checkUpgradeUnprotected,
	}
}

func checkUpgradeUnprotected(p *validate.Pass) {
	if p.Margay { // margay does not do that
		return
	}
	for r := range p.StaticRoutes {
		skipped, at := skippedByUpgrade(p, r)
		if skipped == "" || !takesUpgrades(r) {
			continue
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("a request to upgrade %q to WebSocket skips its %s", r.UpstreamPathTemplate.V, skipped),
			Span:    at,
			Effect:  "whoever sends Connection: Upgrade and Upgrade: websocket is connected to the backend",
			Help:    "list the methods of the route without GET, let the backend check who calls, or limit addresses with SecurityOptions, which hold for upgrades too",
			Subject: diag.Subject{Route: r.UpstreamPathTemplate.V, Option: "AuthenticationOptions"},
			Cause:   skipped,
		})
	}
}

// takesUpgrades says whether a WebSocket backend is meant, or nothing was said
// about methods. An upgrade is a GET.
func takesUpgrades(r *config.Route) bool {
	if r.UpstreamHttpMethod.Len() == 0 {
		return true
	}
	get := slices.ContainsFunc(r.UpstreamHttpMethod.Items, func(m config.Value[string]) bool { return strings.EqualFold(strings.TrimSpace(m.V), "GET") })
	return get && (strings.EqualFold(r.DownstreamScheme.V, "ws") || strings.EqualFold(r.DownstreamScheme.V, "wss"))
}

// skippedByUpgrade names what protects a route, and the option that says so; a
// route that is protected by the global section is named itself.
func skippedByUpgrade(p *validate.Pass, r *config.Route) (what string, at source.Span) {
	if guard := protectionOfStatic(p, r); !guard.none() {
		if r.AuthenticationOptions != nil {
			return guard.String(), p.MemberKey(r.Section, "AuthenticationOptions")
		}
		return guard.String(), p.Span(r.UpstreamPathTemplate.Origin)
	}
	if o := r.RateLimitOptions; o != nil && (!o.EnableRateLimiting.IsSet() || o.EnableRateLimiting.V) {
		return "rate limit", p.MemberKey(r.Section, "RateLimitOptions")
	}
	return "", source.Span{}
}
