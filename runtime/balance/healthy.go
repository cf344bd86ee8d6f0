package balance

import (
	"net/http"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/health"
)

// Choice is a host that was chosen among those that are well.
type Choice struct {
	// Host is nil where there is none to choose.
	Host *Host
	// Permit takes what the attempt came to. It takes nothing where no host is
	// well: then they all are as good as without judging them.
	Permit breaker.Permit
	// State is that of the host: breaker.HalfOpen where the request is its probe,
	// breaker.Open where no host is well.
	State breaker.State
	// Skipped is how many hosts were passed over.
	Skipped int
}

// Key returns the name under which the host is judged.
func (h *Host) Key() health.Key { return health.Key{Scheme: h.Scheme, Address: h.Address} }

// PickHealthy is Pick among the hosts that are well, and those whose probe is
// due; among all where there is none. A session whose host is not well moves to
// another one.
func (b *Balancer) PickHealthy(hosts []*Host, r *http.Request, known *health.Hosts) Choice {
	candidates := hosts
	if known.Troubled() {
		candidates = admitted(hosts, known)
	}
	for len(candidates) > 0 {
		host := b.Pick(candidates, r)
		seen := known.Of(host.Key())
		if permit, err := seen.Acquire(); err == nil {
			return Choice{Host: host, Permit: permit, State: seen.State(), Skipped: len(hosts) - len(candidates)}
		}
		host.Release() // it failed just now, or another request is its probe
		candidates = without(candidates, host)
	}
	return Choice{Host: b.Pick(hosts, r), State: breaker.Open}
}

// admitted returns the hosts that a call may go to; hosts itself if all.
func admitted(hosts []*Host, known *health.Hosts) []*Host {
	for i, h := range hosts {
		if known.Of(h.Key()).Admits() {
			continue
		}
		left := append(make([]*Host, 0, len(hosts)-1), hosts[:i]...)
		for _, h := range hosts[i+1:] {
			if known.Of(h.Key()).Admits() {
				left = append(left, h)
			}
		}
		return left
	}
	return hosts
}

func without(hosts []*Host, one *Host) []*Host {
	left := make([]*Host, 0, len(hosts))
	for _, h := range hosts {
		if h != one {
			left = append(left, h)
		}
	}
	return left
}
