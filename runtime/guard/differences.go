package guard

import (
	"github.com/margay-dev/margay/runtime/proxy"
	"github.com/margay-dev/margay/runtime/route"
)

// Differences returns every place where a proxy with guards answers otherwise
// than Ocelot 25.0 on purpose, those of the proxy first. The tests that replay
// recordings excuse an answer only by an ID of this list, and only if it is the
// one that Margay promises.
func Differences() []route.Difference {
	return append(proxy.Differences(),
		route.Difference{
			ID:     "unenforced",
			Ocelot: "passes over settings that it cannot read, such as an address pattern, and admits everybody; answers 500 for a load balancer that it does not know",
			Margay: "refuses the route, and answers 503",
		},
		route.Difference{
			ID:     "mapped-address",
			Ocelot: "tells ::ffff:10.0.0.1 from 10.0.0.1, so that how the server listens decides which pattern counts",
			Margay: "takes both for one address",
		},
		route.Difference{
			ID:     "look-alike",
			Ocelot: "passes on the client's X_User beside the X-User that it writes from a claim, a transform or a setting, which many backends do not tell apart",
			Margay: "takes such headers of the client away",
		},
		route.Difference{
			ID:     "header-case",
			Ocelot: "finds the header that a transform of responses names only in the same letter case",
			Margay: "finds it in any, as HTTP has it",
		},
		route.Difference{
			ID:     "framing-transform",
			Ocelot: "lets a transform write Content-Length, Transfer-Encoding or the headers of one connection, which breaks the message",
			Margay: "leaves them alone",
		},
		route.Difference{
			ID:     "non-ascii-value",
			Ocelot: "answers 400 or 500 where a transform writes a letter beyond ASCII",
			Margay: "sends it in UTF-8",
		},
		route.Difference{
			ID:     "message-braces",
			Ocelot: "answers 500 over the limit where the message holds a brace",
			Margay: "sends the message with its brace",
		},
		route.Difference{
			ID:     "quota-status",
			Ocelot: "answers 500 and leaves the client hanging where the status over the limit allows no body",
			Margay: "sends the status alone",
		},
		route.Difference{
			ID:     "claim-injection",
			Ocelot: "pastes a claim into the query as it is, so that an ampersand in it adds parameters",
			Margay: "encodes it: a claim stays one value",
		},
		route.Difference{
			ID:     "claim-header-case",
			Ocelot: "leaves a header that the client sent in another letter case beside the one that a claim writes",
			Margay: "replaces it",
		},
		route.Difference{
			ID:     "preflight-method",
			Ocelot: "lets OPTIONS skip authentication and claims although the backend is then asked with DownstreamHttpMethod",
			Margay: "asks who it is",
		},
		route.Difference{
			ID:     "cache-key",
			Ocelot: "joins the parts of a cache key by dashes, so that one request can be taken for another, and shares answers between routes with the same URL, members of an aggregate among them",
			Margay: "keeps the parts apart, and answers with their route",
		},
		route.Difference{
			ID:     "cached-variant",
			Ocelot: "gives an answer that varies with headers of the request (Vary) to everybody",
			Margay: "keeps one for each of their values",
		},
		route.Difference{
			ID:     "cached-cookie",
			Ocelot: "gives the cookies that a kept answer sets to every client",
			Margay: "gives them to the first one alone",
		},
		route.Difference{
			ID:     "cached-private",
			Ocelot: "gives an answer that says it is for one client (Cache-Control: private) to everybody",
			Margay: "does not keep it",
		},
		route.Difference{
			ID:     "cached-part",
			Ocelot: "keeps the answer to a request for a range, or under a condition, for everybody",
			Margay: "does not keep it",
		},
		route.Difference{
			ID:     "aggregate-body",
			Ocelot: "loses the body of a request to an aggregate when it comes in chunks, and shares a large one between the members",
			Margay: "sends the whole body to every member",
		},
	)
}
