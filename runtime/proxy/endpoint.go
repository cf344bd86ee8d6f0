package proxy

import (
	"net"
	"strconv"

	"github.com/margay-dev/margay/runtime/plan"
)

// endpoint is one host of a backend.
type endpoint struct {
	scheme  string // http or https; empty: the client's
	address string // host:port
	host    string // what the Host header says
}

func endpoints(b *plan.Backend) []*endpoint {
	out := make([]*endpoint, 0, len(b.Hosts))
	for _, h := range b.Hosts {
		out = append(out, newEndpoint(b.Scheme, h))
	}
	return out
}

// newEndpoint returns the endpoint of a host. Without a port it is the default
// one of the scheme.
func newEndpoint(scheme string, h plan.Host) *endpoint {
	switch scheme {
	case "ws":
		scheme = "http"
	case "wss":
		scheme = "https"
	}
	port, standard := h.Port, 80
	if scheme == "https" {
		standard = 443
	}
	if port == 0 {
		port = standard
	}
	e := &endpoint{scheme: scheme, address: net.JoinHostPort(h.Name, strconv.Itoa(port))}
	e.host = e.address
	if port == standard {
		e.host = e.address[:len(e.address)-len(strconv.Itoa(port))-1]
	}
	return e
}
