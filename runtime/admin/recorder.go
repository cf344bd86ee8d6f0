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
	switch e.Kind {
	case telemetry.PipelineExecuted:
		o.of(e.Route).executed(e)
	case telemetry.OnTimeout:
		if e.Strategy == telemetry.AttemptTimeout {
			o.of(e.Route).attemptTimeouts.Add(1)
		}
	case telemetry.OnCircuitOpened:
		if e.Strategy == telemetry.CircuitBreaker { // a host's is told by passive health
			o.of(e.Route).opened.Add(1)
		}
	}
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
