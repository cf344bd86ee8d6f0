package pipeline

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// ErrNoRoute is the outcome of a request that no route of the plan serves.
var ErrNoRoute = errors.New("pipeline: no route serves the request")

// Set holds the pipelines of all routes of a plan. The plan can be replaced
// while requests are on their way. A Set is safe for concurrent use; make one
// with Load or NewSet.
type Set struct {
	options Options
	current atomic.Pointer[table]

	swapping sync.Mutex // held while a plan is replaced
}

// table is a Set at one time. It does not change, but for its services.
type table struct {
	plan      *plan.Plan
	pipelines map[string]*Pipeline
	only      *Pipeline // of a plan with one route
	state     *state
	services  *services // nil: the plan has no route for unlisted services
}

// Load reads a plan, as plan.Decode does, and builds the pipelines of all its
// routes. A plan that is invalid in any part is refused as a whole.
//
//	set, err := pipeline.Load(file, pipeline.Options{})
//	client := &http.Client{Transport: set.RoundTripper(nil)}
func Load(r io.Reader, o Options) (*Set, error) {
	p, err := plan.Decode(r)
	if err != nil {
		return nil, err
	}
	return NewSet(p, o)
}

// NewSet builds the pipelines of all routes of p, which must not be changed
// afterwards. The error is a *plan.InvalidError with every problem.
func NewSet(p *plan.Plan, o Options) (*Set, error) {
	o.Observer = telemetry.Safe(o.Observer, o.OnObserverPanic) // once for all routes
	s := &Set{options: o}
	if err := s.replace(newTable(), p, always); err != nil {
		return nil, err
	}
	return s, nil
}

func newTable() *table { return &table{state: newState()} }

// Swap replaces the plan. Requests that are on their way finish under the old
// one. A breaker keeps its state where the ID of its route, or the name of its
// shared circuit, the breaker and the classification of failures are equal; so
// do a budget and a limiter whose numbers are equal, and what is known of hosts
// that are judged as before. Everything else starts
// fresh, and results of calls from before do not reach it. Where p is refused,
// with a *plan.InvalidError, the old plan stays.
func (s *Set) Swap(p *plan.Plan) error { return s.SwapIf(p, always) }

// SwapIf is Swap for those who make more of a plan than pipelines: agree is
// called once p is known to be good, before it is in force, and its error keeps
// the old plan as well. It must not call Swap.
func (s *Set) SwapIf(p *plan.Plan, agree func() error) error {
	s.swapping.Lock()
	defer s.swapping.Unlock()
	return s.replace(s.current.Load(), p, agree)
}

// always agrees to a plan.
func always() error { return nil }

func (s *Set) replace(old *table, p *plan.Plan, agree func() error) error {
	if err := p.Check(); err != nil {
		return err
	}
	h := newHeir(old.state, &s.options)
	next := &table{plan: p, pipelines: make(map[string]*Pipeline, len(p.Routes)), state: h.next}
	var invalid plan.InvalidError
	var unlisted *plan.Route
	for i := range p.Routes {
		r := &p.Routes[i]
		built, err := h.pipeline(r, p.Profile)
		if err != nil {
			invalid.Problems = append(invalid.Problems, plan.Problem{Path: fmt.Sprintf("routes[%d] (%s)", i, r.ID), Reason: err.Error()})
			continue
		}
		next.pipelines[r.ID], next.only = built, built
		if r.Match.Kind == plan.Unlisted {
			unlisted = r
		}
	}
	if len(invalid.Problems) > 0 {
		return &invalid
	}
	if err := agree(); err != nil {
		return err
	}
	if unlisted != nil { // not before p is accepted: what is kept gets the leases of p
		next.services = old.services.inherit(unlisted, p.Profile, &s.options)
	}
	if len(p.Routes) != 1 {
		next.only = nil
	}
	h.settle()
	s.current.Store(next)
	return nil
}

// Plan returns the plan in force. It must not be changed.
func (s *Set) Plan() *plan.Plan { return s.current.Load().plan }

// Pipeline returns the pipeline of the route with the given ID, or nil. It is
// the one of the plan in force; ask again for every call, so that a later plan
// counts.
func (s *Set) Pipeline(id string) *Pipeline { return s.current.Load().pipelines[id] }

// Service returns the pipeline of a service that the plan does not list: each
// has one of its own, made when it is asked for first. It is nil where the plan
// has no route for unlisted services. Ask only for services that exist: there is
// room for Options.MaxServices.
func (s *Set) Service(name string) *Pipeline { return s.current.Load().services.get(name) }

// Services returns the services that the plan does not list and that have been
// asked for, by name, each with its pipeline. Being shown keeps none of them.
func (s *Set) Services() iter.Seq2[string, *Pipeline] { return s.current.Load().services.all() }

// RoundTripper returns a round tripper that sends every request through the
// pipeline of its route to next. A nil next is http.DefaultTransport.
func (s *Set) RoundTripper(next http.RoundTripper) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	return &setTransport{set: s, next: next}
}

type setTransport struct {
	set  *Set
	next http.RoundTripper
}

func (t *setTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	response, style, err := t.send(req)
	if err == nil || !t.set.options.AnswerErrors || gaveUp(req.Context()) {
		return response, err
	}
	return AnswerTo(err, style).Response(req), nil
}

// send returns the outcome of req, and how a failure is worded.
func (t *setTransport) send(req *http.Request) (*http.Response, Style, error) {
	p := t.set.pick(req)
	if p == nil {
		if req.Body != nil {
			req.Body.Close() // as every round tripper must
		}
		return nil, Style{}, ErrNoRoute
	}
	response, err := p.RoundTrip(req, t.next)
	return response, p.style, err
}

// pick returns the pipeline that serves req, nil if none does.
func (s *Set) pick(req *http.Request) *Pipeline {
	t := s.current.Load()
	if s.options.Route == nil {
		return t.only
	}
	return t.pipelines[s.options.Route(req)]
}
