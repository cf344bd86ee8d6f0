// Package guard enforces what a plan says of a route beside where it leads and
// how it fails: which addresses may come, how often, who has to be known, what
// is changed in headers, which answers are kept, and how aggregates join the
// answers of their members.
//
// A [Set] gives a proxy the guards of every route, outermost first, in the
// order of Ocelot's middlewares:
//
//	client addresses → header transforms → rate limit → request id →
//	authentication, claims → output cache
//
// It fails closed. Whatever it cannot enforce, because nothing says who signs
// the tokens of a scheme, because an address list cannot be read, because only
// code of the gateway's application could do it, it names as unenforced, and
// the proxy then refuses the route instead of serving it open.
//
//	guards, err := guard.New(guard.Options{Schemes: schemes})
//	p, err := proxy.New(compiled, proxy.Options{Guards: guards.Guards, Aggregates: guards.Aggregates})
package guard

import (
	"context"
	"net/http"

	"github.com/margay-dev/margay/runtime/guard/bearer"
	"github.com/margay-dev/margay/runtime/guard/cache"
	"github.com/margay-dev/margay/runtime/guard/claims"
	"github.com/margay-dev/margay/runtime/guard/ratelimit"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

// Scheme recognises clients. It must be safe for concurrent use.
type Scheme interface {
	// Recognise returns what is known of a client by the value of its
	// Authorization header, or an error that says why it is not recognised.
	// Clients never see the error.
	Recognise(ctx context.Context, authorization string) (claims.Claims, error)
}

// Options are what a plan does not say. The zero value knows no scheme.
type Options struct {
	// Schemes are the authentication schemes by their names, which are compared
	// with regard to case.
	Schemes map[string]Scheme
	// MaxClients bounds the clients that rate limits know; 0:
	// [ratelimit.DefaultMaxClients].
	MaxClients int
	// Cache bounds the output cache of all routes together.
	Cache cache.Options
	// MaxBufferedBody is the largest body in bytes that is read into memory where
	// a guard needs the whole: a request that goes to several members or whose
	// content is hashed, a member's answer. 0: [DefaultMaxBufferedBody].
	MaxBufferedBody int64
	// Judged is told of every client that was not recognised or not let in, with
	// the reason. Nil: nobody.
	Judged func(x *proxy.Exchange, reason error)
}

// DefaultMaxBufferedBody is the bound where nothing is set: 8 MiB.
const DefaultMaxBufferedBody = 8 << 20

// Set makes guards for the routes of plans. What guards count and keep belongs
// to the set and outlives a plan. It is safe for concurrent use.
type Set struct {
	options Options
	clients *ratelimit.Store
	answers *cache.Store
}

// New returns a set.
func New(o Options) *Set {
	if o.MaxBufferedBody <= 0 {
		o.MaxBufferedBody = DefaultMaxBufferedBody
	}
	if o.Judged == nil {
		o.Judged = func(*proxy.Exchange, error) {}
	}
	return &Set{options: o, clients: ratelimit.NewStore(o.MaxClients), answers: cache.NewStore(o.Cache)}
}

// With returns a set with other schemes that counts and keeps together with s.
// A scheme of an issuer with the settings of before goes on with the keys that
// were fetched: the issuer may be out of reach at this moment.
func (s *Set) With(schemes map[string]Scheme) *Set {
	other := *s
	other.options.Schemes = make(map[string]Scheme, len(schemes))
	for name, scheme := range schemes {
		next, isBearer := scheme.(*bearer.Scheme)
		before, wasBearer := s.options.Schemes[name].(*bearer.Scheme)
		if isBearer && wasBearer {
			scheme = next.After(before)
		}
		other.options.Schemes[name] = scheme
	}
	return &other
}

// Answers returns the output cache, to look at it or to clear a region.
func (s *Set) Answers() *cache.Store { return s.answers }

// Guards returns what stands in front of a route, and what it does not enforce.
// It is meant for proxy.Options.Guards. The error is always nil.
func (s *Set) Guards(p *plan.Plan, r *plan.Route) ([]proxy.Guard, []proxy.Unenforced, error) {
	b := builder{set: s, plan: p, route: r}
	b.addresses()
	b.headers()
	b.rateLimit()
	b.requestID()
	b.identity()
	b.cache()
	b.foreign()
	return b.guards, b.missing, nil
}

// builder collects the guards of one route.
type builder struct {
	set     *Set
	plan    *plan.Plan
	route   *plan.Route
	guards  []proxy.Guard
	missing []proxy.Unenforced
	changed bool // request headers are, before the guards that follow
}

func (b *builder) add(g proxy.Guard) { b.guards = append(b.guards, g) }

func (b *builder) lacks(setting, reason string) {
	b.missing = append(b.missing, proxy.Unenforced{Setting: setting, Reason: reason})
}

// header returns the request's header as the guards that follow see it. The
// client's own is left alone where nothing changes it.
func (b *builder) header() func(*proxy.Exchange) http.Header {
	if b.changed {
		return (*proxy.Exchange).Header
	}
	return func(x *proxy.Exchange) http.Header { return x.Request.Header }
}

// foreign names what only the gateway's application could do.
func (b *builder) foreign() {
	if len(b.route.Handlers) > 0 {
		b.lacks("handlers", "DelegatingHandlers are code of the gateway's application: "+list(b.route.Handlers))
	}
	if kind := b.route.LoadBalancer.Type; !isBalancer(kind) {
		b.lacks("load-balancer", "LoadBalancerOptions.Type "+quote(kind)+" is none of Ocelot's own")
	}
}

func isBalancer(kind string) bool {
	switch kind {
	case "", "NoLoadBalancer", "RoundRobin", "LeastConnection", "CookieStickySessions":
		return true
	}
	return false
}
