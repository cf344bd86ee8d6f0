package proxy_test

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/proxy"
)

// asked is a request, and what Ocelot answers by its rules.
type asked struct {
	request string // "METHOD target ~ Header: value ~ …"
	wait    int    // milliseconds before it
	script  string // of the upstream

	from   string // "UP1 /d/1": who is asked for what; empty is nobody
	status int    // 200 where none is written
	body   string // where it is not the upstream's usual one
	header string // "name: value"
	codes  string // an error code or an exception of Ocelot

	differ string // the differences, joined by +
}

const (
	oneRoute    = `{"Routes":[{"UpstreamPathTemplate":"/r/{x}","DownstreamPathTemplate":"/d/{x}","DownstreamScheme":"http","DownstreamHostAndPorts":[{"Host":"127.0.0.1","Port":{{UP1}}}]`
	threeHosts  = `{"Routes":[{"UpstreamPathTemplate":"/r/{x}","DownstreamPathTemplate":"/d/{x}","DownstreamScheme":"http","DownstreamHostAndPorts":[{"Host":"127.0.0.1","Port":{{UP1}}},{"Host":"127.0.0.1","Port":{{UP2}}},{"Host":"127.0.0.1","Port":{{UP3}}}]`
	discovery   = `{"GlobalConfiguration":{"ServiceDiscoveryProvider":{"Host":"127.0.0.1","Port":8500,"Type":"FixedDiscovery"},"DownstreamScheme":"http"`
	services    = `{"discovery_provider_class":"FixedDiscovery","discovery_services":{"one":["127.0.0.1:{{UP1}}"],"two":["127.0.0.1:{{UP2}}"],"many":["127.0.0.1:{{UP1}}","127.0.0.1:{{UP2}}","127.0.0.1:{{UP3}}"],"ns.many":["127.0.0.1:{{UP1}}","127.0.0.1:{{UP2}}","127.0.0.1:{{UP3}}"],"ns.a.b":["127.0.0.1:{{UP3}}"]}}`
	known       = `"AuthenticationOptions":{"AuthenticationProviderKeys":["TestA"]}`
	schemes     = `{"auth_schemes":["TestA","TestB"]}`
	openCircuit = "Circuit breaker is open for route -> /r/{x}"
	formatError = "System.FormatException"
	limitLeft   = "x-ratelimit-limit: 1 ~ x-ratelimit-remaining: 0 ~ x-ratelimit-reset: <utc-iso-7digits>"
)

