package proxy

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/margay-dev/margay/runtime/balance"
	"github.com/margay-dev/margay/runtime/health"
	"github.com/margay-dev/margay/runtime/plan"
)

// errNoHost is the outcome of a request whose service has no host.
var errNoHost = &StatusError{Status: http.StatusNotFound, Err: errors.New("the service has no host")}

// balancersOf returns the balancer of a route, and that of requests for it which
// state no namespace where the route has one. RoundRobin goes round the hosts of
// one service for all its static routes together (sd-static/001). Routes that are
// found by their service share none. The balancer that takes the first host
// remembers nothing, and one is enough for all.
func (p *Proxy) balancersOf(r *plan.Route) (own, nameless *balance.Balancer, err error) {
	o := r.LoadBalancer
	name := "route " + r.ID
	switch {
	case o.Type == "" || o.Type == "NoLoadBalancer":
		name, o = "none", plan.LoadBalancer{}
	case r.Match.Kind != plan.Static:
		o.Share = ""
	case o.Type == "RoundRobin" && r.Backend.Service != "":
		name = "service " + r.Backend.Service
	}
	if own, err = p.balancers.Of(name, o); err != nil || r.Match.Kind != plan.Dynamic || r.Backend.Namespace == "" {
		return own, own, err
	}
	nameless, err = p.balancers.Of("nameless "+name, o)
	return own, nameless, err
}

// discoveryOf returns what finds the hosts of the services of a plan: the list
// of the plan, then whoever the options name. Service Fabric's gateway is the
// host of all its services (sf-dyn).
func (p *Proxy) discoveryOf(of *plan.Plan) balance.Discovery {
	if d := of.Discovery; d != nil && strings.EqualFold(d.Type, "ServiceFabric") {
		return balance.Always{{Name: d.Host, Port: d.Port}}
	}
	return balance.Either{balance.Services{List: of.Services, DNS: &p.names}, p.options.Discovery}
}

// findHosts finds the hosts of the request's backend.
func (x *Exchange) findHosts() error {
	s := x.served
	if len(s.hosts) > 0 {
		x.hosts = s.hosts
		return nil
	}
	service, namespace := x.service()
	if service == "" && s.plan.Match.Kind == plan.Static {
		return errNoHost
	}
	scheme, found, err := x.gateway.discovery.Find(x.Request.Context(), service, namespace)
	switch {
	case err != nil:
		return err
	case len(found) == 0:
		return errNoHost
	case s.plan.Backend.Scheme != "":
		scheme = s.plan.Backend.Scheme
	}
	x.hosts = x.balancer().Hosts(scheme, found)
	return nil
}

// service returns the service that the request is for.
func (x *Exchange) service() (service, namespace string) {
	if x.served.plan.Match.Kind == plan.Static {
		return x.served.plan.Backend.Service, x.served.plan.Backend.Namespace
	}
	return x.Match.Service()
}

// balancer returns the balancer of the request: each unlisted service has its
// own. It is made after the options of its route, which are known to be good.
// Where one gateway has every service there is nothing to choose.
func (x *Exchange) balancer() *balance.Balancer {
	s := x.served
	if _, all := x.gateway.discovery.(balance.Always); all || s.plan.Match.Kind == plan.Static {
		return s.balancer
	}
	service, namespace := x.Match.Service()
	switch {
	case s.plan.Match.Kind == plan.Unlisted:
	case namespace == "":
		return s.nameless
	default:
		return s.balancer
	}
	b, err := x.proxy.balancers.OfService(service, namespace, s.plan.LoadBalancer)
	if err != nil {
		return s.balancer
	}
	return b
}

// lease chooses a host for an attempt, in place of the last one's.
func (x *Exchange) lease() *balance.Host {
	x.release()
	if x.health == nil {
		x.backend = x.balancer().Pick(x.hosts, x.Request)
	} else {
		x.choice = x.balancer().PickHealthy(x.hosts, x.Request, x.health)
		x.backend = x.choice.Host
	}
	x.leased = true
	return x.backend
}

// forget drops what is known of hosts that a service has no longer.
func (x *Exchange) forget() {
	if len(x.served.hosts) > 0 {
		return // those of a route stay
	}
	keys := make([]health.Key, len(x.hosts))
	for i, h := range x.hosts {
		keys[i] = h.Key()
	}
	x.health.Keep(keys)
}

// release gives the chosen host back.
func (x *Exchange) release() {
	if x.leased {
		x.leased = false
		x.backend.Release()
	}
}

// refused tells a host that took no connection so.
func (x *Exchange) refused(err error) {
	if isRefusal(err) && x.Request.Context().Err() == nil {
		x.backend.Refused()
	}
}

// isRefusal reports whether a host took no connection.
func isRefusal(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

// releaseWith has the host given back at the end of a response.
func (x *Exchange) releaseWith(response *http.Response) *http.Response {
	if response == nil || response.Body == nil {
		x.release()
		return response
	}
	leased := &leasedBody{ReadCloser: response.Body, release: sync.OnceFunc(x.release)}
	if writable, ok := response.Body.(io.Writer); ok {
		response.Body = &leasedConn{leased, writable}
		return response
	}
	response.Body = leased
	return response
}

type leasedBody struct {
	io.ReadCloser
	release func()
}

// Close closes the body and gives the host back, once. Any goroutine may close
// an upgraded connection.
func (b *leasedBody) Close() error {
	b.release()
	return b.ReadCloser.Close()
}

// leasedConn is a connection that went over to another protocol.
type leasedConn struct {
	*leasedBody
	io.Writer
}

// CloseWrite says that nothing more is written, where the connection can.
func (c *leasedConn) CloseWrite() error {
	if half, ok := c.Writer.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// uses reports whether a route has a balancer.
func (g *gateway) uses(b *balance.Balancer) bool { return g.balancers[b] }
