package balance

import (
	"sync"

	"github.com/margay-dev/margay/runtime/plan"
)

// Set keeps balancers by name, so that they outlive a plan. The zero value is
// ready for use.
type Set struct {
	mu  sync.Mutex
	all map[string]kept // guarded by mu
}

// kept is a balancer with what it was made of.
type kept struct {
	of       plan.LoadBalancer
	balancer *Balancer
}

// Of returns the balancer of a route, or of whatever else has the name: the one that it shares, the
// one that it had before if its options are equal, or a new one.
func (s *Set) Of(name string, o plan.LoadBalancer) (*Balancer, error) {

	if o.Share != "" {
		name = "shared " + o.Share
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if k, ok := s.all[name]; ok && k.of == o {
		return k.balancer, nil
	}
	made, err := New(o)
	if err != nil {
		return nil, err
	}
	if s.all == nil {
		s.all = map[string]kept{}
	}
	s.all[name] = kept{o, made}
	return made, nil
}

// Keep forgets the balancers that are not in use.
func (s *Set) Keep(inUse func(*Balancer) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, k := range s.all {
		if !inUse(k.balancer) {
			delete(s.all, name)
		}
	}
}