// otherSettings are what recordings of a kind have in one place, written in
// another one: what is promised is a rule, and holds for it too.
var otherSettings = map[string]struct {
	config, gateway string
	steps           []asked
}{
	"a message with a brace, and a status of its own": {
		oneRoute + `,"RateLimitOptions":{"Limit":1,"Period":"30s","StatusCode":418,"QuotaMessage":"no {x} {0}"}}]}`, "", []asked{
			{request: "GET /r/1 ~ Oc-Client: a", from: "UP1 /d/1", header: limitLeft},
			{request: "GET /r/1 ~ Oc-Client: a", status: 500, codes: formatError, differ: "message-braces+retry-after-fraction+reason-phrase"},
			{request: "HEAD /r/1 ~ Oc-Client: a", status: 500, codes: formatError, differ: "message-braces+retry-after-fraction+reason-phrase"},
		}},
	"a message with a brace by deprecated names": {
		oneRoute + `,"RateLimitOptions":{"Limit":1,"Period":"30s","HttpStatusCode":420,"StatusCode":418,"QuotaExceededMessage":"{","QuotaMessage":"plain","DisableRateLimitHeaders":true}}]}`, "", []asked{
			{request: "GET /r/1 ~ Oc-Client: a", from: "UP1 /d/1"},
			{request: "GET /r/1 ~ Oc-Client: a", status: 500, codes: formatError, differ: "message-braces+reason-phrase"},
		}},
	"a message with a brace of the global section": {
		oneRoute + `,"RateLimitOptions":{"Limit":1,"Period":"30s","StatusCode":418}}],"GlobalConfiguration":{"RateLimitOptions":{"HttpStatusCode":431,"QuotaMessage":"}","Wait":"7s"}}}`, "", []asked{
			{request: "GET /r/1 ~ Oc-Client: a", from: "UP1 /d/1", header: limitLeft},
			{request: "GET /r/1 ~ Oc-Client: a", status: 500, codes: formatError, differ: "message-braces+retry-after-fraction+reason-phrase"},
		}},
	"a message with a brace where no body may be": {
		oneRoute + `,"RateLimitOptions":{"Limit":1,"Period":"1m","StatusCode":205,"QuotaMessage":"{"}}]}`, "", []asked{
			{request: "GET /r/1 ~ Oc-Client: a", from: "UP1 /d/1", header: limitLeft},
			{request: "GET /r/1 ~ Oc-Client: a", status: 500, codes: formatError, differ: "message-braces+retry-after-fraction+reason-phrase"},
		}},
	"a claim beside a query": {
		oneRoute + `,` + known + `,"AddQueriesToRequest":{"sub":"Claims[sub] > value"}}]}`, schemes, []asked{
			{request: "GET /r/1?z=1 ~ Authorization: TestA u 1&y=2", from: "UP1 /d/1?z=1&sub=u%201&y=2", differ: "claim-injection"},
			{request: "GET /r/1?Sub=spoof&z=1 ~ Authorization: TestA a&b", from: "UP1 /d/1?Sub=a&b=&z=1", differ: "claim-injection"},
			{request: "GET /r/1?x=1 ~ Authorization: TestA a+b", from: "UP1 /d/1?sub=a%20b", differ: "claim-injection"},
			{request: "GET /r/1?z=1 ~ Authorization: TestA a%26b", from: "UP1 /d/1?z=1&sub=a&b=", differ: "claim-injection"},
			{request: "GET /r/1?z=1 ~ Authorization: TestA a=b", from: "UP1 /d/1?z=1&sub=a%3Db"},
		}},
	"a part of a claim, and schemes of the global section": {
		oneRoute + `,"AddQueriesToRequest":{"part":"Claims[path] > value[1] > |","all":"Claims[g] > value"}}],"GlobalConfiguration":{` + known + `}}`, schemes, []asked{
			{request: "GET /r/1?z=1 ~ Authorization: TestA u;path=p&q|r&s=1|t;g=1;g=2", from: "UP1 /d/1?z=1&all=1,2&part=r&s=1", differ: "claim-injection"},
		}},
	"an escape by a part of a claim": {
		oneRoute + `,` + known + `,"ChangeDownstreamPathTemplate":{"x":"Claims[p] > value[1] > |"}}]}`, schemes, []asked{
			{request: "GET /r/1 ~ Authorization: TestA u;p=a|../z|c", from: "UP1 /z", differ: "prefix-escape"},
		}},
	"a breaker of the global section": {
		threeHosts + `,"LoadBalancerOptions":{"Type":"RoundRobin"}}],"GlobalConfiguration":{"QoSOptions":{"MinimumThroughput":2,"BreakDuration":1200}}}`, `{"qos":"built-in"}`, overOpenCircuit},
	"a balancer of the global section, and a breaker by deprecated names": {
		threeHosts + `,"Key":"K","QoSOptions":{"ExceptionsAllowedBeforeBreaking":2}}],"GlobalConfiguration":{"LoadBalancerOptions":{"Type":"RoundRobin"},"QoSOptions":{"RouteKeys":["K"],"DurationOfBreak":1200}}}`, `{"qos":"built-in"}`, overOpenCircuit},
	"turns of services in namespaces": {
		discovery + `,"LoadBalancerOptions":{"Type":"RoundRobin"}}}`, services, []asked{
			{request: "GET /many/a", from: "UP1 /a"},
			{request: "GET /ns.many/a", from: "UP2 /a", differ: "namespace-turns"},
			{request: "GET /.many/a", from: "UP3 /a", differ: "namespace-turns"},
			{request: "GET /ns.many/a", from: "UP1 /a", differ: "namespace-turns"},
			{request: "GET /ns.a.b/a", from: "UP3 /a"},
		}},
	"a shared balancer of services in namespaces": {
		discovery + `,"LoadBalancerOptions":{"Key":"k"}}}`, services, []asked{
			{request: "GET /ns.a.b/a", from: "UP3 /a"},
			{request: "GET /one/b", from: "UP3 /a", differ: "frozen-dynamic+first-options"},
			{request: "GET /.two/c", from: "UP3 /a", differ: "frozen-dynamic+first-options"},
		}},
	"sessions by one cookie of several": {
		discovery + `,"LoadBalancerOptions":{"Type":"CookieStickySessions"}}}`, services, []asked{
			{request: "GET /many/a ~ Cookie: .AspNetCore.Session=a", from: "UP1 /a"},
			{request: "GET /many/a ~ Cookie: x=1; .AspNetCore.Session=b", from: "UP2 /a"},
			{request: "GET /two/a ~ Cookie: .aspnetcore.session=a; y=2", from: "UP1 /a", differ: "first-options"},
		}},
	"blocked by a range of mapped addresses of the global section": {
		oneRoute + `}],"GlobalConfiguration":{"SecurityOptions":{"IPBlockedList":["::ffff:127.0.0.0-::ffff:127.0.0.9"]}}}`, "", []asked{
			{request: "GET /r/1", from: "UP1 /d/1", differ: "mapped-address"},
		}},
	"allowed by a network of mapped addresses": {
		oneRoute + `,"SecurityOptions":{"IPAllowedList":["::ffff:127.0.0.0/120"]}}]}`, "", []asked{
			{request: "GET /r/1", status: 403, codes: "SecurityError", differ: "mapped-address+reason-phrase"},
		}},
	"answers kept by the global section": {
		oneRoute + `}],"GlobalConfiguration":{"CacheOptions":{"TtlSeconds":60}}}`, "", []asked{
			{request: "GET /r/1 ~ Cookie: a=1", from: "UP1 /d/1", script: `{"body":"one"}`, body: "one"},
			{request: "GET /r/1", script: `{"body":"two"}`, body: "one", differ: "cached-open+reason-phrase"},
			{request: "GET /r/1 ~ Cookie: a=1", script: `{"body":"three"}`, body: "one", differ: "cached-open"},
			{request: "GET /r/2 ~ Range: bytes=0-1", from: "UP1 /d/2", script: `{"body":"one"}`, body: "one"},
			{request: "GET /r/2", script: `{"body":"two"}`, body: "one", differ: "cached-part+reason-phrase"},
			{request: "GET /r/3", from: "UP1 /d/3", script: `{"body":"one","headers":[["Content-Type","text/plain"],["Cache-Control","private"]]}`, body: "one", header: "cache-control: private"},
			{request: "GET /r/3", script: `{"body":"two"}`, body: "one", header: "cache-control: private", differ: "cached-private+reason-phrase"},
		}},
	"answers kept by another route": {
		oneRoute + `,"UpstreamHttpMethod":["Get"],"CacheOptions":{"TtlSeconds":60}},{"UpstreamPathTemplate":"/r/{x}","DownstreamPathTemplate":"/e/{x}","DownstreamScheme":"http","DownstreamHostAndPorts":[{"Host":"127.0.0.1","Port":{{UP2}}}],"UpstreamHttpMethod":["Put"],"DownstreamHttpMethod":"GET","CacheOptions":{"TtlSeconds":60}}]}`, "", []asked{
			{request: "GET /r/1", from: "UP1 /d/1", script: `{"body":"one"}`, body: "one"},
			{request: "PUT /r/1", script: `{"body":"two"}`, body: "one", differ: "cache-key+reason-phrase"},
		}},
}

