package rules_test

import (
	"fmt"
	"slices"
)

// unplanted are the rules without a plant, and why.
var unplanted = map[string]string{
	"not-ocelot":          "the whole file is the mistake",
	"global-turns-on":     "true of every generated gateway",
	"client-can-trip":     "true of every generated gateway",
	"query-rewritten":     "true of every generated gateway",
	"prefix-escape":       "true of every generated gateway",
	"discovery-by-drop":   "every static route has to be lost",
	"provider-missing":    "a mistake of the application: without a provider, every route has it",
	"plan-invalid":        "proved where plans are made",
	"plan-differs":        "proved where plans are made",
	"overwritten-primary": "the mistake is that the file is there; it is planted in the cases",
}

// plants are the mistakes, in the order of the rules' categories.
var plants = slices.Concat(readingPlants, filePlants, qosPlants, groupPlants, timeoutPlants, routePlants, securityPlants, resiliencePlants)

var readingPlants = []plant{
	{rule: "syntax-error", make: func(m *mutant) {
		m.first(m.any(), m.pick(`"RequestIdKey": tru`, `"RequestIdKey": 01`, `"RequestIdKey" "x"`, `'RequestIdKey': "x"`, `"RequestIdKey": yes`))
	}},
	{rule: "syntax-error", kind: "in a string", make: func(m *mutant) { m.set(m.any(), "DownstreamScheme", `"ht\qtp"`) }},
	{rule: "invalid-encoding", make: func(m *mutant) { m.first(m.any(), "\"Metadata\": { \"note\": \"caf\xe9\" }") }},
	{rule: "duplicate-key", make: func(m *mutant) { m.last(m.any(), m.pick(`"DownstreamScheme": "https"`, `"priority": 3`, `"KEY": "b"`)) }},
	{rule: "duplicate-overwritten", make: func(m *mutant) { m.last(m.any(), `"RequestIdKey": "X", "RequestIdKey": {}`) }, errors: []string{"type-mismatch"}},
	{rule: "type-mismatch", make: func(m *mutant) { m.set(m.single(), "Priority", m.pick(`"high"`, "1.5", "99999999999", `"1,5"`)) }},
	{rule: "type-mismatch", kind: "in QoSOptions", make: func(m *mutant) { m.qos(m.single(), `{ "MinimumThroughput": `+m.pick(`"5s"`, "1e3", "true")+` }`) }},
	{rule: "type-mismatch", kind: "in the global section", make: func(m *mutant) { m.global(`"Timeout": "ten"`) }},
	{rule: "ignored-scalar", make: func(m *mutant) {
		m.first(m.any(), m.pick(`"CacheOptions": "yes"`, `"SecurityOptions": 5`, `"Metadata": "none"`))
	}},
	{rule: "colon-in-key", make: func(m *mutant) { m.first(m.any(), `"Metadata": { "a:b": "c" }`) }},
	{rule: "unknown-name", make: func(m *mutant) {
		m.first(m.any(), m.pick(`"UpstreamHttpMethods": [ "GET" ]`, `"Priorty": 2`, `"Timeouts": 5`, `"LoadBalancerOption": {}`))
	}},
	{rule: "unknown-name", kind: "in QoSOptions", make: func(m *mutant) {
		m.qos(m.single(), `{ "MinimumThroughput": 5, "Timeout": 3000, "BreakDurations": 1000 }`)
	}},
	{rule: "misplaced-name", make: func(m *mutant) {
		m.first(m.any(), m.pick(`"BaseUrl": "https://x.example"`, `"TimeoutValue": 3000`, `"MinimumThroughput": 3`))
	}},
	{rule: "removed-name", make: func(m *mutant) { m.first(m.any(), `"ReRouteIsCaseSensitive": true`) }},
	{rule: "invented-resilience", make: func(m *mutant) {
		m.first(m.any(), m.pick(`"RetryOptions": { "Count": 3 }`, `"CircuitBreaker": {}`, `"RetryCount": 3`))
	}},
	{rule: "resilience-ignored", make: func(m *mutant) { m.resilience(m.any(), `{ "TotalTimeout": 60000 }`) }},
	{rule: "secret-in-config", make: func(m *mutant) {
		m.first(m.any(), m.pick(`"Metadata": { "password": "hunter2-hunter2" }`, `"Metadata": { "db": "https://me:s3cr3t@db.example/" }`))
	}},
	{rule: "null-value", make: func(m *mutant) { m.set(m.any(), "Priority", "null") }},
	{rule: "unused-ignore", make: func(m *mutant) {
		m.plantAt(m.block(m.any()).from, 0, "      // margay:ignore port-missing it never had one\n")
	}},
	{rule: "start-exception", make: func(m *mutant) {
		i := m.any()
		m.set(i, "UpstreamPathTemplate", `"`+m.path(i)+`/{id"`)
	}, errors: []string{"placeholder-mismatch"}},
}

