package rules_test

import "regexp"

var routePlants = []plant{
	{rule: "shadowed-route", make: func(m *mutant) { m.shadow("", "") }},
	{rule: "shadowed-route", kind: "by a wider one", make: func(m *mutant) {
		i, j := m.two()
		m.quietly(func() {
			m.template(i, "/wide/{all}", "/{all}")
			m.set(i, "UpstreamHttpMethod", "[]")
			m.set(i, "Priority", "9")
		})
		m.set(j, "UpstreamPathTemplate", `"/wide/a/{id}"`)
	}},
	{rule: "duplicate-route", make: func(m *mutant) {
		i, j := m.two()
		m.quietly(func() { m.set(j, "UpstreamHttpMethod", m.read(i, "UpstreamHttpMethod")) })
		m.set(j, "UpstreamPathTemplate", m.read(i, "UpstreamPathTemplate"))
	}},
	{rule: "port-missing", make: func(m *mutant) { m.swap(m.any(), `"Port": \d+`, `"Port": `+m.pick("0", "-1")) }},
	{rule: "port-missing", kind: "altogether", make: func(m *mutant) { m.swap(m.any(), `\{ "Host": [^}]*\}`, `{ "Host": "a.svc" }`) }},
	{rule: "dead-dynamic-routes", make: func(m *mutant) { m.root(`"DynamicRoutes": [ { "ServiceName": "orders" } ]`) }},
	{rule: "load-balancer-type", make: func(m *mutant) {
		m.set(m.any(), "LoadBalancerOptions", `{ "Type": "`+m.pick("RoundRobbin", "roundrobin", "Random")+`" }`)
	}},
	{rule: "placeholder-mismatch", make: func(m *mutant) {
		m.set(m.any(), "DownstreamPathTemplate", m.pick(`"/api/{ident}"`, `"/api/{ID}"`, `"/api/{id}/{sub}"`))
	}},
	{rule: "placeholder-name", make: func(m *mutant) {
		i := m.any()
		m.template(i, m.path(i)+"/{id-x}", "/api/{id-x}")
	}},
	{rule: "never-matches", make: func(m *mutant) {
		i := m.any()
		m.set(i, "UpstreamPathTemplate", `"`+m.path(i)+m.pick("/größe", "/a b", "/a<b")+`/{id}"`)
	}},
	{rule: "regex-in-template", make: func(m *mutant) {
		i := m.any()
		m.set(i, "UpstreamPathTemplate", `"`+m.path(i)+m.pick("/a+b", "/v1.0", "/(a)", "/a*")+`/{id}"`)
	}},
	{rule: "slash-loses-placeholder", make: func(m *mutant) {
		i := m.any()
		m.set(i, "UpstreamPathTemplate", `"`+m.path(i)+`/{id}/items/"`)
	}},
	{rule: "ampersand-in-template", make: func(m *mutant) {
		i := m.any()
		m.set(i, "UpstreamPathTemplate", `"`+m.path(i)+`/a&b/{id}"`)
	}},
	{rule: "upstream-host-never", make: func(m *mutant) {
		m.first(m.any(), `"UpstreamHost": "`+m.pick("*.shop.example", "shop.example:80", "http://shop.example")+`"`)
	}},
	{rule: "quota-message-braces", make: func(m *mutant) {
		m.first(m.any(), `"RateLimitOptions": { "Limit": 5, "Period": "1s", "QuotaMessage": "`+m.pick("{3}", "wait {seconds}", "}")+`" }`)
	}},
	{rule: "http-version", make: func(m *mutant) { m.first(m.any(), `"DownstreamHttpVersion": "`+m.pick("2", "1.0", "1,1")+`"`) }},
	{rule: "transform-invalid", make: func(m *mutant) {
		m.first(m.any(), m.pick(`"UpstreamHeaderTransform": { "Content-Length": "5" }`, `"DownstreamHeaderTransform": { "X-A": ",b" }`, `"UpstreamHeaderTransform": { "X-A": "ä" }`))
	}},
	{rule: "empty-aggregate", make: func(m *mutant) { m.root(`"Aggregates": [ { "UpstreamPathTemplate": "/x", "RouteKeys": [] } ]`) }},
	{rule: "aggregate-invalid", make: func(m *mutant) {
		m.root(`"Aggregates": [ { "UpstreamPathTemplate": "/x", "RouteKeys": [ "route-000000", "` + m.pick("nowhere", "Route-000001") + `" ] } ]`)
	}},
	{rule: "route-invalid", make: func(m *mutant) {
		m.set(m.any(), "DownstreamPathTemplate", m.pick(`"api/{id}"`, `"//api/{id}"`, `"/http://x/{id}"`))
	}},
	{rule: "route-invalid", kind: "without a scheme", make: func(m *mutant) { m.set(m.any(), "UpstreamPathTemplate", `"orders/{id}"`) }},
	{rule: "rate-limit-invalid", make: func(m *mutant) {
		m.first(m.any(), `"RateLimitOptions": { "Limit": 5, `+m.pick(`"Period": "1x"`, `"Period": "1s", "Wait": "soon"`, `"Period": "1mfoo"`, `"Period": "1s", "StatusCode": 1000`)+` }`)
	}},
	{rule: "discovery-missing", profile: "discovery=false", make: func(m *mutant) { m.first(m.any(), `"ServiceName": "orders"`) }},
}

