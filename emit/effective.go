package emit

import (
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
)

// Effective is everything that is in force in a gateway, in the form of a plan.
// Other than one of Plan, it is made for every configuration, whether or not
// a runtime could carry it out, and At and Origins of its routes are empty: see
// Places.
type Effective struct {
	*plan.Plan
	// Routes are what the routes of the plan were made of, position by position.
	Routes []*normalize.Route
	// Aggregates are what the aggregates of the plan were made of.
	Aggregates []*normalize.Route

	made *lowering
}

// Effect returns what is in force in the gateway of a result.
func Effect(r *Result) *Effective {
	l := newLowering(r)
	l.placeless = true
	l.lower()
	routes, aggregates := PlanSources(r)
	return &Effective{Plan: l.plan, Routes: routes, Aggregates: aggregates, made: l}
}

// Places returns where a route or aggregate is written, as plans write it, and
// where the values of its strategies are.
func (e *Effective) Places(route *normalize.Route) (at string, origins []plan.Origin) {
	if route.Kind != normalize.Unlisted {
		at = e.made.at(route.Section().Origin)
	}
	if route.Kind != normalize.Aggregate {
		origins = e.made.origins(route)
	}
	return at, origins
}
