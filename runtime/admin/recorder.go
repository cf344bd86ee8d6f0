package admin

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/margay-dev/margay/runtime/telemetry"
)

// Recorder is an observer that counts what the pages show. The zero value has
// seen nothing; it is safe for concurrent use.
type Recorder struct {
	routes sync.Map // of *record by the ID of the route

	// services are the records of services that no route lists. Clients may invent
	// them, so the one that was used longest ago goes.
	services *lru.Cache[string, *record]
	once     sync.Once // makes services
}

// maxServices is how many services have a record at a time: as many as have a
// pipeline.
const maxServices = 1000

func (o *Recorder) known() *lru.Cache[string, *record] {
	o.once.Do(func() {
		var err error
		if o.services, err = lru.New[string, *record](maxServices); err != nil {
			panic("admin: " + err.Error()) // a size above 0 is never refused
		}
	})
	return o.services
}

// record is what is known of one route.
type record struct {
	calls, failures, rejected, attemptTimeouts, opened atomic.Int64

	last atomic.Pointer[failure]
}

// failure is the last call that failed.
type failure struct {
	at     time.Time
	reason telemetry.Reason
	status int
	err    error
}

// Observe counts e.
func (o *Recorder) Observe(_ context.Context, e telemetry.Event) {
	if counts(e) {
		o.of(e.Route).count(e)
	}
}

// ForRoute returns an observer of one route, which looks its record up once.
// Those of services come and go, so they are looked up for every event.
func (o *Recorder) ForRoute(route string) telemetry.Observer {
	if telemetry.IsServiceRoute(route) {
		return o
	}
	return &routeRecorder{all: o, route: route}
}

type routeRecorder struct {
	all   *Recorder
	route string
	found atomic.Pointer[record] // nil: there was nothing to count yet
}

func (o *routeRecorder) Observe(_ context.Context, e telemetry.Event) {
	if !counts(e) {
		return
	}
	r := o.found.Load()
	if r == nil {
		r = o.all.of(o.route)
		o.found.Store(r)
	}
	r.count(e)
}

// counts reports whether a record counts an event.
func counts(e telemetry.Event) bool {
	switch e.Kind {
	case telemetry.PipelineExecuted:
		return true
	case telemetry.OnTimeout:
		return e.Strategy == telemetry.AttemptTimeout
	case telemetry.OnCircuitOpened:
		return e.Strategy == telemetry.CircuitBreaker // a host's is told by passive health
	}
	return false
}

func (o *Recorder) of(route string) *record {
	if telemetry.IsServiceRoute(route) {
		return o.service(route)
	}
	if known, ok := o.routes.Load(route); ok {
		return known.(*record)
	}
	known, _ := o.routes.LoadOrStore(route, &record{})
	return known.(*record)
}

func (o *Recorder) service(route string) *record {
	if known, ok := o.known().Get(route); ok {
		return known
	}
	fresh := &record{}
	if before, ok, _ := o.known().PeekOrAdd(route, fresh); ok {
		return before
	}
	return fresh
}

// Keep forgets the routes that are not among those that has says yes to, so that
// plans which come and go leave nothing behind.
func (o *Recorder) Keep(has func(route string) bool) {
	o.routes.Range(func(route, _ any) bool {
		if !has(route.(string)) {
			o.routes.Delete(route)
		}
		return true
	})
}

// peek returns the record of a route; an empty one if there is none.
func (o *Recorder) peek(route string) *record {
	if known, ok := o.known().Peek(route); ok {
		return known
	}
	if known, ok := o.routes.Load(route); ok {
		return known.(*record)
	}
	return &record{}
}

// count counts an event that is to be counted.
func (r *record) count(e telemetry.Event) {
	switch e.Kind {
	case telemetry.PipelineExecuted:
		r.executed(e)
	case telemetry.OnTimeout:
		r.attemptTimeouts.Add(1)
	case telemetry.OnCircuitOpened:
		r.opened.Add(1)
	}
}

// executed counts a call. Whom the breaker turned away says nothing about the
// backend, and neither does a client that went away.
func (r *record) executed(e telemetry.Event) {
	switch e.Reason {
	case telemetry.ReasonCircuitOpen, telemetry.ReasonCircuitIsolated:
		r.rejected.Add(1)
		return
	}
	r.calls.Add(1)
	switch e.Reason {
	case telemetry.ReasonNone, telemetry.ReasonCancelled:
	default:
		r.failures.Add(1)
		r.last.Store(&failure{at: time.Now(), reason: e.Reason, status: e.StatusCode, err: e.Err})
	}
}
