package main

import (
	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/route"
)

// dropped returns the routes that were written for the request and that Ocelot
// drops; none where a plan was read, which knows nothing of them.
func (m *matching) dropped() []emit.LostRoute {
	if m.gateway == nil {
		return nil
	}
	var found []emit.LostRoute
	for _, lost := range emit.LostRoutes(m.gateway.Result) {
		if fitsAlone(&lost.Match, m.request) {
			found = append(found, lost)
		}
	}
	return found
}

// fitsAlone says whether a route would take a request if it were the only one.
// A template without a meaning takes nothing.
func fitsAlone(match *plan.Match, req *route.Request) bool {
	table, err := route.New(&plan.Plan{Routes: []plan.Route{{Match: *match}}})
	if err != nil {
		return false
	}
	_, err = table.Match(req)
	return err == nil
}

// writeDropped says of routes that were written for the request that they are
// not in force, and why.
func (m *matching) writeDropped(text *lines) {
	for _, lost := range m.dropped() {
		text.paragraph("  ", m.gateway.Mask(lost.Match.Path)+" would fit, but is "+lost.Words)
	}
}
