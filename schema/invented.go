package schema

import "strings"

// invention is a kind of option that people expect and no version of Ocelot
// has: how its names begin and what there is instead.
type invention struct{ prefix, help string }

// inventions, the longest prefix of several first.
var inventions = []invention{
	{"retries", retryHelp}, {"retry", retryHelp},
	{"fallback", "Ocelot has no fallback; margay runs \"ResilienceOptions\": { \"Fallback\": … }"},
	{"circuitbreaker", breakerHelp}, {"breaker", breakerHelp},
	{"bulkhead", "Ocelot has no bulkhead; margay runs \"ResilienceOptions\": { \"ConcurrencyLimiter\": … }"},
	{"concurrencylimit", "Ocelot does not bound concurrency; margay runs \"ResilienceOptions\": { \"ConcurrencyLimiter\": … }"},
	{"hedging", "Ocelot has no hedging; remove it"},
	{"resilience", "Ocelot's own options are in \"QoSOptions\"; margay's are in \"ResilienceOptions\""},
	{"polly", "write \"QoSOptions\": it is the section that AddPolly() reads"},
	{"timeoutoptions", timeoutHelp}, {"timeoutpolicy", timeoutHelp},
}

const (
	retryHelp   = "Ocelot never repeats a request for you; margay runs \"ResilienceOptions\": { \"Retry\": … }"
	breakerHelp = "write \"QoSOptions\" with \"MinimumThroughput\" and \"BreakDuration\""
	timeoutHelp = "write \"Timeout\" (seconds) on the route, or in \"QoSOptions\" (milliseconds)"
)

// inventedName returns the invention that a name is one of.
func inventedName(name string) (invention, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, what := range inventions {
		if strings.HasPrefix(name, what.prefix) && name != "resilienceoptions" {
			return what, true
		}
	}
	return invention{}, false
}
