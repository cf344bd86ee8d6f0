package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/startup"
)

func duplicateRoute() *validate.Rule {
	return &validate.Rule{
		Name:     "duplicate-route",
		Summary:  "Two routes take the same requests, so the gateway does not start.",
		Severity: diag.Error,
		Category: validate.Routes,
		Check:    checkDuplicateRoute,
	}
}

// checkDuplicateRoute reports each route that repeats an earlier one. Ocelot
// blames every route of the same template, the first one too and those whose
// verbs collide with nobody's.
func checkDuplicateRoute(p *validate.Pass) {
	if p.Gateway == nil {
		return
	}
	var failures []*startup.Failure
	for i := range p.Startup.Failures {
		if f := &p.Startup.Failures[i]; f.Check == "V15" {
			failures = append(failures, f)
		}
	}
	if len(failures) == 0 {
		return
	}
	routes := routesByTemplate(p.Config)
	groups := map[config.Origin]*repeats{}
	for _, f := range failures {
		var group *repeats
		if len(f.Others) > 0 {
			group = groups[f.Others[0]] // of all but the first route, that is the first
		}
		if group == nil {
			group = &repeats{verbs: map[string]config.Origin{}}
			groups[f.At] = group
		}
		other, verb, found := group.add(routes[f.At], f.At)
		if found && p.Span(f.At).Text() != "" && routes[f.At].UpstreamPathTemplate.V != "" {
			p.Report(duplicate(p, f, other, verb))
		}
	}
}

// routesByTemplate returns the static routes by the place that V15 blames.
func routesByTemplate(cfg *config.Configuration) map[config.Origin]*config.Route {
	routes := make(map[config.Origin]*config.Route, len(cfg.Routes))
	for i := range cfg.Routes {
		r := &cfg.Routes[i]
		at := r.UpstreamPathTemplate.Origin
		if !at.IsSet() {
			at = r.Origin
		}
		routes[at] = r
	}
	return routes
}

// repeats are the routes of one template, host and set of headers so far.
type repeats struct {
	first, every config.Origin
	verbs        map[string]config.Origin
}

// add takes in the next route, and returns an earlier one, or the route itself,
// that takes the same verb; "" stands for every verb.
func (g *repeats) add(r *config.Route, at config.Origin) (other config.Origin, verb string, found bool) {
	if g.every.IsSet() {
		other, found = g.every, true
	}
	if r.UpstreamHttpMethod.Len() == 0 {
		if !found && g.first.IsSet() {
			other, found = g.first, true
		}
		g.every = at
	}
	for _, m := range r.UpstreamHttpMethod.All() {
		name := strings.ToUpper(m.V)
		if o, taken := g.verbs[name]; taken && !found {
			other, verb, found = o, name, true
		} else if !taken {
			g.verbs[name] = at
		}
	}
	if !g.first.IsSet() {
		g.first = at
	}
	return other, verb, found
}

func duplicate(p *validate.Pass, f *startup.Failure, other config.Origin, verb string) diag.Diagnostic {
	span := p.Span(f.At)
	d := diag.Diagnostic{
		Message: fmt.Sprintf("the route %s takes the same requests as another one", short(span.Text())),
		Span:    span,
		Effect:  notStarted,
		Ocelot:  f.Message,
		Help:    "remove one of both, or make their verbs, hosts or header templates differ",
		Related: []diag.Related{{Span: p.Span(other), Message: "the other one"}},
		Cause:   f.Message,
	}
	if verb != "" {
		d.Message = fmt.Sprintf("the route %s takes the same %s requests as another one", short(span.Text()), verb)
	}
	if other == f.At {
		d.Message = fmt.Sprintf("the route %s, which is not the only one of its template, names %s twice", short(span.Text()), verb)
		d.Help, d.Related = "name each verb once", nil
	}
	return d
}
