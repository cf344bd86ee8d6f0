package emit

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/profile"
)

// guarded are the answers of what decides who may call, and how often.
func (c *collector) guarded() {
	p := &c.plan
	if x := p.RateLimit; x != nil {
		c.add(RateLimited, profile.Answer{Status: x.StatusCode}, fmt.Sprintf("the rate limit of %d per %s is used up", x.Limit, x.PeriodText),
			"clients are told apart by the header "+x.ClientHeader+"; the log has QuotaExceededError", "RateLimitOptions")
		c.add(RateLimited, unavailable, "the request has no header "+x.ClientHeader+", by which the rate limit tells clients apart",
			"only clients without the header", "the client")
	}
	if x := p.Authentication; x != nil {
		c.add(Unauthenticated, profile.Answer{Status: 401, Reason: "Unauthorized"}, "authentication by "+strings.Join(x.Schemes, ", ")+" fails",
			"the body is empty; the log has UnauthenticatedError", "the token, its issuer and audience, and the clock")
		if len(x.Scopes) > 0 {
			c.add(Unauthorized, forbidden, "the client has none of the scopes "+strings.Join(x.Scopes, ", "), "the log has ScopeNotAuthorizedError", "AllowedScopes, and the token")
		}
	}
	if p.Claims != nil && len(p.Claims.Required) > 0 {
		c.add(Unauthorized, forbidden, "the client lacks a claim of RouteClaimsRequirement", "the log has ClaimValueNotAuthorizedError or CannotFindClaimError", "RouteClaimsRequirement, and the token")
	}
	if p.ClientIPs != nil {
		c.add(BlockedClient, forbidden, "SecurityOptions: the client's address is blocked or not allowed", "the log has SecurityError", "the address that Ocelot sees, behind a proxy that of the proxy")
	}
}

var forbidden = profile.Answer{Status: 403, Reason: "Forbidden"}

// always are the answers that every route may have.
func (c *collector) always() {
	c.add(ThrownException, c.answers.Thrown, "an exception in a handler, a middleware or a load balancer of the gateway",
		"the body is empty; the log has \"caught in global error handler\" or UnableToCompleteRequestError", "the exception in the log")
	c.add(NoRoute, profile.Answer{Status: 404, Reason: "Not Found"}, "no route takes the request",
		"the log has UnableToFindDownstreamRouteError", "`margay match METHOD URL`")
	c.add(NoHosts, profile.Answer{Status: 404, Reason: "Not Found"}, "no hosts of the service are found",
		"the log has ServicesAreEmptyError", "service discovery")
	c.add(Unmappable, profile.Answer{Status: 404, Reason: "Not Found"}, "the request cannot be turned into one for the service, because of its method or URL",
		"the log has UnmappableRequestError", "DownstreamHttpMethod, and what the client sends")
	c.add(ClientGone, profile.Answer{Status: 499, Reason: "Client Closed Request"}, "the client goes away before the answer",
		"no client sees it; the log has RequestCanceled", "the client's own timeout")
	c.add(RequestTooLarge, profile.Answer{Status: 413, Reason: "Payload Too Large"}, "the body is larger than the server takes",
		"the log has PayloadTooLargeError", "MaxRequestBodySize of the server")
	c.add(BadRequest, profile.Answer{Status: 400, Reason: "Bad Request"}, "a header of the request is not ASCII",
		"the log has BadRequestError", "the client")
	c.add(ServiceItself, profile.Answer{}, "it answers so itself", "the answer has its body and headers", "")
}
