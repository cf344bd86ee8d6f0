package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func cacheSharedByUsers() *validate.Rule {
	return &validate.Rule{
		Name:        "cache-shared-by-users",
		Summary:     "Answers for one user are served to another from the cache.",
		Severity:    diag.Error,
		Category:    validate.Security,
		CWE:         524,
		CheckRoutes: checkCacheSharedByUsers,
	}
}

func checkCacheSharedByUsers(p *validate.Pass) {
	for r := range p.Routes {
		at, ttl, header := cacheOf(p, r)
		why := personal(p, r)
		if ttl <= 0 || why == "" || strings.EqualFold(header, "Authorization") {
			continue
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("answers are kept for %d s and served to every user, but the route %s", ttl, why),
			Span:    p.Span(at),
			Effect:  "whoever may call the route gets what the last user got for the same URL",
			Help:    "remove CacheOptions from the route, or set its Header to Authorization, which becomes part of the key",
			Subject: validate.Subject(r, "CacheOptions"),
			Cause:   why,
		})
	}
}

// personal says why the answers of a route depend on who calls.
func personal(p *validate.Pass, r *normalize.Route) string {
	if len(protectionOf(p, r.Base()).schemes) > 0 {
		return "has authentication"
	}
	if r.Static == nil {
		return ""
	}
	if len(r.Static.RouteClaimsRequirement.All()) > 0 {
		return "wants claims"
	}
	for _, h := range r.Static.UpstreamHeaderTransform.All() {
		if strings.EqualFold(h.Key.V, "Authorization") || strings.EqualFold(h.Key.V, "Cookie") {
			return "passes " + h.Key.V + " on"
		}
	}
	return ""
}
