package emit

import (
	"strconv"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/validate"
)

// Select returns the routes of a result that a text names, in order: by
// position ("Routes:2", "#2"), identity ("GET /orders/{id}"), template, name
// or Key. Where the text names none exactly, it returns the routes whose
// identity contains it without regard to case; "" returns all.
func Select(r *Result, text string) []*normalize.Route {
	exact := func(route *normalize.Route) bool { return r.isNamed(route, text) }
	if text == "" {
		exact = func(*normalize.Route) bool { return true }
	}
	if found := r.routesWhere(exact); len(found) > 0 {
		return found
	}
	part := strings.ToLower(text)
	return r.routesWhere(func(route *normalize.Route) bool {
		return strings.Contains(strings.ToLower(validate.Identity(route)), part)
	})
}

func (r *Result) routesWhere(holds func(*normalize.Route) bool) []*normalize.Route {
	var found []*normalize.Route
	for i := range r.Gateway.Routes {
		if route := &r.Gateway.Routes[i]; holds(route) {
			found = append(found, route)
		}
	}
	return found
}

func (r *Result) isNamed(route *normalize.Route, text string) bool {
	if number, ok := strings.CutPrefix(text, "#"); ok && number == strconv.Itoa(route.Index) && route.Kind == normalize.Static {
		return true
	}
	if key := route.Key(); key.IsSet() && key.V == text {
		return true
	}
	return text == r.keyOf(route) || text == validate.Identity(route) || text == route.Name() || text == template(route)
}

// template returns the path template of a route; "" for dynamic ones.
func template(route *normalize.Route) string {
	switch route.Kind {
	case normalize.Static:
		return route.Static.UpstreamPathTemplate.V
	case normalize.Aggregate:
		return route.Aggregate.UpstreamPathTemplate.V
	}
	return ""
}