// overOpenCircuit asks a route over three hosts, whose circuit two failures open.
var overOpenCircuit = []asked{
	{request: "GET /r/1", from: "UP1 /d/1", script: `{"status":500}`, status: 500},
	{request: "GET /r/1", from: "UP2 /d/1", script: `{"status":500}`, status: 500},
	{request: "GET /r/1", status: 503, body: openCircuit, header: "content-type: text/plain; charset=utf-8", differ: "retry-after"},
	{request: "GET /r/1", wait: 1700, from: "UP1 /d/1", differ: "leased-before-asked"},
	{request: "GET /r/1", from: "UP2 /d/1", differ: "leased-before-asked"},
}

// step returns the request as a recording has it.
func (a *asked) step(t *testing.T, route any) (s routingStep) {
	t.Helper()
	line, fields, _ := strings.Cut(a.request, " ~ ")
	method, target, _ := strings.Cut(line, " ")
	sent := fieldsOf(fields)
	path, query, _ := strings.Cut(target, "?")
	s.Request = &recordedRequest{Method: method, Target: target, WaitBefore: a.wait, Headers: append([][2]string{{"Host", "gw.example"}}, sent...)}
	if a.script != "" {
		if err := json.Unmarshal([]byte(a.script), &s.Upstream); err != nil {
			t.Fatal(err)
		}
	}
	e := &s.Expect
	e.MatchedRoute = route
	if path == "/r/1" && method == http.MethodPut {
		e.MatchedRoute = float64(1)
	}
	e.MatcherInput = &struct{ Path, Query string }{path, query}
	e.Status = cmp.Or(a.status, http.StatusOK)
	e.Reason = http.StatusText(e.Status)
	e.Headers = fieldsOf(a.header)
	body := a.body
	if up, to, ok := strings.Cut(a.from, " "); ok {
		e.Downstream = &contact{Upstream: up, Method: method, Target: to, Version: "HTTP/1.1", Host: "127.0.0.1:{{" + up + "}}", Headers: sent, Framing: "none", Body: new("")}
		body = cmp.Or(body, up+" "+method+" "+to)
	}
	switch {
	case strings.HasPrefix(a.codes, "System."):
		e.Unhandled = a.codes
	case a.codes != "":
		e.ErrorCodes = []string{a.codes}
	}
	if e.Status < 400 || e.Downstream != nil {
		up := "UP1"
		if e.Downstream != nil {
			up = e.Downstream.Upstream
		}
		e.Headers = append(e.Headers, [2]string{"x-up", up}, [2]string{"content-type", "text/plain"})
	}
	e.Framing = "length:" + strconv.Itoa(len(body))
	e.Headers = append(e.Headers, [2]string{"content-length", strconv.Itoa(len(body))})
	e.Body, e.BodyLen = &body, len(body)
	return s
}

