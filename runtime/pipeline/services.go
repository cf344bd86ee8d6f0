package pipeline

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// defaultMaxServices is how many unlisted services have a pipeline at a time.
const defaultMaxServices = 1000

// services holds the pipelines of services that the plan does not list, all
// made after one route. Finding one takes no lock and mostly writes nothing: who
// was used last is known to the nearest birth of another, so that of those in
// use at the same time any may go.
type services struct {
	route   *plan.Route
	profile plan.Profile
	options *Options
	limit   int

	found  sync.Map     // of *service by name
	births atomic.Int64 // how many were ever made: the clock by which they age

	mu    sync.Mutex
	count int // guarded by mu: entries of found
}

// service is one of them, with a state that no other shares.
type service struct {
	pipeline *Pipeline
	state    *state
	used     atomic.Int64 // births when it was asked for last, its own aside
}

// inherit returns the services of a new plan, with those of the old one and
// their state. A nil s has none.
func (s *services) inherit(r *plan.Route, profile plan.Profile, o *Options) *services {
	next := &services{route: r, profile: profile, options: o, limit: cmp.Or(max(o.MaxServices, 0), defaultMaxServices)}
	if s == nil {
		return next
	}
	next.births.Store(s.births.Load())
	s.found.Range(func(name, was any) bool {
		old := was.(*service)
		next.add(name.(string), old.state).used.Store(old.used.Load())
		return true
	})
	return next
}

// get returns the pipeline of a service. A nil s has none.
func (s *services) get(name string) *Pipeline {
	if s == nil {
		return nil
	}
	found, ok := s.found.Load(name)
	if !ok {
		return s.make(name).pipeline
	}
	it := found.(*service)
	if now := s.births.Load(); it.used.Load() != now {
		it.used.Store(now)
	}
	return it.pipeline
}

// all returns the services in the order of their names. A nil s has none.
func (s *services) all() iter.Seq2[string, *Pipeline] {
	return func(yield func(string, *Pipeline) bool) {
		if s == nil {
			return
		}
		known := map[string]*Pipeline{}
		s.found.Range(func(name, it any) bool {
			known[name.(string)] = it.(*service).pipeline
			return true
		})
		for _, name := range slices.Sorted(maps.Keys(known)) {
			if !yield(name, known[name]) {
				return
			}
		}
	}
}

// make adds a service, unless another goroutine was faster, and drops the least
// recently used one where there is no room.
func (s *services) make(name string) *service {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, ok := s.found.Load(name); ok {
		return found.(*service)
	}
	if s.count >= s.limit {
		s.dropOldest()
	}
	it := s.add(name, newState())
	it.used.Store(s.births.Add(1) - 1) // whoever is asked for again from now on is younger
	return it
}

// add builds the pipeline of a service. It can't fail: the Set has built one
// after the same route.
func (s *services) add(name string, old *state) *service {
	r := *s.route
	r.ID, r.Name = telemetry.ServiceRoute(name), cmp.Or(r.Name, name) // observers tell services apart
	h := newHeir(old, s.options)
	p, err := h.pipeline(&r, s.profile)
	if err != nil {
		panic("pipeline: build the pipeline of a service: " + err.Error())
	}
	h.settle()
	it := &service{pipeline: p, state: h.next}
	s.found.Store(name, it)
	s.count++
	return it
}

func (s *services) dropOldest() {
	var oldest any
	least := int64(-1)
	s.found.Range(func(name, it any) bool {
		if used := it.(*service).used.Load(); least < 0 || used < least {
			oldest, least = name, used
		}
		return true
	})
	s.found.Delete(oldest)
	s.count--
}
