package guard_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

func TestAddresses(t *testing.T) {
	g := start(t, testOptions(), nil,
		plan.Route{ClientIPs: &plan.ClientIPs{Blocked: []string{"127.0.0.0/28"}}},
		plan.Route{ClientIPs: &plan.ClientIPs{Allowed: []string{"127.0.0.1"}}},
		plan.Route{ClientIPs: &plan.ClientIPs{Allowed: []string{"10.0.0.1"}}})
	g.expect("/r0/1", 403, "")
	g.expect("/r1/1", 200, "GET /d/1 ", "X-Forwarded-For: 10.0.0.1")
	g.expect("/r2/1", 403, "", "X-Forwarded-For: 10.0.0.1")
	if n := g.asked.Load(); n != 1 {
		t.Errorf("%d requests reached the backend", n)
	}
}

func TestRateLimit(t *testing.T) {
	rule := &plan.RateLimit{Limit: 1, Period: 30_000, PeriodText: "30s", ClientHeader: "oc-client", StatusCode: 429,
		Message: "quota {0} per {1}", Headers: true}
	g := start(t, testOptions(), nil,
		plan.Route{RateLimit: rule, Authentication: &plan.Authentication{Schemes: []string{"TestA"}}},
		plan.Route{RateLimit: rule, RequestHeaders: []plan.HeaderTransform{{Name: "Oc-Client", Kind: plan.SetHeader, Value: "all"}}})
	g.answer = func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-RateLimit-Limit", "77") }
	first := g.expect("/r0/1", 401, "", "Oc-Client: a")
	if first.Header.Get("X-RateLimit-Limit") != "1" || first.Header.Get("X-RateLimit-Remaining") != "0" ||
		!strings.HasSuffix(first.Header.Get("X-RateLimit-Reset"), "Z") {
		t.Errorf("got %v", first.Header)
	}
	second := g.expect("/r0/1", 429, "quota 1 per 30s", "Oc-Client: a", "Authorization: TestA u")
	if second.Header.Get("Retry-After") != "30" || second.Header.Get("X-RateLimit-Limit") != "" || second.Header.Get("Content-Type") != "" {
		t.Errorf("got %v", second.Header)
	}
	if third := g.expect("/r0/1", 503, ""); third.Header.Get("Retry-After") != "-1" {
		t.Errorf("got %v", third.Header)
	}
	// The client of the second route is what a transform made of it.
	if ok := g.expect("/r1/1", 200, "", "Oc-Client: b"); !slices.Equal(ok.Header.Values("X-RateLimit-Limit"), []string{"1"}) {
		t.Errorf("the backend's value stays: %v", ok.Header)
	}
	g.expect("/r1/1", 429, "", "Oc-Client: c")
}

// In Ocelot every service without a route of its own is one: it has counters of
// its own.
func TestUnlistedServicesAreLimitedApart(t *testing.T) {
	back := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer back.Close()
	host := plan.Host{Name: "127.0.0.1", Port: back.Listener.Addr().(*net.TCPAddr).Port}
	p := &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin},
		Services: []plan.Service{{Name: "a", Hosts: []plan.Host{host}}, {Name: "b", Hosts: []plan.Host{host}}},
		Routes: []plan.Route{{ID: "*", Name: "*", Match: plan.Match{Kind: plan.Unlisted}, Backend: plan.Backend{Scheme: "http"},
			Failures:  plan.Failures{TransportErrors: plan.Failure},
			RateLimit: &plan.RateLimit{Limit: 1, Period: 30_000, ClientHeader: "Oc-Client", StatusCode: 429}}}}
	x, err := proxy.New(p, proxy.Options{Guards: guard.New(testOptions()).Guards})
	if err != nil {
		t.Fatal(err)
	}
	g := &gateway{t: t, Proxy: x, front: httptest.NewServer(x)}
	defer g.front.Close()
	g.expect("/a/1", 200, "", "Oc-Client: c")
	g.expect("/b/1", 200, "", "Oc-Client: c")
	g.expect("/a/2", 429, "", "Oc-Client: c")
	g.expect("/b/1", 503, "Rate limiting client could not be identified for the route ':b:/b/1' "+
		"due to a missing or unknown client ID header required by rule '1/30s/w0ms'!")
}

