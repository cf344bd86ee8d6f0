package proxy

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/margay-dev/margay/runtime/balance"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/route"
	"github.com/margay-dev/margay/runtime/wire"
)

// gateway is a compiled plan. It does not change once it is in force.
type gateway struct {
	plan       *plan.Plan
	table      *route.Table
	routes     []served // as plan.Routes
	aggregates []served // as plan.Aggregates
	byID       map[string]int
	discovery  balance.Discovery
	balancers  map[*balance.Balancer]bool // in use
	refused    []Refusal
}

// served is a route or an aggregate, ready to take requests.
type served struct {
	plan      *plan.Route // of an aggregate: nil
	pipeline  *pipeline.Pipeline
	serve     Next
	balancer  *balance.Balancer
	nameless  *balance.Balancer // of requests that state no namespace
	hosts     []*balance.Host   // of a service: nil
	transport Transport
	recycles  bool // exchanges are nobody's when they are over
	upgrades  bool // the backend may be spoken to by HTTP/1.1, which knows upgrades
}

// compile makes a plan ready. Nothing that is in force knows of it before it is
// published.
func (p *Proxy) compile(next *plan.Plan) (*gateway, error) {
	table, err := route.New(next)
	if err != nil {
		return nil, err
	}
	c := compiler{proxy: p, gateway: &gateway{plan: next, table: table, routes: make([]served, len(next.Routes)),
		aggregates: make([]served, len(next.Aggregates)), byID: make(map[string]int, len(next.Routes)),
		discovery: p.discoveryOf(next), balancers: map[*balance.Balancer]bool{}}}
	for i := range next.Routes {
		c.route(i)
	}
	for i := range next.Aggregates {
		c.aggregate(i)
	}
	if len(c.problems) > 0 {
		return nil, &plan.InvalidError{Problems: c.problems}
	}
	return c.gateway, nil
}

// compiler collects what is wrong with a plan.
type compiler struct {
	proxy    *Proxy
	gateway  *gateway
	problems []plan.Problem
}

func (c *compiler) route(i int) {
	r := &c.gateway.plan.Routes[i]
	s := &c.gateway.routes[i]
	s.plan = r
	c.gateway.byID[r.ID] = i
	guards, missing, err := c.guards(r)
	if err != nil {
		c.refuse("routes", i, r.ID, err)
		return
	}
	missing = append(missing, c.unsafe(r)...)
	if !c.admit(r.ID, r.At, missing) {
		s.serve = refusal
		return
	}
	if s.balancer, s.nameless, err = c.proxy.balancersOf(r); err != nil {
		unknown := &StatusError{Status: http.StatusInternalServerError, Err: err}
		s.serve = func(*Exchange) (*http.Response, error) { return nil, unknown }
		return
	}
	c.gateway.balancers[s.balancer], c.gateway.balancers[s.nameless] = true, true
	s.hosts = s.balancer.Hosts(r.Backend.Scheme, r.Backend.Hosts)
	s.upgrades = keyOf(&r.Backend).speaksHTTP1()
	s.transport = c.proxy.transports.of(r)
	_, own := s.transport.(*wire.Client) // which keeps nothing of a request
	s.recycles = own && len(guards) == 0 && r.Fallback == nil && r.Chaos == nil
	s.serve = chain(guards, (*Exchange).forward)
}

func (c *compiler) guards(r *plan.Route) ([]Guard, []Unenforced, error) {
	if c.proxy.options.Guards == nil {
		return nil, unguarded(r), nil
	}
	return c.proxy.options.Guards(c.gateway.plan, r)
}

// unsafe returns settings that the proxy itself does not do without consent.
func (c *compiler) unsafe(r *plan.Route) (out []Unenforced) {
	for _, u := range r.Unread {
		name := u.Name
		if u.At != "" {
			name += " at " + u.At
		}
		out = append(out, Unenforced{Setting: u.Setting, Unreadable: true,
			Reason: name + " cannot be read, so that the route would be more open than it was meant"})
	}
	if r.Backend.AnyCertificate && !c.proxy.options.AnyCertificate {
		out = append(out, Unenforced{Setting: "any-certificate",
			Reason: "the route accepts every certificate of its backend, which has to be allowed"})
	}
	if r.Backend.Handler.Cookies {
		out = append(out, Unenforced{Setting: "shared-cookies",
			Reason: "UseCookieContainer would share the backend's cookies between all clients"})
	}
	return out
}

func (c *compiler) aggregate(i int) {
	a := &c.gateway.plan.Aggregates[i]
	s := &c.gateway.aggregates[i]
	var guard Guard
	var missing []Unenforced
	if make := c.proxy.options.Aggregates; make != nil {
		var err error
		if guard, missing, err = make(c.gateway.plan, a); err != nil {
			c.refuse("aggregates", i, a.ID, err)
			return
		}
	}
	missing = append(missing, c.refusedMembers(a)...)
	if guard == nil && len(missing) == 0 {
		missing = []Unenforced{{Setting: "aggregate", Reason: "nothing in this program joins the answers"}}
	}
	if !c.admit(a.ID, a.At, missing) || guard == nil {
		s.serve = refusal
		return
	}
	s.serve = chain([]Guard{guard}, func(*Exchange) (*http.Response, error) { return nil, errNoPlanRoute })
}

// refusedMembers returns what keeps members of an aggregate from being served:
// its answer would lack theirs.
func (c *compiler) refusedMembers(a *plan.Aggregate) (out []Unenforced) {
	for _, m := range a.Members {
		for _, r := range c.gateway.refused {
			if r.ID != m.Route {
				continue
			}
			for _, u := range r.Unenforced {
				u.Reason = "of its member " + m.Route + ": " + u.Reason
				out = append(out, u)
			}
		}
	}
	return out
}

// admit reports whether a route may be served although settings are missing.
func (c *compiler) admit(id, at string, missing []Unenforced) bool {
	missing = slices.DeleteFunc(missing, func(u Unenforced) bool {
		return slices.Contains(c.proxy.options.AllowUnenforced, u.Setting)
	})
	if len(missing) == 0 {
		return true
	}
	c.gateway.refused = append(c.gateway.refused, Refusal{ID: id, At: at, Unenforced: missing})
	return false
}

func (c *compiler) refuse(list string, i int, id string, err error) {
	if invalid, ok := errors.AsType[*plan.InvalidError](err); ok {
		c.problems = append(c.problems, invalid.Problems...)
		return
	}
	c.problems = append(c.problems, plan.Problem{Path: fmt.Sprintf("%s[%d] (%s)", list, i, id), Reason: err.Error()})
}

// errRefused is the outcome of a request for a route that is not served.
var errRefused = &StatusError{Status: http.StatusServiceUnavailable,
	Err: errors.New("the route is not served: a setting of it is not enforced")}

func refusal(*Exchange) (*http.Response, error) { return nil, errRefused }
