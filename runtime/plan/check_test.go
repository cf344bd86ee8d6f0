package plan_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// TestCheckReasons breaks one thing of a valid plan at a time.
func TestCheckReasons(t *testing.T) {
	route := func(change func(r *plan.Route)) func(p *plan.Plan) {
		return func(p *plan.Plan) { change(&p.Routes[0]) }
	}
	tests := []struct {
		name   string
		change func(p *plan.Plan)
		want   string
	}{
		{"nothing", func(*plan.Plan) {}, ""},
		{"version", func(p *plan.Plan) { p.Version = "3.1" }, `version: got "3.1", expected "1.0"`},
		{"id", route(func(r *plan.Route) { r.ID = "" }), "routes[0].id: missing\naggregates[0].members[0].route: got \"GET /a/{x}\", expected the id of a route"},
		{"id twice", func(p *plan.Plan) { p.Routes[1].ID = p.Routes[0].ID }, `routes[1].id: got "GET /a/{x}", which is the id of routes[0]`},
		{"aggregate id taken", func(p *plan.Plan) { p.Aggregates[0].ID = "*" }, `aggregates[0].id: got "*", which is taken`},
		{"aggregate kind", func(p *plan.Plan) { p.Aggregates[0].Match = plan.Match{Kind: plan.Unlisted} }, `aggregates[0].match.kind: got "unlisted", expected "static"`},
		{"no members", func(p *plan.Plan) { p.Aggregates[0].Members = nil }, "aggregates[0].members: missing, expected at least one route"},
		{"half a member", func(p *plan.Plan) { p.Aggregates[0].Members[0].Parameter = "" }, "aggregates[0].members[0]: jsonPath and parameter go together"},
		{"unlisted first", func(p *plan.Plan) { p.Routes[0], p.Routes[1] = p.Routes[1], p.Routes[0] }, "routes[0].match.kind: the unlisted route is not the last one"},
		{"path", route(func(r *plan.Route) { r.Match.Path = "a" }), `routes[0].match.path: got "a", expected a template that starts with "/"`},
		{"path of a service", func(p *plan.Plan) { p.Routes[1].Match.Path = "/a" }, `routes[1].match.path: got "/a" on a route that is found by its service`},
		{"kind", route(func(r *plan.Route) { r.Match.Kind = "x" }), "routes[0].match.kind: got \"x\", expected \"static\", \"dynamic\" or \"unlisted\"\nroutes[0].match.path: got \"/a/{x}\" on a route that is found by its service"},
		{"lower method", route(func(r *plan.Route) { r.Match.Methods = []string{"get"} }), `routes[0].match.methods[0]: got "get", expected upper case`},
		{"unsorted methods", route(func(r *plan.Route) { r.Match.Methods = []string{"PUT", "GET"} }), `routes[0].match.methods[1]: got "GET" behind "PUT", expected sorted methods, each once`},
		{"split method", route(func(r *plan.Route) { r.Backend.Method = "GET /" }), `routes[0].backend.method: got "GET /", expected letters, digits and dashes`},
		{"no hosts", route(func(r *plan.Route) { r.Backend.Hosts, r.Backend.Service = nil, "" }), "routes[0].backend: neither hosts nor service"},
		{"dynamic without service", func(p *plan.Plan) { p.Routes[1].Match.Kind = plan.Dynamic }, "routes[1].backend.service: missing"},
		{"unlisted with service", func(p *plan.Plan) { p.Routes[1].Backend.Service = "s" }, `routes[1].backend.service: got "s" on the route for unlisted services`},
		{"host", route(func(r *plan.Route) { r.Backend.Hosts[0].Name = "b/c" }), `routes[0].backend.hosts[0].host: got "b/c", expected a host name or an address`},
		{"host and port", route(func(r *plan.Route) { r.Backend.Hosts[0].Name = "b:80" }), `routes[0].backend.hosts[0].host: got "b:80", expected a host name or an address`},
		{"service host", func(p *plan.Plan) { p.Services[0].Hosts = nil }, "services[0].hosts: missing, expected at least one host"},
		{"scheme", route(func(r *plan.Route) { r.Backend.Scheme = "ftp" }), `routes[0].backend.scheme: got "ftp", expected "http", "https", "ws" or "wss"`},
		{"backend path", route(func(r *plan.Route) { r.Backend.Path = "x" }), `routes[0].backend.path: got "x", expected a template that starts with "/"`},
		{"lifetime", route(func(r *plan.Route) { *r.Backend.Handler.ConnectionLifetime = -1 }), "routes[0].backend.handler.connectionLifetime: got -1, expected 0 to 9223372036854"},
		{"attempt timeout", route(func(r *plan.Route) { r.AttemptTimeout = -1 }), "routes[0].attemptTimeout: got -1, expected 0 to 9223372036854"},
		{"outer timeout of the documentation", func(p *plan.Plan) { p.Profile.Ocelot = ""; *p.Routes[0].OuterTimeout = 0 }, "routes[0].outerTimeout: got 0, expected 1 to 9223372036854"},
		{"outer timeout of a release", route(func(r *plan.Route) { *r.OuterTimeout = -5 }), ""},
		{"throughput", route(func(r *plan.Route) { r.Breaker.MinimumThroughput = 1 }), "routes[0].breaker.minimumThroughput: got 1, expected 2 to 2147483647"},
		{"ratio", route(func(r *plan.Route) { r.Breaker.FailureRatio = math.NaN() }), "routes[0].breaker.failureRatio: got NaN, expected more than 0 and at most 1"},
		{"sampling", route(func(r *plan.Route) { r.Breaker.SamplingDuration = 499 }), "routes[0].breaker.samplingDuration: got 499, expected 500 to 86400000"},
		{"foreign member", route(func(r *plan.Route) { r.Breaker.Expression = "x" }), `routes[0].breaker.expression: has no effect in a breaker of kind "polly"`},
		{"consecutive with a ratio", route(func(r *plan.Route) { r.Breaker.Kind, r.Breaker.SamplingDuration = plan.Consecutive, 0 }), `routes[0].breaker.failureRatio: has no effect in a breaker of kind "consecutive"`},
		{"health by an expression", func(p *plan.Plan) { p.Routes[0].PassiveHealth = p.Routes[1].Breaker }, `routes[0].passiveHealth.kind: got "expression", expected "consecutive", "ratio" or "polly"`},
		{"health without a number", route(func(r *plan.Route) { r.PassiveHealth = &plan.Breaker{Kind: plan.Consecutive, BreakDuration: 1} }), "routes[0].passiveHealth.minimumThroughput: got 0, expected 1 to 2147483647"},
		{"health of one host", route(func(r *plan.Route) { r.LoadBalancer = plan.LoadBalancer{} }), `routes[0].passiveHealth: has no effect with the load balancer "NoLoadBalancer"`},
		{"response code", func(p *plan.Plan) { p.Routes[1].Breaker.ResponseCode = 101 }, "routes[1].breaker.responseCode: got 101, expected 200 to 599"},
		{"status range", route(func(r *plan.Route) { r.Failures.StatusCodes = []plan.StatusRange{{First: 508, Last: 500}} }), "routes[0].failures.statusCodes[0]: got 500, expected 508 to 999"},
		{"circuit without breaker", route(func(r *plan.Route) { r.Breaker = nil }), `routes[0].circuit: got "c" on a route without breaker`},
		{"circuit of another breaker", func(p *plan.Plan) { p.Routes[1].Circuit = "c" }, `routes[1].circuit: got "c", which routes[0] uses with another breaker or other failures`},
		{"retries", route(func(r *plan.Route) { r.Retry.MaxRetryAttempts = 0 }), "routes[0].retry.maxRetryAttempts: got 0, expected 1 to 2147483647"},
		{"backoff", route(func(r *plan.Route) { r.Retry.Backoff = "" }), `routes[0].retry.backoff: got "", expected "constant", "linear" or "exponential"`},
		{"budget", route(func(r *plan.Route) { r.Retry.Budget.SamplingDuration = 999 }), "routes[0].retry.budget.samplingDuration: got 999, expected 1000 to 86400000"},
		{"budget share", route(func(r *plan.Route) { r.Retry.Budget.Scope = plan.PerRoute }), `routes[0].retry.budget.share: got "b:443" with scope "route"`},
		{"permits", route(func(r *plan.Route) { r.Limiter.PermitLimit = 0 }), "routes[0].concurrencyLimiter.permitLimit: got 0, expected 1 to 2147483647"},
		{"fallback", route(func(r *plan.Route) { r.Fallback.StatusCode = 0 }), "routes[0].fallback.statusCode: missing beside a body"},
		{"content type", route(func(r *plan.Route) { r.Fallback.ContentType = "a\nb" }), `routes[0].fallback.contentType: got "a\nb", expected no control characters`},
		{"chaos", route(func(r *plan.Route) { r.Chaos.Fault.InjectionRate = 1.1 }), "routes[0].chaos.fault.injectionRate: got 1.1, expected 0 to 1"},
		{"header injection", route(func(r *plan.Route) { r.RequestHeaders[0].Value = "a\r\nX-Admin: 1" }), `routes[0].requestHeaders[0].value: got "a\r\nX-Admin: 1", expected no control characters`},
		{"header name", route(func(r *plan.Route) { r.ResponseHeaders[0].Name = "X B" }), `routes[0].responseHeaders[0].name: got "X B", expected letters, digits and dashes`},
		{"find", route(func(r *plan.Route) { r.RequestHeaders[0].Find = "" }), `routes[0].requestHeaders[0].find: got "" with kind "replace"`},
		{"rate limit", route(func(r *plan.Route) { r.RateLimit.StatusCode = 0 }), "routes[0].rateLimit.statusCode: got 0, expected 200 to 999"},
		{"rate limit of four digits", route(func(r *plan.Route) { r.RateLimit.StatusCode = 1000 }), "routes[0].rateLimit.statusCode: got 1000, expected 200 to 999"},
		{"schemes", route(func(r *plan.Route) { r.Authentication.Schemes = nil }), "routes[0].authentication.schemes: missing, expected at least one scheme"},
		{"claim", route(func(r *plan.Route) { r.Claims.ToPath[0].Claim = "" }), "routes[0].claims.toPath[0].claim: missing"},
		{"ttl", route(func(r *plan.Route) { r.Cache.TTL = 0 }), "routes[0].cache.ttl: got 0, expected 1 to 9223372036854"},
		{"origin", route(func(r *plan.Route) { r.Origins[0].At = "" }), "routes[0].origins[0].at: missing"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := full()
			test.change(p)
			if got := checked(p); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// checked returns what Check has against p, one problem a line.
func checked(p *plan.Plan) string {
	bad, ok := errors.AsType[*plan.InvalidError](p.Check())
	if !ok {
		return ""
	}
	lines := make([]string, len(bad.Problems))
	for i, problem := range bad.Problems {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

func TestStatusRangeText(t *testing.T) {
	for _, text := range []string{"503", "500-508", "100-999"} {
		var r plan.StatusRange
		if err := r.UnmarshalText([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if got, _ := r.MarshalText(); string(got) != text {
			t.Errorf("got %s, want %s", got, text)
		}
	}
	for _, text := range []string{"", "5xx", "50", "+50", "5000", "500-", "-500", "500-50", "500-508-510"} {
		var r plan.StatusRange
		if err := r.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q: got %v, want an error", text, r)
		}
	}
}

func TestMillisDuration(t *testing.T) {
	for _, m := range []plan.Millis{math.MinInt64, -plan.MaxMillis, 0, 1, plan.MaxMillis, math.MaxInt64} {
		want := min(max(m, -plan.MaxMillis), plan.MaxMillis)
		if got := plan.Millis(m.Duration().Milliseconds()); got != want {
			t.Errorf("%d: got %d ms, want %d", m, got, want)
		}
	}
}