func TestRequestID(t *testing.T) {
	g := startPlan(t, testOptions(), nil, plan.Plan{RequestIDHeader: "X-Glob",
		Routes: []plan.Route{{RequestIDHeader: "X-Req"}, {RequestIDHeader: "X-Glob"}}})
	for _, tt := range []struct {
		path, sent, name, want string
	}{
		{"/r0/1", "X-Req: r1", "X-Req", "r1"},
		{"/r0/1", "X-Glob: g1", "X-Req", "g1"},
		{"/r1/1", "X-Glob: g1", "X-Glob", "g1"},
		{"/r1/1", "X-Req: r1", "X-Glob", ""},
	} {
		g.expect(tt.path, 200, "", tt.sent)
		got := g.seen.Load().Header.Get(tt.name)
		if tt.want != "" && got != tt.want || len(got) < 2 {
			t.Errorf("%s %s: got %q, want %q", tt.path, tt.sent, got, tt.want)
		}
	}
}

func TestTransforms(t *testing.T) {
	set := func(name, value string) plan.HeaderTransform {
		return plan.HeaderTransform{Name: name, Kind: plan.SetHeader, Value: value}
	}
	g := startPlan(t, testOptions(), nil, plan.Plan{BaseURL: "https://pub.example", Routes: []plan.Route{{
		RequestHeaders: []plan.HeaderTransform{set("X-Ip", "{RemoteIpAddress}"), set("X-Host", "{UpstreamHost}"), set("X-Base", "{BaseUrl}")},
		ResponseHeaders: []plan.HeaderTransform{set("X-New", "1"),
			{Name: "Location", Kind: plan.ReplaceInside, Find: "{DownstreamBaseUrl}", Value: "{BaseUrl}"}},
		Breaker: &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 2, BreakDuration: 60_000},
	}}})
	g.answer = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://"+r.Host+"/d/2")
		w.WriteHeader(500)
	}
	for range 2 {
		resp := g.expect("/r0/1", 500, "")
		if resp.Header.Get("Location") != "https://pub.example/d/2" || resp.Header.Get("X-New") != "1" {
			t.Errorf("got %v", resp.Header)
		}
	}
	h := g.seen.Load().Header
	if h.Get("X-Ip") != "127.0.0.1" || h.Get("X-Host") != g.front.Listener.Addr().String() || h.Get("X-Base") != "https://pub.example" {
		t.Errorf("got %v", h)
	}
	// The words of the built-in breaker are a response, so they are changed too.
	if open := g.expect("/r0/1", 503, "Circuit breaker is open for route -> /r0/{x}"); open.Header.Get("X-New") != "1" {
		t.Errorf("got %v", open.Header)
	}
}

func TestOnlyABodyIsDescribed(t *testing.T) {
	g := start(t, testOptions(), nil, plan.Route{RequestHeaders: []plan.HeaderTransform{{Name: "Content-Type", Kind: plan.SetHeader, Value: "text/const"}}})
	for method, want := range map[string]string{"GET": "", "POST": "text/const"} {
		body := ""
		if method == "POST" {
			body = "x"
		}
		g.do(method, "/r0/1", body)
		if got := g.seen.Load().Header.Get("Content-Type"); got != want {
			t.Errorf("%s: got %q, want %q", method, got, want)
		}
	}
}

func TestErrorsAreNotTransformed(t *testing.T) {
	g := start(t, testOptions(), nil, plan.Route{ResponseHeaders: []plan.HeaderTransform{{Name: "X-New", Kind: plan.SetHeader, Value: "1"}}})
	g.answer = func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	if resp := g.expect("/r0/1", 502, ""); resp.Header.Get("X-New") != "" {
		t.Errorf("got %v", resp.Header)
	}
}