var securityPlants = []plant{
	{rule: "unknown-authentication-scheme", profile: "schemes=Bearer", make: func(m *mutant) {
		m.first(m.any(), `"AuthenticationOptions": { "AuthenticationProviderKeys": [ "`+m.pick("bearer", "Oidc")+`" ] }`)
	}},
	{rule: "auth-inactive", make: func(m *mutant) {
		i := m.single()
		m.quietly(func() {
			m.global(`"AuthenticationOptions": { "RouteKeys": [ "route-000000" ], "AuthenticationProviderKeys": [ "Bearer" ] }`)
		})
		m.set(i, "Priority", "7") // every route but one is open; this one is looked at
		b := m.block(i)
		m.planted = []stretch{b}
	}},
	{rule: "cache-shared-by-users", make: func(m *mutant) {
		m.first(m.any(), `"AuthenticationOptions": { "AuthenticationProviderKeys": [ "Bearer" ] }, "CacheOptions": { "TtlSeconds": 30 }`)
	}},
	{rule: "certificate-not-checked", make: func(m *mutant) { m.first(m.any(), `"DangerousAcceptAnyServerCertificateValidator": true`) }},
	{rule: "cookies-shared", make: func(m *mutant) { m.first(m.any(), `"HttpHandlerOptions": { "UseCookieContainer": true }`) }},
	{rule: "upgrade-unprotected", make: func(m *mutant) {
		i := m.any()
		m.quietly(func() { m.set(i, "UpstreamHttpMethod", "[]") })
		m.first(i, `"AuthenticationOptions": { "AuthenticationProviderKeys": [ "Bearer" ] }`)
	}},
	{rule: "whitelist-admits-all", make: func(m *mutant) {
		m.first(m.any(), `"RateLimitOptions": { "Limit": 5, "Period": "1s", "ClientWhitelist": [ "a", "" ] }`)
	}},
	{rule: "open-by-drop", kind: "dropped", errors: []string{"type-mismatch"}, make: func(m *mutant) {
		m.shadow(`"AuthenticationOptions": { "AuthenticationProviderKeys": [ "Bearer" ] }`, `"soon"`)
	}},
	{rule: "open-by-drop", kind: "shadowed", make: func(m *mutant) {
		m.shadow(`"AuthenticationOptions": { "AuthenticationProviderKeys": [ "Bearer" ] }`, "")
	}},
}

