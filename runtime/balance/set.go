package balance

import (
	"fmt"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/margay-dev/margay/runtime/plan"
)

// DefaultMaxServices is how many services a Set knows where nothing is set.
const DefaultMaxServices = 1000

// Set keeps balancers by name, so that they outlive a plan. The zero value is
// ready for use; it is safe for concurrent use.
type Set struct {
	// MaxServices is how many balancers OfService keeps; 0 or less is
	// DefaultMaxServices. It must not be changed after the first use.
	MaxServices int

	mu       sync.Mutex
	all      map[setKey]*Balancer              // guarded by mu
	services *simplelru.LRU[setKey, *Balancer] // guarded by mu; nil: none was asked for
}

// setKey tells balancers apart. The options are a part of it, so that a plan
// which asks for others and is refused takes nobody's balancer away.
type setKey struct {
	name    string
	options plan.LoadBalancer
}

// Of returns the balancer of a route, or of whatever else has the name: the one
// that o shares, the one that was asked for before by the same name with equal
// options, or a new one. The error is an [*UnknownError].
func (s *Set) Of(name string, o plan.LoadBalancer) (*Balancer, error) {
	if o.Share != "" {
		name = "shared " + o.Share
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k := setKey{name, o}
	if known := s.all[k]; known != nil {
		return known, nil
	}
	made, err := New(o)
	if err != nil {
		return nil, err
	}
	if s.all == nil {
		s.all = map[setKey]*Balancer{}
	}
	s.all[k] = made
	return made, nil
}

// OfService is Of for a service that no route lists; o.Share has no meaning.
// Clients may make such services up, so the one that was asked for longest ago
// is forgotten when there are MaxServices of them.
func (s *Set) OfService(service, namespace string, o plan.LoadBalancer) (*Balancer, error) {
	o.Share = ""
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.services == nil {
		s.services = s.newServices()
	}
	k := setKey{namespace + "." + service, o}
	if known, ok := s.services.Get(k); ok {
		return known, nil
	}
	made, err := New(o)
	if err == nil {
		s.services.Add(k, made)
	}
	return made, err
}

func (s *Set) newServices() *simplelru.LRU[setKey, *Balancer] {
	most := s.MaxServices
	if most <= 0 {
		most = DefaultMaxServices
	}
	lru, err := simplelru.NewLRU[setKey, *Balancer](most, nil)
	if err != nil {
		panic(fmt.Sprintf("a memory for %d services: %v", most, err)) // a size above 0 is never refused
	}
	return lru
}

// Keep forgets the balancers that Of has returned and that are not in use.
func (s *Set) Keep(inUse func(*Balancer) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, b := range s.all {
		if !inUse(b) {
			delete(s.all, k)
		}
	}
}
