package emit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/margay-dev/margay/normalize"
)

// drawnMembers are what a section is drawn from, each with values to choose.
type drawnMembers map[string][]string

var (
	drawnLimits = drawnMembers{
		"HttpStatusCode": {"429", "null", `"418"`}, "StatusCode": {"400", "null"},
		"QuotaExceededMessage": {`"old"`, `""`, "null"}, "QuotaMessage": {`"new"`, "null"},
		"RateLimitCounterPrefix": {`"old"`}, "KeyPrefix": {`"new"`},
		"DisableRateLimitHeaders": {"true", "false", "null"}, "EnableHeaders": {"true", "false"},
		"PeriodTimespan": {"1", "0.0", "2.5", "0.0001", "null"}, "Wait": {`"5s"`, "null"},
	}
	drawnSchemes = drawnMembers{
		"AuthenticationProviderKey": {`"A"`, `""`, "null"}, "AuthenticationProviderKeys": {`["B"]`, "[]", "null"}, "AllowedScopes": {`["s"]`},
	}
	drawnCaches = drawnMembers{"TtlSeconds": {"5", "0"}, "Region": {`"r"`, "null"}}
)

func (m drawnMembers) draw(t *rapid.T, always string) string {
	var members []string
	if always != "" {
		members = append(members, always)
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if rapid.Bool().Draw(t, name) {
			members = append(members, fmt.Sprintf("%q: %s", name, rapid.SampledFrom(m[name]).Draw(t, "value of "+name)))
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// TestRenameKeepsThePlan: whatever sections hold, their deprecated names are
// replaced only where the plan stays the same, which Rename itself refuses
// otherwise, and a second time there is nothing to replace.
func TestRenameKeepsThePlan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		route := func(path string) string {
			caches := `"CacheOptions": ` + drawnCaches.draw(rt, "")
			if rapid.Bool().Draw(rt, "old cache") {
				caches += `, "FileCacheOptions": ` + rapid.SampledFrom([]string{drawnCaches.draw(rt, ""), "null"}).Draw(rt, "cache")
			}
			return fmt.Sprintf(`{"UpstreamPathTemplate": %q, "DownstreamPathTemplate": "/", "DownstreamScheme": "http", "Key": %[1]q, "DownstreamHostAndPorts": [{"Host": "h", "Port": 80}],
				"RateLimitOptions": %s, "AuthenticationOptions": %s, %s}`, path, drawnLimits.draw(rt, `"Period": "1s", "Limit": 1`), drawnSchemes.draw(rt, ""), caches)
		}
		keys := rapid.SampledFrom([]string{`"RouteKeys": []`, `"RouteKeys": ["/a"]`}).Draw(rt, "RouteKeys")
		text := fmt.Sprintf(`{"Routes": [%s, %s], "GlobalConfiguration": {"RateLimitOptions": %s, "AuthenticationOptions": %s, "CacheOptions": %s}}`,
			route("/a"), route("/b"), drawnLimits.draw(rt, keys), drawnSchemes.draw(rt, keys), drawnCaches.draw(rt, keys))
		before := compileText(t, []byte(text))
		if plan, found := Plan(before); plan == nil {
			rt.Fatalf("no plan: %v\n%s", found.Sorted(), text)
		}
		r, err := Rename(t.Context(), before, normalize.RewriteOptions{})
		if err != nil {
			rt.Fatalf("%v\n%s", err, text)
		}
		if len(r.Files) == 0 {
			return
		}
		again, err := Rename(t.Context(), compileText(t, r.Files[0].Raw), normalize.RewriteOptions{})
		if err != nil || len(again.Files) > 0 {
			rt.Fatalf("a second time: %v, %d files\n%s", err, len(again.Files), r.Files[0].Text)
		}
	})
}
