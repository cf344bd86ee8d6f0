package guard

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/runtime/guard/ratelimit"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

var (
	errQuota   = errors.New("the client is over its rate limit")
	errUnnamed = errors.New("the client does not say who it is, which its rate limit asks for")
)

func (b *builder) rateLimit() {
	rule := b.route.RateLimit
	if rule == nil {
		return
	}
	b.add(&limit{set: b.set, rule: rule, route: b.route, limiter: ratelimit.New(b.set.clients, rule), header: b.header(),
		client: http.CanonicalHeaderKey(rule.ClientHeader)})
}

// limit turns clients away that come too often.
type limit struct {
	set     *Set
	rule    *plan.RateLimit
	route   *plan.Route
	limiter *ratelimit.Limiter
	header  func(*proxy.Exchange) http.Header
	client  string
}

// Serve counts the request. Every answer to an admitted one says how much is
// left, whoever gives it (rl-before-auth, rl-dead).
func (g *limit) Serve(x *proxy.Exchange, next proxy.Next) (*http.Response, error) {
	d := g.take(x, strings.Join(g.header(x)[g.client], ","))
	switch d.Outcome {
	case ratelimit.Exceeded:
		return nil, g.refuse(x, g.rule.StatusCode, g.limiter.Message(d), d, errQuota)
	case ratelimit.Unknown:
		return nil, g.refuse(x, http.StatusServiceUnavailable, g.limiter.UnknownMessage(g.name(x)), d, errUnnamed)
	case ratelimit.Admitted:
		if g.rule.Headers {
			g.announce(x.Answer(), d)
		}
	}
	return next(x)
}

// take counts for the route, or for the service that an unlisted one is asked
// for: in Ocelot each service is a route.
func (g *limit) take(x *proxy.Exchange, client string) ratelimit.Decision {
	if g.route.Match.Kind != plan.Unlisted {
		return g.limiter.Take(client)
	}
	service, namespace := x.Match.Service()
	return g.limiter.TakeFor(namespace+"."+service, client)
}

// name returns what Ocelot calls the route (DownstreamRoute.Name).
func (g *limit) name(x *proxy.Exchange) string {
	if g.route.Match.Kind != plan.Unlisted {
		return g.route.Name
	}
	service, namespace := x.Match.Service()
	return namespace + ":" + service + ":" + x.Target.Path()
}

func (g *limit) announce(h http.Header, d ratelimit.Decision) {
	values := []string{strconv.FormatInt(g.rule.Limit, 10), strconv.FormatInt(d.Remaining, 10), ratelimit.ResetText(d.Reset)}
	h["X-Ratelimit-Limit"], h["X-Ratelimit-Remaining"], h["X-Ratelimit-Reset"] = values[0:1:1], values[1:2:2], values[2:3:3]
}

func (g *limit) refuse(x *proxy.Exchange, status int, body string, d ratelimit.Decision, reason error) error {
	g.set.options.Judged(x, reason)
	out := &proxy.StatusError{Status: status, Body: body, Err: reason}
	if g.rule.Headers {
		out.Header = http.Header{"Retry-After": {ratelimit.RetryAfter(d)}}
	}
	return out
}
