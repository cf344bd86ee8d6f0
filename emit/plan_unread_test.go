package emit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit"
)

// What is written about who may call, but cannot be read, is in the plan: a
// gateway that knows nothing of it is more open than it was meant to be.
func TestPlanNamesWhatCannotBeRead(t *testing.T) {
	const start = `{ "UpstreamPathTemplate": "/a", "DownstreamPathTemplate": "/", "DownstreamScheme": "http", "DownstreamHostAndPorts": [{ "Host": "a", "Port": 80 }]`
	for written, want := range map[string]string{
		``: "",
		`, "AuthenticationOptions": { "AuthenticationProviderKeys": "Bearer" }`:                              "authentication:AuthenticationProviderKeys",
		`, "AuthenticationOptions": { "AuthenticationProviderKeys": ["Bearer"], "AllowedScopes": "a" }`:      "authentication:AllowedScopes",
		`, "AuthenticationOptions": "Bearer"`:                                                                "authentication:AuthenticationOptions",
		`, "authenticationoptions": "Bearer"`:                                                                "authentication:AuthenticationOptions",
		`, "AuthenticationOptions:AllowedScopes": "a"`:                                                       "authentication:AllowedScopes",
		`, "SecurityOptions": { "IPAllowedList": "10.0.0.1", "IPBlockedList": "10.0.0.2" }`:                  "client-ips:IPAllowedList client-ips:IPBlockedList",
		`, "RateLimitOptions": true`:                                                                         "rate-limit:RateLimitOptions",
		`, "RouteClaimsRequirement": "admin"`:                                                                "claims:RouteClaimsRequirement",
		`, "RouteClaimsRequirement": { "role": ["admin"] }`:                                                  "claims:RouteClaimsRequirement",
		`, "RouteClaimsRequirement": { "http://x/role": "admin" }`:                                           "claims:RouteClaimsRequirement",
		`, "RouteClaimsRequirement": { "role": "admin" }`:                                                    "",
		`, "AuthenticationOptions": null, "SecurityOptions": { "IPAllowedList": "", "IPBlockedList": null }`: "",
		`, "AuthenticationOptions": { "AllowAnonymous": true }, "SecurityOptions": { "IPAllowedList": [] }`:  "",
		`} ], "GlobalConfiguration": { "SecurityOptions": { "IPAllowedList": "10.0.0.1" } }, "x": [ {`:       "client-ips:IPAllowedList",
		`} ], "GlobalConfiguration": { "RateLimitOptions": 5 }, "x": [ {`:                                    "rate-limit:RateLimitOptions",
	} {
		p, found := emit.Plan(compile(t, "ocelot.json", []byte(`{ "Routes": [ `+start+written+` } ] }`), emit.Options{}))
		if p == nil {
			t.Errorf("%s: no plan: %v", written, found.Sorted())
			continue
		}
		var got []string
		for _, u := range p.Routes[0].Unread {
			if !strings.HasPrefix(u.At, "ocelot.json:1:") {
				t.Errorf("%s: at %q", written, u.At)
			}
			got = append(got, fmt.Sprint(u.Setting, ":", u.Name))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: got %q, want %q", written, text, want)
		}
	}
}