// fieldsOf reads "name: value ~ name: value".
func fieldsOf(text string) (out [][2]string) {
	for one := range strings.SplitSeq(text, " ~ ") {
		if name, value, ok := strings.Cut(one, ": "); ok {
			out = append(out, [2]string{name, value})
		}
	}
	return out
}

// names are the differences of the steps that have one, in order.
func (v *verdicts) names(steps []asked) (got, want []string) {
	for _, s := range steps {
		if s.differ != "" {
			want = append(want, s.differ)
		}
	}
	return v.excuse, want
}

func TestPromisesHoldForOtherSettings(t *testing.T) {
	for name, o := range otherSettings {
		t.Run(name, func(t *testing.T) {
			rec := &routingRecord{ID: name, Group: 8, Config: o.config}
			if o.gateway != "" {
				if err := json.Unmarshal([]byte(o.gateway), &rec.Gateway); err != nil {
					t.Fatal(err)
				}
			}
			route := any(float64(0))
			if strings.HasPrefix(o.config, discovery) {
				route = "dynamic"
			}
			for i := range o.steps {
				rec.Steps = append(rec.Steps, o.steps[i].step(t, route))
			}
			for _, v := range replayOnClock(t, []*routingRecord{rec}, proxy.Options{}, nil) {
				for _, differ := range v.differ {
					t.Error(differ)
				}
				if got, want := v.names(o.steps); !slices.Equal(got, want) {
					t.Errorf("differences: got %q, want %q", got, want)
				}
			}
		})
	}
}
