package guard_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
	"github.com/margay-dev/margay/runtime/route"
)

// What each guard adds to a request, without the proxy around it; for the
// output cache see package cache.
func BenchmarkGuards(b *testing.B) {
	set := func(name, value string) plan.HeaderTransform {
		return plan.HeaderTransform{Name: name, Kind: plan.SetHeader, Value: value}
	}
	for _, bb := range []struct {
		name  string
		route plan.Route
	}{
		{"addresses", plan.Route{ClientIPs: &plan.ClientIPs{Allowed: []string{"192.0.2.0/24"}}}},
		{"request headers", plan.Route{RequestHeaders: []plan.HeaderTransform{set("X-A", "1"), set("X-B", "{RemoteIpAddress}")}}},
		{"response headers", plan.Route{ResponseHeaders: []plan.HeaderTransform{set("X-A", "1")}}},
		{"rate limit", plan.Route{RateLimit: &plan.RateLimit{Limit: 1 << 50, Period: 1000, ClientHeader: "Oc-Client", Headers: true}}},
		{"request id", plan.Route{RequestIDHeader: "X-Req"}},
		{"identity", plan.Route{Authentication: known("TestA"), Claims: &plan.Claims{Required: []plan.ClaimRequirement{{Type: "sub", Value: "u"}}}}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			guards, missing, err := guard.New(testOptions()).Guards(&plan.Plan{Profile: plan.Profile{Provider: plan.Builtin}}, &bb.route)
			if err != nil || len(missing) > 0 || len(guards) != 1 {
				b.Fatal(guards, missing, err)
			}
			req := httptest.NewRequest("GET", "/r0/1", nil)
			req.Header.Set("Oc-Client", "a")
			req.Header.Set("Authorization", "TestA u")
			target, err := route.ParseTarget("/r0/1")
			if err != nil {
				b.Fatal(err)
			}
			answer := &http.Response{StatusCode: 200, Header: http.Header{}}
			next := func(*proxy.Exchange) (*http.Response, error) { return answer, nil }
			b.ReportAllocs()
			for b.Loop() {
				x := &proxy.Exchange{Request: req, Target: target}
				if _, err := guards[0].Serve(x, next); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