const otherPart = `{
  "Routes": [
    {
      "UpstreamPathTemplate": "%s", "UpstreamHttpMethod": %s, "Priority": %s, "DownstreamPathTemplate": "/", "DownstreamScheme": "http",
      "DownstreamHostAndPorts": [ { "Host": "other.svc", "Port": 80 } ]%s
    }
  ]%s
}
`

func part(more, behind string) string {
	return fmt.Sprintf(otherPart, "/other/part", `[ "GET" ]`, "1", more, behind)
}

var filePlants = []plant{
	{rule: "comment-before-root", way: "merge", make: func(m *mutant) { m.file("ocelot.z.json", "// the other team\n"+part("", "")) }},
	{rule: "string-looks-like-date", way: "merge", make: func(m *mutant) { m.first(m.any(), `"Metadata": { "since": "2020-01-02T03:04:05+02:00" }`) }},
	{rule: "merge-number-rewritten", way: "merge", make: func(m *mutant) { m.first(m.any(), `"Metadata": { "version": 1.10 }`) }},
	{rule: "merge-drops-section", way: "merge", make: func(m *mutant) { m.root(`"Custom": { "x": 1 }`) }},
	{rule: "merge-replaces-section", way: "merge", make: func(m *mutant) {
		m.file("ocelot.z.json", `{ "Routes": { "0": { "UpstreamPathTemplate": "/b", "DownstreamPathTemplate": "/b", "DownstreamHostAndPorts": [ { "Host": "a.svc", "Port": 80 } ] } } }`)
	}, errors: []string{"unknown-route-key"}},
	{rule: "global-outside-global-file", way: "merge", make: func(m *mutant) { m.file("ocelot.z.json", part("", `, "GlobalConfiguration": { "Timeout": 5 }`)) }},
	{rule: "environment-skipped", way: "merge", beside: true, make: func(m *mutant) { m.file("ocelot.Production.json", part("", "")) }},
	{rule: "unstable-order", way: "merge", make: func(m *mutant) {
		i := m.any()
		m.file("ocelot.z.json", fmt.Sprintf(otherPart, m.path(i)+"/{other}", m.read(i, "UpstreamHttpMethod"), m.read(i, "Priority"), "", ""))
	}},
	{rule: "index-overlay", way: "ocelot.a.json,ocelot.global.json,ocelot.z.json", make: func(m *mutant) { m.file("ocelot.z.json", `{ "Routes": [ { "Timeout": 5 } ] }`) }},
}

