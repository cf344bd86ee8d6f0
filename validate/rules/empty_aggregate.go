package rules

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate"
)

func emptyAggregate() *validate.Rule {
	return &validate.Rule{
		Name:     "empty-aggregate",
		Summary:  "An aggregate names no routes, so nothing is asked for an answer.",
		Severity: diag.Warning,
		Category: validate.Routes,
		Check:    checkEmptyAggregate,
	}
}

// checkEmptyAggregate reports what Ocelot's own check lets pass: it compares two
// counts, and none equals none (val.agg.nokeys).
func checkEmptyAggregate(p *validate.Pass) {
	if p.Config == nil {
		return
	}
	for i := range p.Config.Aggregates {
		a := &p.Config.Aggregates[i]
		if a.RouteKeys.Len() > 0 || p.Config.Tree.Find(a.Node, "ReRouteKeys") != 0 { // removed-name says so
			continue
		}
		p.Report(diag.Diagnostic{
			Message: "this aggregate names no routes, so no backend is asked for an answer",
			Span:    aggregatePlace(p, a),
			Effect:  "Ocelot starts all the same; `margay emit` makes no plan of it",
			Help:    "name the Keys of the routes to join in RouteKeys, or remove the aggregate",
			Subject: diag.Subject{Route: a.UpstreamPathTemplate.V, Option: "RouteKeys"},
		})
	}
}

// aggregatePlace is where RouteKeys stands, else the template.
func aggregatePlace(p *validate.Pass, a *config.AggregateRoute) source.Span {
	if id := p.Config.Tree.Find(a.Node, "RouteKeys"); id != 0 {
		return p.Config.Tree.Span(id)
	}
	if a.UpstreamPathTemplate.IsSet() {
		return p.Span(a.UpstreamPathTemplate.Origin)
	}
	return p.Span(a.Origin)
}
