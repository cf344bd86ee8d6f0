// Package proxy runs a plan as a reverse proxy.
//
// A request takes these steps: the route is found (runtime/route), the guards
// of the route judge and change it, the strategies of the route
// (runtime/pipeline) decide whether and how often it is sent, a host is chosen
// (runtime/balance), and a [Transport] sends it and brings the answer, whose
// body is passed on as it comes. What stops a request on the way is answered
// as Ocelot answers it, except for the entries of [Differences].
//
//	p, err := proxy.New(compiled, proxy.Options{})
//	l, err := listen.Open(":8080")
//	err = listen.New(l, p, listen.Options{}).Serve()
//
// Any server of net/http will do, but only one of runtime/listen sees what a
// client really sent, and refuses requests with two readings.
//
// The package enforces no security setting itself: [Options.Guards] does, and
// a route with a setting that nobody enforces is refused, not served open.
package proxy

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/margay-dev/margay/runtime/balance"
	"github.com/margay-dev/margay/runtime/framing"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/route"
)

// Proxy is an http.Handler that serves the requests of a plan, which can be
// replaced while it runs. Make one with New; it is safe for concurrent use.
type Proxy struct {
	options    Options
	pipelines  *pipeline.Set
	transports *transports
	balancers  balance.Set
	names      balance.DNS
	buffers    sync.Pool // of *[copySize]byte, for bodies on their way to clients
	exchanges  sync.Pool // of *Exchange: for routes that recycle
	current    atomic.Pointer[gateway]

	swapping sync.Mutex // held while a plan is replaced
	upgrades upgrades
}

// New returns a proxy for p, which must not be changed afterwards. The error is
// a *plan.InvalidError that names every problem of the plan.
func New(p *plan.Plan, o Options) (*Proxy, error) {
	x := &Proxy{options: o, transports: newTransports(&o)}
	x.names.Resolver, x.balancers.MaxServices = o.Resolver, o.MaxServices
	set, err := pipeline.NewSet(p, x.strategies())
	if err != nil {
		return nil, err
	}
	x.pipelines = set
	next, err := x.compile(p)
	if err != nil {
		return nil, err
	}
	x.publish(next)
	return x, nil
}

// strategies are the options of the pipelines.
func (p *Proxy) strategies() pipeline.Options {
	return pipeline.Options{Observer: p.options.Observer, OnObserverPanic: p.options.OnObserverPanic,
		Fallback: p.options.Fallback, MaxServices: p.options.MaxServices, Random: p.options.Random}
}

// Swap replaces the plan. Requests that are on their way finish under the old
// one; breakers, budgets, limiters, balancers and connections of unchanged
// routes go on. A plan that is refused, with a *plan.InvalidError, changes
// nothing.
func (p *Proxy) Swap(next *plan.Plan) error {
	p.swapping.Lock()
	defer p.swapping.Unlock()
	var compiled *gateway
	err := p.pipelines.SwapIf(next, func() (err error) { // which checks the plan, once
		compiled, err = p.compile(next)
		return err
	})
	if err != nil {
		return err
	}
	p.publish(compiled)
	return nil
}

// publish puts a compiled plan in force, whose pipelines are.
func (p *Proxy) publish(g *gateway) {
	for i := range g.routes {
		g.routes[i].pipeline = p.pipelines.Pipeline(g.routes[i].plan.ID)
	}
	p.current.Store(g)
	p.transports.keep(g)
	p.balancers.Keep(g.uses)
}

// Plan returns the plan in force. It must not be changed.
func (p *Proxy) Plan() *plan.Plan { return p.current.Load().plan }

// Pipelines returns the pipelines of the routes, to look at their breakers or
// to move them by hand.
func (p *Proxy) Pipelines() *pipeline.Set { return p.pipelines }

// Table returns the routing table of the plan in force.
func (p *Proxy) Table() *route.Table { return p.current.Load().table }

// Refused returns the routes and aggregates of the plan in force that are not
// served because a setting of theirs is not enforced, in the order of the plan.
// Requests for them are answered with 503.
func (p *Proxy) Refused() []Refusal { return p.current.Load().refused }

// Drain waits until the upgraded connections have ended, for which
// http.Server.Shutdown does not wait, or until ctx is done; then it cuts those
// that are left and returns the cause of ctx.
func (p *Proxy) Drain(ctx context.Context) error { return p.upgrades.drain(ctx) }

// Close cuts upgraded connections and closes idle ones to the backends. Call it
// when no request is served any more.
func (p *Proxy) Close() error {
	p.upgrades.cut()
	p.transports.close()
	return nil
}

// errNoPlanRoute is the outcome of a request that no route takes.
var errNoPlanRoute = pipeline.ErrNoRoute

// ServeHTTP answers one request of a client.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g := p.current.Load()
	x := newExchange(p, g, w, r)
	defer x.finish()
	if err := x.find(); err != nil {
		x.fail(err)
		return
	}
	response, err := x.served.serve(x)
	if err != nil {
		x.fail(err)
		return
	}
	x.write(response)
}

// find decides which route takes the request.
func (x *Exchange) find() (err error) {
	if err := x.parse(); err != nil {
		return err
	}
	x.asked = route.Request{Method: x.Request.Method, Host: x.Request.Host, Target: x.Target, Header: x.Request.Header}
	if x.Match, err = x.gateway.table.Match(&x.asked); err != nil {
		if errors.Is(err, route.ErrNoRoute) {
			return errNoPlanRoute
		}
		return &StatusError{Status: http.StatusInternalServerError, Err: err}
	}
	if aggregate := x.Match.Aggregate(); aggregate != nil {
		x.Aggregate = aggregate
		x.served = &x.gateway.aggregates[x.Match.Index()]
		return nil
	}
	x.Route = x.Match.Route()
	x.served = &x.gateway.routes[x.Match.Index()]
	return nil
}

// parse reads the request line and the host as Kestrel and Ocelot do: what is no
// path or no host is refused.
func (x *Exchange) parse() (err error) {
	r := x.Request
	if refused := framing.OfRequest(r); refused != 0 {
		return &StatusError{Status: refused.Status(), Header: http.Header{"Connection": {"close"}}, Err: refused}
	}
	if r.Method != http.MethodConnect {
		if x.Target, err = route.ParseTarget(r.RequestURI); err == nil && x.Target.Path() == "" {
			return misdirected(r)
		}
	} else {
		err = errTunnel
	}
	switch {
	case err != nil:
	case !validHost(r.Host):
		err = errHost
	case !mappable(r.Host):
		return &StatusError{Status: http.StatusNotFound, Err: errHost}
	default:
		return nil
	}
	return &StatusError{Status: http.StatusBadRequest, Header: http.Header{"Connection": {"close"}}, Err: err}
}

var (
	errTunnel = errors.New("a gateway opens no tunnels")
	errHost   = errors.New("the Host header is malformed")
)

// misdirected is the answer to a target that only another method may have:
// "*" is for OPTIONS (pick-method/068), an authority for CONNECT
// (raw-catchall/162).
func misdirected(r *http.Request) error {
	allowed := http.MethodConnect
	if r.RequestURI == "*" {
		allowed = http.MethodOptions
	}
	if r.Method == allowed {
		return errNoPlanRoute
	}
	return &StatusError{Status: http.StatusMethodNotAllowed, Header: http.Header{"Connection": {"close"}, "Allow": {allowed}}}
}
