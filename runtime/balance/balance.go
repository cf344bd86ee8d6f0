// Package balance chooses one of several hosts for a request.
//
// A [Balancer] is one of Ocelot's four: NoLoadBalancer, RoundRobin,
// LeastConnection and CookieStickySessions, with its counters and sessions. A
// [Set] keeps balancers by name, so that they outlive a plan and are shared by
// the routes that Ocelot has share one. Hosts come from a route, from a list of
// services or from a [Discovery], such as [DNS].
//
// Choosing costs no lock, except for LeastConnection and new sessions. With the
// health of hosts, [Balancer.PickHealthy] passes over those that fail.
package balance

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
)

// Host is one host that a balancer may choose, with what it knows of it.
type Host struct {
	// Scheme is "http" or "https"; empty is the client's.
	Scheme string
	// Address is "host:port".
	Address string
	// Header is what the Host header says: the address, without the default port
	// of the scheme.
	Header string

	balancer *Balancer
	leases   atomic.Int64
	shunned  atomic.Int64 // until when it is skipped, in Unix nanoseconds
}

// Leases returns the number of requests that hold the host. Only
// LeastConnection counts them.
func (h *Host) Leases() int64 { return h.leases.Load() }

// Release gives a choice back when its response, body included, is over.
func (h *Host) Release() {
	if h.balancer.counts {
		h.leases.Add(-1)
	}
}

// shunning is how long a host that refuses connections is skipped.
const shunning = time.Second

// Refused says that the host took no connection. LeastConnection, to which such
// a host would look idle, skips it for a moment while others are left.
func (h *Host) Refused() {
	if h.balancer.counts {
		h.shunned.Store(time.Now().Add(shunning).UnixNano())
	}
}

// Balancer chooses among hosts. It is safe for concurrent use; a Set makes it.
type Balancer struct {
	kind   kind
	counts bool // leases matter

	next     atomic.Uint64
	sessions sessions

	mu    sync.Mutex
	hosts []*Host           // guarded by mu: those that were asked for
	index map[hostKey]*Host // guarded by mu: nil while they are few
}

type hostKey struct{ scheme, address string }

// few is the number of hosts that are looked through one by one.
const few = 16

// kind is the way of choosing.
type kind func(b *Balancer, hosts []*Host, r *http.Request) *Host

// UnknownError is the name of a balancer that only the gateway's application
// knows. Ocelot answers 500 where nothing is registered under it, and where the
// case differs (lb-unknown, lb-lower).
type UnknownError struct{ Type string }

// Error says which.
func (e *UnknownError) Error() string { return fmt.Sprintf("load balancer %q is unknown", e.Type) }

// New returns a balancer, or an [*UnknownError].
func New(o plan.LoadBalancer) (*Balancer, error) {
	b := &Balancer{}
	switch o.Type {
	case "", "NoLoadBalancer":
		b.kind = first
	case "RoundRobin":
		b.kind = roundRobin
	case "LeastConnection":
		b.kind, b.counts = leastConnection, true
	case "CookieStickySessions":
		b.kind = sticky
		b.sessions.init(o.Key, o.Expiry.Duration())
	default:
		return nil, &UnknownError{o.Type}
	}
	return b, nil
}

// Host returns the host of an address as the balancer knows it: the same for
// the same scheme and address. Without a port it is the default one of the
// scheme; "ws" and "wss" are "http" and "https".
func (b *Balancer) Host(scheme string, h plan.Host) *Host {
	switch scheme {
	case "ws":
		scheme = "http"
	case "wss":
		scheme = "https"
	}
	address, header := addresses(scheme, h)
	b.mu.Lock()
	defer b.mu.Unlock()
	if known := b.known(scheme, address); known != nil {
		return known
	}
	if len(b.hosts) >= maxHosts { // they come and go where name servers know them
		b.hosts, b.index = nil, nil
	}
	made := &Host{Scheme: scheme, Address: address, Header: header, balancer: b}
	b.hosts = append(b.hosts, made)
	if b.index != nil {
		b.index[hostKey{scheme, address}] = made
	}
	return made
}

// known returns a host that was asked for before. The lock is held.
func (b *Balancer) known(scheme, address string) *Host {
	if len(b.hosts) > few {
		if b.index == nil {
			b.index = make(map[hostKey]*Host, 2*len(b.hosts))
			for _, h := range b.hosts {
				b.index[hostKey{h.Scheme, h.Address}] = h
			}
		}
		return b.index[hostKey{scheme, address}]
	}
	for _, h := range b.hosts {
		if h.Address == address && h.Scheme == scheme {
			return h
		}
	}
	return nil
}

// Hosts is Host for several.
func (b *Balancer) Hosts(scheme string, list []plan.Host) []*Host {
	out := make([]*Host, len(list))
	for i, h := range list {
		out[i] = b.Host(scheme, h)
	}
	return out
}

// maxHosts bounds the hosts that a balancer knows.
const maxHosts = 10_000

// addresses returns where a host is asked, and what it is called in Host. An IPv6
// address may stand in brackets.
func addresses(scheme string, h plan.Host) (address, header string) {
	standard := 80
	if scheme == "https" {
		standard = 443
	}
	port := h.Port
	if port == 0 {
		port = standard
	}
	suffix := strconv.Itoa(port)
	address = net.JoinHostPort(canonicalName(strings.Trim(h.Name, "[]")), suffix)
	if header = address; port == standard {
		header = address[:len(address)-len(suffix)-1]
	}
	return address, header
}

// Pick chooses one of the hosts for a request of a client; nil if there is
// none. Who got one releases it.
func (b *Balancer) Pick(hosts []*Host, r *http.Request) *Host {
	if len(hosts) == 0 {
		return nil
	}
	return b.kind(b, hosts, r)
}

func first(_ *Balancer, hosts []*Host, _ *http.Request) *Host { return hosts[0] }

func roundRobin(b *Balancer, hosts []*Host, _ *http.Request) *Host {
	return hosts[(b.next.Add(1)-1)%uint64(len(hosts))]
}

// leastConnection takes the host with the fewest leases, the first of several
// (lb-lc/001). The lock makes looking and taking one step.
func leastConnection(b *Balancer, hosts []*Host, _ *http.Request) *Host {
	now := time.Now().UnixNano()
	b.mu.Lock()
	defer b.mu.Unlock()
	var best, shunned *Host
	for _, h := range hosts {
		of := &best
		if h.shunned.Load() > now {
			of = &shunned
		}
		if *of == nil || h.leases.Load() < (*of).leases.Load() {
			*of = h
		}
	}
	if best == nil {
		best = shunned
	}
	best.leases.Add(1)
	return best
}

// canonicalName returns the name of a host as System.Uri writes it: in lower
// case, and the short forms of an address in full (host-upper/001,
// host-ipshort/001).
func canonicalName(name string) string {
	name = strings.ToLower(name)
	parts := strings.Split(name, ".")
	if len(parts) > 4 {
		return name
	}
	var address uint64
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 0, 32)
		last := i == len(parts)-1
		switch {
		case err != nil || strings.Contains(part, "_") || !last && n > 255 || last && n >= 1<<(8*(5-len(parts))):
			return name
		case last:
			address |= n
		default:
			address |= n << (8 * (3 - i))
		}
	}
	return net.IPv4(byte(address>>24), byte(address>>16), byte(address>>8), byte(address)).String()
}