var qosPlants = []plant{
	{rule: "deprecated-option", make: func(m *mutant) {
		m.qos(m.single(), `{ "MinimumThroughput": 5, "Timeout": 3000, "DurationOfBreak": 2000 }`)
	}},
	{rule: "deprecated-option", kind: "of a route", make: func(m *mutant) { m.first(m.any(), `"FileCacheOptions": { "TtlSeconds": 5 }`) }},
	{rule: "deprecated-overrides", make: func(m *mutant) {
		m.qos(m.single(), `{ "MinimumThroughput": 5, "ExceptionsAllowedBeforeBreaking": 9, "Timeout": 3000 }`)
	}},
	{rule: "disabled-by-zero", make: func(m *mutant) { m.qos(m.grouped(), `{ "MinimumThroughput": 0, "Timeout": 3000 }`) }},
	{rule: "documented-differs", make: func(m *mutant) { m.qos(m.single(), `{ "MinimumThroughput": `+m.pick("0", "-4")+`, "Timeout": 3000 }`) }},
	{rule: "hair-trigger", profile: "provider=polly", make: func(m *mutant) {
		m.qos(m.single(), `{ "MinimumThroughput": 2, "FailureRatio": 0.2, "SamplingDuration": 9000, "BreakDuration": 5000, "Timeout": 3000 }`)
	}},
	{rule: "inactive-qos", make: func(m *mutant) { m.qos(m.single(), `{ "BreakDuration": 1000 }`) }},
	{rule: "no-effect", make: func(m *mutant) {
		m.qos(m.single(), `{ "MinimumThroughput": 5, "Timeout": 3000, "SamplingDuration": 5000 }`)
	}},
	{rule: "no-effect", kind: "without a breaker", profile: "provider=polly", make: func(m *mutant) { m.qos(m.single(), `{ "Timeout": 3000, "BreakDuration": 5000 }`) }},
	{rule: "seconds-for-milliseconds", make: func(m *mutant) {
		m.qos(m.single(), fmt.Sprintf(`{ "MinimumThroughput": 5, "Timeout": %d }`, 1+m.rand.IntN(90)))
	}},
	{rule: "value-out-of-range", make: func(m *mutant) {
		m.qos(m.single(), fmt.Sprintf(`{ "MinimumThroughput": 5, "Timeout": 3000, "BreakDuration": %d }`, 1+m.rand.IntN(500)))
	}},
	{rule: "value-out-of-range", kind: "of Polly", profile: "provider=polly", make: func(m *mutant) {
		m.qos(m.single(), `{ "MinimumThroughput": `+m.pick("1", "5")+`, "FailureRatio": 1.5, "Timeout": 3000 }`)
	}},
	{rule: "unreachable-throughput", make: func(m *mutant) {
		m.qos(m.single(), `{ "MinimumThroughput": 2000000, "FailureRatio": 0.5, "SamplingDuration": 1000, "BreakDuration": 5000, "Timeout": 3000 }`)
	}},
	{rule: "option-refused", profile: "ocelot=23.2 provider=polly", make: func(m *mutant) { m.qos(m.single(), `{ "ExceptionsAllowedBeforeBreaking": 3, "TimeoutValue": 5000 }`) }},
	{rule: "brief-break", profile: "ocelot=22.0 provider=polly", make: func(m *mutant) { m.qos(m.single(), `{ "ExceptionsAllowedBeforeBreaking": 3, "TimeoutValue": 5000 }`) }},
	{rule: "endless-timeout", profile: "ocelot=24.0 provider=polly", make: func(m *mutant) { m.qos(m.single(), `{ "TimeoutValue": -1 }`) }},
}

var groupPlants = []plant{
	{rule: "unknown-route-key", make: func(m *mutant) { m.inGroup(m.pick(`"nowhere"`, `"ROUTE-000000"`, `"route-00000"`)) }},
	{rule: "duplicate-route-key", make: func(m *mutant) { m.set(1+m.rand.IntN(7), "Key", `"route-000000"`) }},
	{rule: "keyless-group", beside: true, make: func(m *mutant) { m.drop(m.single(), "Key") }},
	{rule: "excluded-without-qos", make: func(m *mutant) { m.drop(m.single(), "QoSOptions") }},
	{rule: "shared-circuit", profile: "provider=polly", make: func(m *mutant) {
		i, j := m.two()
		m.quietly(func() { m.set(i, "LoadBalancerOptions", `{ "Type": "CookieStickySessions" }`) })
		m.set(j, "LoadBalancerOptions", `{ "Type": "CookieStickySessions" }`)
		m.planted = []stretch{m.block(j)}
	}},
	{rule: "global-deprecated-wins", profile: "ocelot=25.0", make: func(m *mutant) {
		m.quietly(func() { m.inGlobalQoS(`"DurationOfBreak": 777`) })
		m.qos(m.grouped(), `{ "MinimumThroughput": 5, "Timeout": 3000, "BreakDuration": 2000 }`)
	}},
}

var timeoutPlants = []plant{
	{rule: "outer-timeout-shorter", make: func(m *mutant) {
		i := m.single()
		m.quietly(func() { m.set(i, "Timeout", "2") })
		m.qos(i, `{ "MinimumThroughput": 5, "Timeout": 5000 }`)
	}},
	{rule: "timeout-overflow", make: func(m *mutant) { m.set(m.any(), "Timeout", m.pick("2147484", "2147483647", "4294968")) }},
	{rule: "unit-trap", make: func(m *mutant) { m.set(m.any(), "Timeout", m.pick("30000", "5000", "100000")) }},
	{rule: "ignored-zero-timeout", make: func(m *mutant) {
		m.quietly(func() { m.global(`"Timeout": 60`) })
		m.set(m.any(), "Timeout", m.pick("0", "-5"))
	}},
	{rule: "uncounted-hang", make: func(m *mutant) { m.qos(m.single(), `{ "MinimumThroughput": 5, "BreakDuration": 2000 }`) }},
}
