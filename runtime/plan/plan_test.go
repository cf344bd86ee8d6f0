package plan_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// full returns a plan in which every member of every type is set.
func full() *plan.Plan {
	millis := func(n plan.Millis) *plan.Millis { return &n }
	codes := []plan.StatusRange{{First: 429, Last: 429}, {First: 500, Last: 508}}
	return &plan.Plan{
		Version:         plan.Version,
		Profile:         plan.Profile{Ocelot: "25.0", Provider: plan.Polly},
		Digest:          "sha256:" + strings.Repeat("0a", 32),
		BaseURL:         "https://gateway.example",
		RequestIDHeader: "X-Request-Id",
		Discovery:       &plan.Discovery{Type: "Consul", Scheme: "http", Host: "consul", Port: 8500, Namespace: "n", PollingInterval: 100},
		Services: []plan.Service{{Name: "s", Namespace: "n", Scheme: "http", Lookup: plan.LookupSRV,
			Hosts: []plan.Host{{Name: "10.0.0.1", Port: 80}}}},
		Routes: []plan.Route{{
			ID: "GET /a/{x}", Name: "/a/{x}", Key: "A", At: "ocelot.json:3:5",
			Match: plan.Match{Kind: plan.Static, Methods: []string{"GET", "POST"}, Path: "/a/{x}", Host: "h.example",
				Headers: []plan.HeaderMatch{{Name: "X-V", Template: "{header:v}"}}, Priority: 1, CaseSensitive: true},
			Backend: plan.Backend{Scheme: "https", Hosts: []plan.Host{{Name: "b", Port: 443}}, Service: "s", Namespace: "n",
				Path: "/b/{x}", Method: "PUT", HTTPVersion: "2.0", VersionPolicy: plan.OrLower, AnyCertificate: true,
				Handler: plan.Handler{FollowRedirects: true, MaxConnections: 9, ConnectionLifetime: millis(120_000),
					Cookies: true, Proxy: true, Tracing: true}},
			LoadBalancer: plan.LoadBalancer{Type: "CookieStickySessions", Key: "sid", Expiry: 1000, Share: "lb"},
			PassiveHealth: &plan.Breaker{Kind: plan.Ratio, MinimumThroughput: 3, FailureRatio: 0.5,
				SamplingDuration: 10_000, BreakDuration: 1000},
			Fallback:     &plan.Fallback{StaleIfError: 1000, StatusCode: 503, ContentType: "application/json", Body: "{}"},
			Limiter:      &plan.Limiter{PermitLimit: 10, QueueLimit: 2},
			OuterTimeout: millis(90_000),
			Retry: &plan.Retry{MaxRetryAttempts: 3, Delay: 200, MaxDelay: 2000, Backoff: plan.Exponential, UseJitter: true,
				RetryAfter: true, MaxRetryAfter: millis(2000), StatusCodes: codes, Methods: []string{"GET", "HEAD"},
				MaxBufferedBody: 1 << 20, Budget: &plan.Budget{RetryRatio: 0.1, MinimumThroughput: 10,
					SamplingDuration: 10_000, Scope: plan.PerBackend, Share: "b:443"}},
			Failures: plan.Failures{StatusCodes: codes, TransportErrors: plan.Success, Timeouts: plan.Success},
			Breaker: &plan.Breaker{Kind: plan.PollyRatio, MinimumThroughput: 3, FailureRatio: 0.5,
				SamplingDuration: 10_000, BreakDuration: 1000},
			Circuit: "c", AttemptTimeout: 500,
			Chaos: &plan.Chaos{Latency: &plan.ChaosLatency{InjectionRate: 0.1, Latency: 300},
				Outcome: &plan.ChaosOutcome{InjectionRate: 0.1, StatusCode: 503}, Fault: &plan.ChaosFault{InjectionRate: 0.1}},
			ProblemDetails:  true,
			RequestHeaders:  []plan.HeaderTransform{{Name: "X-A", Kind: plan.ReplaceInside, Find: "a", Value: "b"}},
			ResponseHeaders: []plan.HeaderTransform{{Name: "X-B", Kind: plan.SetHeader, Value: "b"}},
			RequestIDHeader: "X-Id",
			ClientIPs:       &plan.ClientIPs{Allowed: []string{"10.0.0.0/8"}, Blocked: []string{"10.0.0.1"}, AllowedBeatBlocked: true},
			RateLimit: &plan.RateLimit{Limit: 5, Period: 1000, PeriodText: "1s", Wait: 10, ClientHeader: "Oc-Client",
				ExemptClients: []string{"x"}, StatusCode: 429, Message: "no", Headers: true, KeyPrefix: "p", Share: "s"},
			Authentication: &plan.Authentication{Schemes: []string{"Bearer"}, Scopes: []string{"api"}},
			Claims: &plan.Claims{Required: []plan.ClaimRequirement{{Type: "t", Value: "v"}},
				ToClaims:  []plan.ClaimCopy{{Name: "n", Claim: "sub", Delimiter: "|", Index: 1}},
				ToHeaders: []plan.ClaimCopy{{Name: "X-Sub", Claim: "sub"}},
				ToQuery:   []plan.ClaimCopy{{Name: "sub", Claim: "sub"}}, ToPath: []plan.ClaimCopy{{Name: "x", Claim: "sub"}}},
			Cache:    &plan.Cache{TTL: 1000, Region: "r", Header: "OC-Cache-Control", HashContent: true},
			Handlers: []string{"MyHandler"},
			Unread:   []plan.Unread{{Setting: "claims", Name: "RouteClaimsRequirement", At: "ocelot.json:9:20"}},
			Origins:  []plan.Origin{{Field: "breaker.breakDuration", At: "ocelot.json:9:20"}},
		}, expressionRoute()},
		Aggregates: []plan.Aggregate{{ID: "agg", Name: "/agg", At: "ocelot.json:30:5",
			Match:      plan.Match{Kind: plan.Static, Path: "/agg"},
			Members:    []plan.Member{{Route: "GET /a/{x}", Key: "A", JSONPath: "$.id", Parameter: "x"}},
			Aggregator: "Mine"}},
	}
}

