package upgrade_test

import (
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit/upgrade"
)

// TestKeepLimits keeps who is limited, and by which header.
func TestKeepLimits(t *testing.T) {
	for _, tt := range []struct{ name, route, global, want string }{
		{"the header of old", `{ "EnableRateLimiting": true, "Period": "1s", "PeriodTimespan": 1, "Limit": 5 }`, `{}`, `"ClientIdHeader": "ClientId"`},
		{"a header that the file names", `{ "EnableRateLimiting": true, "Period": "1s", "PeriodTimespan": 1, "Limit": 5 }`, `{ "ClientIdHeader": "X-Me" }`, ""},
		{"a limit that was off", `{ "Period": "1s", "PeriodTimespan": 1, "Limit": 5 }`, `{}`, `"EnableRateLimiting": false`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := `{ "Routes": [ { "UpstreamPathTemplate": "/a", "DownstreamPathTemplate": "/a", "DownstreamScheme": "http",
"DownstreamHostAndPorts": [ { "Host": "h", "Port": 80 } ], "RateLimitOptions": ` + tt.route + ` } ], "GlobalConfiguration": { "RateLimitOptions": ` + tt.global + ` } }`
			k, err := upgrade.Keep(t.Context(), compile(t, []byte(text), profileOf(t, "24.0.1")), compile(t, []byte(text), profileOf(t, "25.0")))
			if err != nil {
				t.Fatal(err)
			}
			edited := text
			for _, file := range k.Files {
				edited = string(file.Raw)
			}
			if tt.want == "" && edited != text || !strings.Contains(edited, tt.want) {
				t.Errorf("got\n%s\nwant %s in it", edited, tt.want)
			}
			again, err := upgrade.Keep(t.Context(), compile(t, []byte(edited), profileOf(t, "24.0.1")), compile(t, []byte(edited), profileOf(t, "25.0")))
			if err != nil || len(again.Files) > 0 || len(again.Losses) > 0 {
				t.Errorf("the edited file wants more edits: %v, %v", again.Losses, err)
			}
		})
	}
}