func TestIdentity(t *testing.T) {
	a := func(names ...string) *plan.Authentication { return &plan.Authentication{Schemes: names} }
	require := func(kind, value string) *plan.Claims {
		return &plan.Claims{Required: []plan.ClaimRequirement{{Type: kind, Value: value}}}
	}
	scoped := a("TestA")
	scoped.Scopes = []string{"s1", "s2"}
	g := start(t, testOptions(), nil,
		plan.Route{Authentication: a("TestA")},
		plan.Route{Authentication: a("TestB", "TestA")},
		plan.Route{Authentication: scoped},
		plan.Route{Authentication: a("TestA"), Claims: require("role", "admin")},
		plan.Route{Claims: require("role", "admin")},
		plan.Route{Authentication: a("TestA"), Claims: require("uid", "{x}")})
	for _, tt := range []struct {
		path, authorization string
		want                int
	}{
		{"/r0/1", "", 401}, {"/r0/1", "TestA u", 200}, {"/r0/1", "TestB u", 401}, {"/r0/1", "Other u", 401},
		{"/r1/1", "TestA u", 200}, {"/r1/1", "TestB u", 200}, {"/r1/1", "", 401},
		{"/r2/1", "TestA u", 403}, {"/r2/1", "TestA u;scope=s9 s1", 200}, {"/r2/1", "TestA u;scope=s9;scope=s1 s2", 403},
		{"/r3/1", "TestA u", 403}, {"/r3/1", "TestA u;role=user;role=admin", 200}, {"/r3/1", "TestA u;role=Admin", 403},
		{"/r4/1", "TestA u;role=admin", 403}, {"/r4/1", "", 403},
		{"/r5/7", "TestA u;uid=7", 200}, {"/r5/8", "TestA u;uid=7", 403}, {"/r5/7/8", "TestA u;uid=7/8", 200},
	} {
		before := g.asked.Load()
		resp := g.expect(tt.path, tt.want, "", "Authorization: "+tt.authorization)
		if reached := g.asked.Load() != before; reached != (tt.want == 200) {
			t.Errorf("%s %q: reached the backend: %v", tt.path, tt.authorization, reached)
		}
		if tt.want != 200 && (resp.ContentLength != 0 || resp.Header.Get("Www-Authenticate") != "") {
			t.Errorf("%s: a refusal says more than its status: %v", tt.path, resp.Header)
		}
	}
	for _, path := range []string{"/r0/1", "/r2/1", "/r3/1", "/r4/1"} {
		if resp, _ := g.do("OPTIONS", path, ""); resp.StatusCode != 200 {
			t.Errorf("OPTIONS %s: got %d", path, resp.StatusCode)
		}
	}
}

// A preflight becomes no other request without anybody being asked who it is.
func TestAnotherMethodIsNoPreflight(t *testing.T) {
	g := start(t, testOptions(), nil, plan.Route{Authentication: known("TestA"), Backend: plan.Backend{Path: "/d/{x}", Method: "POST"}})
	if resp, _ := g.do("OPTIONS", "/r0/1", ""); resp.StatusCode != 401 || g.asked.Load() != 0 {
		t.Errorf("got %d", resp.StatusCode)
	}
}

func TestClaimsBecomePartsOfTheRequest(t *testing.T) {
	authentication := &plan.Authentication{Schemes: []string{"TestA"}}
	sub := func(name string) []plan.ClaimCopy { return []plan.ClaimCopy{{Name: name, Claim: "sub"}} }
	g := start(t, testOptions(), nil,
		plan.Route{Authentication: authentication, Claims: &plan.Claims{ToHeaders: sub("x-sub")}},
		plan.Route{Authentication: authentication, Claims: &plan.Claims{ToQuery: sub("sub")}},
		plan.Route{Authentication: authentication, Claims: &plan.Claims{ToPath: sub("x")}},
		plan.Route{Authentication: authentication, Claims: &plan.Claims{ToPath: sub("none")}},
		plan.Route{Authentication: authentication, Claims: &plan.Claims{
			ToClaims: []plan.ClaimCopy{{Name: "role", Claim: "grp", Delimiter: "-"}},
			Required: []plan.ClaimRequirement{{Type: "role", Value: "adm"}}}},
		plan.Route{Claims: &plan.Claims{ToHeaders: sub("X-Sub")}})
	g.expect("/r0/1", 200, "", "Authorization: TestA u1", "X-Sub: spoof", "X-SUB: spoof")
	if got := g.seen.Load().Header["X-Sub"]; !slices.Equal(got, []string{"u1"}) {
		t.Errorf("the backend sees %q", got)
	}
	g.expect("/r1/1?z=1&sub=spoof", 200, "GET /d/1?z=1&sub=u1 ", "Authorization: TestA u1")
	g.expect("/r1/1", 200, "GET /d/1?sub=u%201%26y%3D2 ", "Authorization: TestA u 1&y=2")
	g.expect("/r2/1?z=1", 200, "GET /d/u1?z=1 ", "Authorization: TestA u1")
	g.expect("/r2/1", 400, "", "Authorization: TestA ../z")
	g.expect("/r3/1", 404, "", "Authorization: TestA u1")
	g.expect("/r4/1", 403, "", "Authorization: TestA u1")
	g.expect("/r4/1", 200, "", "Authorization: TestA u1;grp=adm-x")
	g.expect("/r5/1", 403, "", "X-Sub: spoof")
}
