package pipeline

import (
	"net/http"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// Options are what a plan does not say. The zero value is the default.
type Options struct {
	// Observer is told what happens in every pipeline. Nil: nobody.
	Observer telemetry.Observer
	// OnObserverPanic is told when the Observer panics. Nil: nobody.
	OnObserverPanic func(e telemetry.Event, recovered any)
	// Route returns the ID of the route that serves a request; one that the plan
	// does not have is an ErrNoRoute. Nil: the plan's only route serves all.
	Route func(*http.Request) string
	// AnswerErrors has the RoundTripper of a Set return the response that a
	// client of the gateway would get, in place of an error. A cancelled call
	// stays an error: nobody waits for the answer.
	AnswerErrors bool
	// Fallback makes what answers in place of failures, for routes whose plan asks
	// for that: fallback.ForRoute does. It stands here because it brings a library
	// along, which nothing else of this package does. Nil: such a plan is refused.
	Fallback func(plan.Fallback) (Fallback, error)
	// MaxServices bounds the pipelines of services that the plan does not list:
	// the least recently used one goes. 0: 1000.
	MaxServices int
	// Random returns values in [0, 1) for jitter and chaos, from any goroutine.
	// Nil: the functions of math/rand/v2.
	Random func() float64
	// Profile says whose wording a pipeline made by New has; a Set has its plan's.
	Profile plan.Profile
}