var resiliencePlants = []plant{
	{rule: "attempt-over-total", make: func(m *mutant) {
		i := m.single()
		m.quietly(func() { m.qos(i, `{ "MinimumThroughput": 5, "Timeout": 5000 }`) })
		m.resilience(i, `{ "TotalTimeout": 4000 }`)
	}},
	{rule: "budget-exceeded", make: func(m *mutant) {
		i := m.single()
		m.quietly(func() { m.qos(i, `{ "MinimumThroughput": 5, "Timeout": 5000 }`) })
		m.resilience(i, `{ "TotalTimeout": 8000, "Retry": { "MaxRetryAttempts": 2, "RetryBudget": { "RetryRatio": 0.2 } } }`)
	}},
	{rule: "chaos-enabled", make: func(m *mutant) { m.resilience(m.any(), `{ "Chaos": { "Fault": { "InjectionRate": 0.1 } } }`) }},
	{rule: "expression-invalid", make: func(m *mutant) {
		m.resilience(m.any(), `{ "CircuitBreaker": { "Expression": "NetworkErrorRatio( > `+m.pick("0.3", "x")+`" } }`)
	}},
	{rule: "response-code-invalid", make: func(m *mutant) {
		m.resilience(m.any(), `{ "Fallback": { "StatusCode": `+m.pick("42", "99", "1000")+`, "Body": "x" } }`)
	}},
	{rule: "retry-amplification", make: func(m *mutant) {
		m.resilience(m.any(), `{ "Retry": { "MaxRetryAttempts": 9, "RetryBudget": { "RetryRatio": 0.2 } } }`)
	}},
	{rule: "retry-unsafe-method", make: func(m *mutant) {
		m.resilience(m.any(), `{ "Retry": { "MaxRetryAttempts": 2, "Methods": [ "GET", "`+m.pick("POST", "PATCH")+`" ], "RetryBudget": { "RetryRatio": 0.2 } } }`)
	}},
	{rule: "retry-without-budget", make: func(m *mutant) { m.resilience(m.any(), `{ "Retry": { "MaxRetryAttempts": 2 } }`) }},
	{rule: "sampling-below-two-timeouts", make: func(m *mutant) {
		i := m.single()
		m.qos(i, `{ "MinimumThroughput": 3, "FailureRatio": 0.5, "BreakDuration": 5000, "SamplingDuration": 6000, "Timeout": 5000 }`)
		m.resilience(i, `{ "TotalTimeout": 30000 }`)
	}},
	{rule: "stale-needs-get", make: func(m *mutant) {
		i := m.any()
		m.quietly(func() { m.set(i, "UpstreamHttpMethod", `[ "POST" ]`) })
		m.resilience(i, `{ "Fallback": { "StaleIfError": 60000 } }`)
	}},
	{rule: "two-breakers", make: func(m *mutant) {
		i := m.single()
		m.qos(i, `{ "MinimumThroughput": 5, "Timeout": 3000 }`)
		m.resilience(i, `{ "CircuitBreaker": { "Expression": "NetworkErrorRatio() > 0.3" } }`)
	}},
}

// shadow makes a later route take the requests of an earlier one of lower
// precedence. The hidden one gets a member, and a Timeout that may drop it.
func (m *mutant) shadow(member, timeout string) {
	taker, hidden := m.two()
	m.quietly(func() {
		m.set(hidden, "UpstreamHttpMethod", m.read(taker, "UpstreamHttpMethod"))
		m.set(hidden, "Priority", m.read(taker, "Priority"))
		if member != "" {
			m.last(hidden, member)
		}
	})
	up := m.path(taker)
	if timeout == "" {
		m.template(hidden, up+"/{other}", "/api/{other}")
		return
	}
	m.quietly(func() { m.template(hidden, up+"/{other}", "/api/{other}") })
	m.set(hidden, "Timeout", timeout)
}

// inGroup adds a key to the group of the global section, inGlobalQoS a member.
func (m *mutant) inGroup(key string) { m.behind(`"RouteKeys": [`, "\n        "+key+",") }

func (m *mutant) inGlobalQoS(member string) {
	m.behind("    \"QoSOptions\": {\n      \"RouteKeys\"", "")
	m.planted = m.planted[:len(m.planted)-1]
	m.behind("      ],\n      \"MinimumThroughput\": 20,\n", "      "+member+",\n")
}

// behind plants a text after the only place of another.
func (m *mutant) behind(place, text string) {
	at := regexp.MustCompile(regexp.QuoteMeta(place)).FindStringIndex(m.text)
	m.plantAt(at[1], 0, text)
}

// swap replaces the first match within a route.
func (m *mutant) swap(i int, pattern, text string) {
	b := m.block(i)
	at := regexp.MustCompile(pattern).FindStringIndex(m.text[b.from:b.to])
	m.plantAt(b.from+at[0], at[1]-at[0], text)
}
