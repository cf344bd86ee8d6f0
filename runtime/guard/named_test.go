package guard_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// TestConnectionTakesNothingAwayThatTheGatewayAdds: claims, transforms and ids
// reach the backend, whatever headers a client names in Connection, and so do
// those that somebody in front of the gateway may have added.
func TestConnectionTakesNothingAwayThatTheGatewayAdds(t *testing.T) {
	g := start(t, testOptions(), nil, plan.Route{
		Authentication:  &plan.Authentication{Schemes: []string{"TestA"}},
		Claims:          &plan.Claims{ToHeaders: []plan.ClaimCopy{{Name: "X-Sub", Claim: "sub"}}},
		RequestHeaders:  []plan.HeaderTransform{{Name: "X-Address", Kind: plan.SetHeader, Value: "{RemoteIpAddress}"}},
		RequestIDHeader: "X-Id",
	})
	g.expect("/r0/1", 200, "", "Authorization: TestA u1", "X-Id: mine", "X-Sub: admin", "X-Address: 8.8.8.8", "X-Forwarded-For: 9.9.9.9",
		"Cookie: a=b", "X-Hop: 1",
		"Connection: close, X-Sub, x-address, X-ID, Authorization, cookie, X-Forwarded-For, Host, X-Hop, Content-Length")
	seen := g.seen.Load()
	for name, want := range map[string]string{"X-Sub": "u1", "X-Address": "127.0.0.1", "Authorization": "TestA u1", "Cookie": "a=b",
		"X-Forwarded-For": "9.9.9.9", "X-Hop": "", "Connection": ""} {
		if got := seen.Header.Get(name); got != want {
			t.Errorf("the backend sees %s: %q, want %q", name, got, want)
		}
	}
	if id := seen.Header.Get("X-Id"); id == "" || id == "mine" {
		t.Errorf("the backend sees the id %q, want one that was made", id)
	}
	if seen.Host == "" {
		t.Error("the backend sees no host")
	}
}

// TestGuardsSeeWhatTheBackendGets: a header that Connection takes away counts for
// nobody.
func TestGuardsSeeWhatTheBackendGets(t *testing.T) {
	g := start(t, testOptions(), nil,
		plan.Route{RateLimit: &plan.RateLimit{Limit: 1, Period: 3_600_000, ClientHeader: "Oc-Client", StatusCode: 429}},
		plan.Route{Match: plan.Match{Path: "/tenant/{x}", Headers: []plan.HeaderMatch{{Name: "X-Tenant", Template: "a"}}}},
		plan.Route{Cache: &plan.Cache{TTL: 3_600_000, Header: "X-Tenant"}})
	g.expect("/r0/1", 200, "", "Oc-Client: a")
	g.expect("/r0/1", 429, "", "Oc-Client: a")
	g.expect("/r0/1", 503, "", "Oc-Client: b", "Connection: Oc-Client") // as without it
	g.expect("/tenant/1", 200, "", "X-Tenant: a")
	g.expect("/tenant/1", 404, "", "X-Tenant: a", "Connection: X-Tenant")
	g.answer = func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("for " + r.Header.Get("X-Tenant")))
	}
	g.expect("/r2/1", 200, "for ", "X-Tenant: a", "Connection: X-Tenant")
	g.expect("/r2/1", 200, "for a", "X-Tenant: a")
}

// TestLookAlikesGo: backends by CGI or WSGI take X_Sub for X-Sub.
func TestLookAlikesGo(t *testing.T) {
	g := start(t, testOptions(), nil, plan.Route{
		Authentication: &plan.Authentication{Schemes: []string{"TestA"}},
		Claims:         &plan.Claims{ToHeaders: []plan.ClaimCopy{{Name: "X-Sub", Claim: "sub"}}},
		RequestHeaders: []plan.HeaderTransform{{Name: "X-Address", Kind: plan.SetHeader, Value: "{RemoteIpAddress}"}},
	})
	g.expect("/r0/1", 200, "", "Authorization: TestA u1", "X_Sub: admin", "x.sub: admin", "X_Address: 8.8.8.8", "X_Other: 1", "XSub: 2")
	var names []string
	for name := range g.seen.Load().Header {
		names = append(names, name)
	}
	slices.Sort(names)
	want := []string{"Accept-Encoding", "Authorization", "User-Agent", "X-Address", "X-Sub", "X_other", "Xsub"}
	if !slices.Equal(names, want) {
		t.Errorf("the backend sees %q, want %q", names, want)
	}
}
