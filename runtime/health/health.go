// Package health judges the hosts of one route by what their calls came to, so
// that a balancer passes over a host that fails while others are left.
//
// Each host has a circuit breaker of its own, which takes the verdicts that the
// breaker of the route takes: an open one is a host that is passed over, and a
// half-open one lets a single call through, which decides. It is passive:
// nothing is sent that no client asked for. [Hosts] holds the hosts of a route,
// or of one service of a route; it makes one when it is asked for first and
// forgets those that are listed no longer.
//
// While every host is well, asking costs one look at a counter, one at a map
// and one at a closed breaker; nothing is locked and nothing allocated.
package health

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
)

// Key names a host.
type Key struct {
	// Scheme is "http" or "https"; empty is the client's.
	Scheme string
	// Address is "host:port".
	Address string
}

// String returns the key as a URL; the address alone where the client decides
// on the scheme.
func (k Key) String() string {
	if k.Scheme == "" {
		return k.Address
	}
	return k.Scheme + "://" + k.Address
}

// Options are how hosts are judged. Breaker has to be set.
type Options struct {
	// Breaker judges each host.
	Breaker breaker.Config
	// ProbeLease bounds how long a probe keeps other calls from a host; 0 is no
	// bound.
	ProbeLease time.Duration
	// OnTransition is told when a host is passed over, probed and well again, as
	// breaker.OnTransition says. Nil: nobody is.
	OnTransition func(Key, breaker.Transition)
}

// Hosts are those of one route. They are safe for concurrent use; make them
// with New.
type Hosts struct {
	options  Options
	known    atomic.Pointer[map[Key]*Host] // replaced, never changed
	troubled atomic.Int64                  // how many known ones are not closed

	mu    sync.Mutex    // held while hosts come, go, or change their state
	lease time.Duration // guarded by mu
	kept  []Key         // guarded by mu: what Keep was told last
}

// New returns hosts of which nothing is known: all are well.
func New(o Options) *Hosts {
	h := &Hosts{options: o, lease: o.ProbeLease}
	h.known.Store(&map[Key]*Host{})
	return h
}

// SetProbeLease changes the lease of the next probe of every host.
func (h *Hosts) SetProbeLease(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lease = d
	for _, host := range *h.known.Load() {
		host.breaker.SetProbeLease(d)
	}
}

// Troubled reports whether any host is not well.
func (h *Hosts) Troubled() bool { return h.troubled.Load() > 0 }

// Of returns what is known of a host.
func (h *Hosts) Of(k Key) *Host {
	if known := (*h.known.Load())[k]; known != nil {
		return known
	}
	return h.add(k)
}

func (h *Hosts) add(k Key) *Host {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := *h.known.Load()
	if known := before[k]; known != nil {
		return known
	}
	made := &Host{key: k, of: h}
	made.breaker = breaker.New(h.options.Breaker, breaker.ProbeLease(h.lease), breaker.OnTransition(made.changed))
	after := maps.Clone(before)
	after[k] = made
	h.known.Store(&after)
	return made
}

// Keep forgets the hosts that are not listed: one that comes back is well. It is
// cheap where the list is the same as before.
func (h *Hosts) Keep(listed []Key) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if slices.Equal(h.kept, listed) {
		return
	}
	h.kept = slices.Clone(listed)
	before := *h.known.Load()
	after := make(map[Key]*Host, len(listed))
	for _, k := range listed {
		if host := before[k]; host != nil {
			after[k] = host
		}
	}
	for k, host := range before {
		if after[k] == nil {
			host.leave()
		}
	}
	h.known.Store(&after)
}

// Status is one host at one time.
type Status struct {
	Key
	// State, Until, Failures and Probing are those of the host's breaker: see
	// breaker.Snapshot.
	breaker.Snapshot
	// Opened is how often the host was found failing.
	Opened int64
}

// All returns the hosts that were asked so far, in the order of their names.
func (h *Hosts) All() []Status {
	var all []Status
	for k, host := range *h.known.Load() {
		all = append(all, Status{Key: k, Snapshot: host.breaker.Snapshot(), Opened: host.opened.Load()})
	}
	slices.SortFunc(all, func(a, b Status) int {
		return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(a.Scheme, b.Scheme))
	})
	return all
}
