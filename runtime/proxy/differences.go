package proxy

import "github.com/margay-dev/margay/runtime/route"

// Differences returns every place where the proxy answers otherwise than Ocelot
// 25.0 on purpose, those of routing first. The tests that replay recordings
// excuse an answer only by an ID of this list, and only if it is the one that
// Margay promises.
func Differences() []route.Difference {
	return append(route.Differences(),
		route.Difference{
			ID:     "truncated-body",
			Ocelot: "finishes a backend's body that broke off as if it were complete",
			Margay: "passes the break on: the connection ends before the last byte or chunk",
		},
		route.Difference{
			ID:     "upgrade-unprotected",
			Ocelot: "lets WebSocket upgrades skip authentication, rate limits, header transforms, breaker and timeouts",
			Margay: "puts the handshake through all of them",
		},
		route.Difference{
			ID:     "upgrade-status",
			Ocelot: "answers errors of an upgrade with 200",
			Margay: "answers with the status that an ordinary request gets",
		},
		route.Difference{
			ID:     "port-from-host",
			Ocelot: "takes the port of the client's Host header for a backend with port 0",
			Margay: "takes the default port of the scheme",
		},
		route.Difference{
			ID:     "hidden-resend",
			Ocelot: "sends a request without body up to four times, DELETE too",
			Margay: "sends it at most once more, for idempotent methods, when a reused connection was closed before any byte",
		},
		route.Difference{
			ID:     "client-trips",
			Ocelot: "counts a client's own faults as failures of the backend",
			Margay: "ignores them",
		},
		route.Difference{
			ID:     "leaked-probe",
			Ocelot: "never gets back the place of a probe that was cancelled (H02)",
			Margay: "frees it, at the latest when the probe's lease is over",
		},
		route.Difference{
			ID:     "late-result",
			Ocelot: "lets the result of a call from an earlier period move the circuit (H03)",
			Margay: "drops it",
		},
		route.Difference{
			ID:     "outer-uncounted",
			Ocelot: "ignores the outer timeout (builtin) or counts it as a success (Polly)",
			Margay: "counts it as a failure, unless it runs as Ocelot 23.2 to 24.0, where no timeout is one",
		},
		route.Difference{
			ID:     "abort-counted",
			Ocelot: "with Polly, counts a client's abort as a success, which closes a probe and thins the ratio",
			Margay: "ignores it",
		},
		route.Difference{
			ID:     "reload-state",
			Ocelot: "loses the state of breakers on a reload (builtin) or keeps their old options (Polly)",
			Margay: "keeps the state where the breaker is unchanged; new options apply at once",
		},
		route.Difference{
			ID:     "reload-invalid",
			Ocelot: "answers 500 to everything after an invalid reload, or ends",
			Margay: "keeps the old plan",
		},
		route.Difference{
			ID:     "retry-after",
			Ocelot: "does not say when to come back to an open circuit",
			Margay: "says so in whole seconds",
		},
		route.Difference{
			ID:     "reason-phrase",
			Ocelot: "copies the backend's reason phrase, or writes one of its own",
			Margay: "writes the standard text of the status",
		},
		route.Difference{
			ID:     "trailers",
			Ocelot: "drops trailers",
			Margay: "passes them on",
		},
		route.Difference{
			ID:     "interim",
			Ocelot: "drops responses with 1xx",
			Margay: "passes them on",
		},
		route.Difference{
			ID:     "reset-content",
			Ocelot: "leaves the client hanging when a 205 comes with a body",
			Margay: "drops the body",
		},
		route.Difference{
			ID:     "leased-before-asked",
			Ocelot: "moves the balancer on for calls that an open circuit rejects (H22)",
			Margay: "asks the breaker first",
		},
		route.Difference{
			ID:     "cached-open",
			Ocelot: "caches answers of an open circuit",
			Margay: "never does; nor answers to authenticated requests, unless the response allows it",
		},
		route.Difference{
			ID:     "hop-by-hop",
			Ocelot: "forwards hop-by-hop headers; takes a Content-Length beside chunks, other codings than chunks, chunks in HTTP/1.0, lines without a carriage return, control characters and other lax lines",
			Margay: "follows RFC 9112: removes such headers, and upgrades to no protocol but WebSockets; answers 400 to a request with two readings and closes the connection",
		},
		route.Difference{
			ID:     "expectation",
			Ocelot: "forwards every Expect header",
			Margay: "answers 417 to an expectation other than 100-continue",
		},
		route.Difference{
			ID:     "malformed-response",
			Ocelot: "passes on, or answers 500 to, responses that break the rules of HTTP/1.1",
			Margay: "answers 502 where the end of the response is not certain, or its status or a header is malformed",
		},
		route.Difference{
			ID:     "obs-text",
			Ocelot: "answers 400 to bytes beyond ASCII in a header of the client, 500 in one of the backend",
			Margay: "passes them on",
		},
		route.Difference{
			ID:     "unusable-value",
			Ocelot: "takes a value that cannot work, such as the method \"A B\", and fails on requests",
			Margay: "refuses the configuration, with a finding",
		},
		route.Difference{
			ID:     "first-options",
			Ocelot: "serves routes that share a sticky cookie with the hosts and the options of the one that was asked first",
			Margay: "serves each with its own",
		},
		route.Difference{
			ID:     "namespace-turns",
			Ocelot: "takes turns once for all dynamic services of one name, so that the requests for one namespace decide which host the other's get",
			Margay: "takes turns for each by itself",
		},
		route.Difference{
			ID:     "missing-provider",
			Ocelot: "answers 404 to the first request for a dynamic service with QoS where no provider is registered",
			Margay: "serves it, without QoS",
		},
		route.Difference{
			ID:     "early-release",
			Ocelot: "counts a request to LeastConnection until its headers are here",
			Margay: "counts it until its body is over",
		},
		route.Difference{
			ID:     "header-injection",
			Ocelot: "lets a line break in a configured value inject a header",
			Margay: "refuses the configuration",
		},
		route.Difference{
			ID:     "aggregate-text",
			Ocelot: "pastes a member's plain-text failure into JSON, with an odd reason phrase",
			Margay: "makes it a JSON object, with the standard reason phrase",
		},
		route.Difference{
			ID:     "shared-cookies",
			Ocelot: "shares a backend's cookies between all clients where UseCookieContainer is set",
			Margay: "refuses the route",
		},
		route.Difference{
			ID:     "retry-after-fraction",
			Ocelot: "writes fractions of seconds into Retry-After of a rate limit",
			Margay: "writes whole seconds, rounded up",
		},
		route.Difference{
			ID:     "dead-host",
			Ocelot: "stays on a dead host with LeastConnection",
			Margay: "skips a host that refuses for a moment while others answer",
		},
	)
}
