package upgrade_test

import (
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit/upgrade"
)

// FuzzUpgrade upgrades any text: nothing panics, reports are the same every time,
// and the edits that keep today's behaviour leave a text that is JSON if it was.
func FuzzUpgrade(f *testing.F) {
	f.Add(strings.Replace(liveConfig, "REST", `, "QoSOptions": { "TimeoutValue": 5, "Timeout": "5s" /* c */ }, "Timeout": 1`, 1))
	f.Add(`{ "Routes": [ { "UpstreamPathTemplate": "/a", "QoSOptions": { "FailureRatio": 0.5 }, "RateLimitOptions": { "Period": "1m" } } ],
  "GlobalConfiguration": { "Timeout": 3, "QoSOptions": { // c
    "RouteKeys": [ "x" ], "TimeoutValue": 300 } } }`)
	f.Add(`{ "DynamicRoutes": [ { "ServiceName": "a", "QoSOptions": { "Timeout": 3 } } ],
  "GlobalConfiguration": { "ServiceDiscoveryProvider": { "Port": 8500 }, "Timeout": 0, "QoSOptions": { "ExceptionsAllowedBeforeBreaking": 3 } } }`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<13 {
			t.Skip()
		}
		for _, way := range ways {
			from, to := compile(t, []byte(text), profileOf(t, way[0])), compile(t, []byte(text), profileOf(t, way[1]))
			r := upgrade.Compare(from, to)
			if first, again := forms(t, r), forms(t, upgrade.Compare(from, to)); first != again {
				t.Fatalf("got\n%s\nthe first time, then\n%s", first, again)
			}
			k, err := upgrade.Keep(t.Context(), from, to)
			if err != nil {
				continue // the text is no JSON
			}
			for i := range k.Result.Loaded.Texts {
				if len(k.Result.Loaded.Texts[i].Defects) > 0 {
					t.Fatalf("the edited text is no JSON:\n%s\nfrom\n%s", k.Result.Loaded.Texts[i].File.Text, text)
				}
			}
		}
	})
}
