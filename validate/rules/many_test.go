package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/validate/rules"
	"github.com/margay-dev/margay/validate/validatetest"
)

// TestManyOfAKind holds that what bounds the work for thousands of equal
// mistakes loses no finding.
func TestManyOfAKind(t *testing.T) {
	const count = 300
	list := func(item string) string {
		var items []string
		for i := range count {
			items = append(items, strings.ReplaceAll(item, "#", fmt.Sprint(i)))
		}
		return strings.Join(items, ",\n")
	}
	const host = `"DownstreamPathTemplate": "/", "DownstreamScheme": "http", "DownstreamHostAndPorts": [ { "Host": "a", "Port": 80 } ]`
	for _, c := range []struct {
		name, text, rule string
		want             int
	}{
		{"equal routes", `{ "Routes": [` + list(`{ "UpstreamPathTemplate": "/a", `+host+` }`) + `] }`, "duplicate-route", count - 1},
		{"routes behind a version", `{ "Routes": [` + list(`{ "UpstreamPathTemplate": "/v{version}/#", `+host+` }`) + `,
			{ "UpstreamPathTemplate": "/v{n}/7", "UpstreamHttpMethod": [ "GET" ], ` + host + ` } ] }`, "shadowed-route", 1},
		{"unknown names of one route", `{ "Routes": [ { "UpstreamPathTemplate": "/a", ` + host + `, ` + list(`"Foo#": 1`) + ` } ] }`, "unknown-name", count},
		{"unknown keys", `{ "Routes": [ { "Key": "a", "UpstreamPathTemplate": "/a", ` + host + ` } ], "GlobalConfiguration": {
			"QoSOptions": { "MinimumThroughput": 3, "RouteKeys": [` + list(`"k#"`) + `] } } }`, "unknown-route-key", count},
		{"routes outside of a large group", `{ "Routes": [` + list(`{ "Key": "k#", "UpstreamPathTemplate": "/#", `+host+` }`) + `,
			{ "UpstreamPathTemplate": "/open", ` + host + ` }, { "Key": "K1", "UpstreamPathTemplate": "/open/too", ` + host + ` } ],
			"GlobalConfiguration": { "AuthenticationOptions": { "AuthenticationProviderKeys": [ "B" ], "RouteKeys": [` + list(`"k#"`) + `] } } }`, "auth-inactive", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := 0
			for _, d := range validatetest.With(rules.All())(t, validatetest.Parts{"ocelot.json": c.text}) {
				if d.Rule == c.rule {
					got++
				}
			}
			if got != c.want {
				t.Errorf("got %d findings of %s, want %d", got, c.rule, c.want)
			}
		})
	}
}
