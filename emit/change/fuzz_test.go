package change_test

import (
	"testing"

	"github.com/margay-dev/margay/schema/profile"
)

// FuzzCompare compares any two texts: nothing panics, the report says the same
// every time, and a text does not differ from itself.
func FuzzCompare(f *testing.F) {
	f.Add(before, after)
	f.Add(config(crossA, crossB), config(crossB, crossA+guarded))
	f.Add(grouped(`"a"`), `{ "Routes": [ `)
	f.Add(`{ "DynamicRoutes": [ { "ServiceName": "a" } ], "GlobalConfiguration": { "ServiceDiscoveryProvider": { "Port": 8500 } } }`,
		`{ "Aggregates": [ { "UpstreamPathTemplate": "/g", "RouteKeys": [ "a" ] } ], "Routes": [ { "Key": "a", "UpstreamPathTemplate": "/a{b" } ] }`)
	f.Fuzz(func(t *testing.T, old, new string) {
		if len(old)+len(new) > 1<<14 {
			t.Skip()
		}
		for _, by := range []profile.Profile{{}, {Version: "25.0", Provider: profile.Polly}, {Version: "22.0", Provider: profile.Polly}} {
			first := everything(t, compareBy(t, old, new, by))
			if again := everything(t, compareBy(t, old, new, by)); again != first {
				t.Fatalf("got\n%s\nthe first time, then\n%s", first, again)
			}
			if r := compareBy(t, old, old, by); r.Changed {
				t.Fatalf("differs from itself: %s\n%s", old, text(t, r))
			}
		}
	})
}