func expressionRoute() plan.Route {
	return plan.Route{
		ID: "*", Match: plan.Match{Kind: plan.Unlisted},
		Failures: plan.Failures{TransportErrors: plan.Failure},
		Breaker: &plan.Breaker{Kind: plan.Expression, Expression: "NetworkErrorRatio() > 0.5", CheckPeriod: 100,
			FallbackDuration: 10_000, RecoveryDuration: 10_000, ResponseCode: 503},
	}
}

func encode(t testing.TB, p *plan.Plan) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.Encode(&b); err != nil {
		t.Fatalf("Encode: %v", err)
	}
	return b.Bytes()
}

func TestEncodeOmitsWhatIsNotSet(t *testing.T) {
	p := &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}}
	want := "{\n  \"version\": \"1.0\",\n  \"profile\": {\n    \"provider\": \"builtin\"\n  },\n  \"routes\": []\n}\n"
	if got := string(encode(t, p)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if p.Routes != nil {
		t.Error("Encode changed the plan")
	}
}

func TestEncodeGivesEqualBytes(t *testing.T) {
	if a, b := encode(t, full()), encode(t, full()); !bytes.Equal(a, b) {
		t.Errorf("got two texts\n%s\n%s", a, b)
	}
}

func TestEncodeRefusesAnInvalidPlan(t *testing.T) {
	p := full()
	p.Routes[0].ID = ""
	var b bytes.Buffer
	if err := p.Encode(&b); err == nil || b.Len() > 0 {
		t.Errorf("got error %v and %d bytes, want an error and none", err, b.Len())
	}
}

func TestSameBreaker(t *testing.T) {
	p := full()
	a, b := p.Routes[0], p.Routes[0]
	breaker := *a.Breaker
	b.Breaker = &breaker
	if !a.SameBreaker(&b) {
		t.Error("got different for equal breakers behind two pointers")
	}
	breaker.BreakDuration++
	if a.SameBreaker(&b) {
		t.Error("got the same for another break duration")
	}
	b.Breaker, b.Failures.StatusCodes = a.Breaker, nil
	if a.SameBreaker(&b) {
		t.Error("got the same for other failures")
	}
	a.Failures.Timeouts = ""
	b = a
	b.Failures.Timeouts = plan.Failure
	if !a.SameBreaker(&b) {
		t.Error("got different for a verdict on timeouts that is the default")
	}
	b.Failures.Timeouts = plan.Success
	if a.SameBreaker(&b) {
		t.Error("got the same for another verdict on timeouts")
	}
	b = a
	b.Breaker = nil
	if a.SameBreaker(&b) || !b.SameBreaker(&b) {
		t.Error("no breaker must be the same as no breaker only")
	}
}
