package known_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/known"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
)

const text = `{
	"routes": [
		{ "metadata": { "QoSOptions": 1 }, "QoSOptions": { "timeout": 1, "TimeoutValue": 2, "Unheard": 3 }, "UpstreamHttpMethod": [ "Get", "Get" ] }
	],
	"DynamicRoutes": { "0": { "ServiceName": "s", "Key": "k" } },
	"GlobalConfiguration": { "Timeout": {}, "CacheOptions": { "RouteKeys": [] } }
}`

// TestOf: names are found whatever their case, in lists written as objects too,
// and nothing is looked for inside of what is not read.
func TestOf(t *testing.T) {
	for version, want := range map[string]string{
		"22.0": "CacheOptions Key Timeout metadata timeout",
		"23.4": "Key RouteKeys Timeout timeout",
		"24.1": "",
		"25.0": "",
	} {
		res := load.Single(source.NewFile("ocelot.json", []byte(text)), load.Options{})
		p, _ := profile.Find(version)
		members := known.Of(res.Tree, res.Bound, p)
		var unread []string
		for id := range members {
			if members.Is(id, profile.Unread) {
				unread = append(unread, res.Tree.Key(id))
			}
		}
		slices.Sort(unread)
		if got := strings.Join(unread, " "); got != want {
			t.Errorf("%s: got %q want %q", version, got, want)
		}
		if want != "" {
			var plain, repeats int
			for id := range members {
				if members.Is(id, profile.NotNullable) {
					plain++
				}
				if members.Is(id, profile.Repeating) {
					repeats++
				}
			}
			if plain != 1 || repeats != 1 {
				t.Errorf("%s: %d not nullable and %d repeating", version, plain, repeats)
			}
		}
	}
	if known.Of(nil, 0, profile.Profile{Version: "22.0"}) != nil || known.Members(nil).Is(1, profile.Unread) {
		t.Error("an empty configuration has members")
	}
}
