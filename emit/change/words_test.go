package change_test

import (
	"strings"
	"testing"
)

// oneRoute is one route with further members, and a global section.
func oneRoute(members, global string) string {
	return `{
  "Routes": [ { "UpstreamPathTemplate": "/a", "DownstreamPathTemplate": "/a", "DownstreamScheme": "http",
    "DownstreamHostAndPorts": [ { "Host": "h", "Port": 80 } ]` + members + ` } ],
  "GlobalConfiguration": {
    ` + global + ` }
}`
}

// TestWordsOfChanges holds what is said of single changes, and of which line.
func TestWordsOfChanges(t *testing.T) {
	const breaker = `, "QoSOptions": { "MinimumThroughput": 3 }, "ResilienceOptions": { "FailureStatusCodes": `
	const discovery = `"ServiceDiscoveryProvider": { "Host": "c", "Port": 1, "Type": "Consul"`
	for _, tt := range []struct{ name, old, new, want string }{
		{"single statuses and ranges", oneRoute(breaker+`[429, "5xx"] }`, ""), oneRoute(breaker+`[502] }`, ""), "counts status 502 as failures"},
		{"a range", oneRoute(breaker+`[502] }`, ""), oneRoute(breaker+`[429, "5xx"] }`, ""), "counts status 429, 500–599 as line 3 failures instead of 502"},
		{"a token that comes", oneRoute("", discovery+" }"), oneRoute("", discovery+`, "Token": "x" }`), "the token of service discovery line 5 differs"},
		{"a token that goes", oneRoute("", discovery+`, "Token": "x" }`), oneRoute("", discovery+" }"), "the token of service discovery line 5 removed differs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(strings.Fields(text(t, compare(t, tt.old, tt.new))), " ")
			if !strings.Contains(got, tt.want) {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
		})
	}
}
