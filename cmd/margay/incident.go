package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/route"
	"github.com/margay-dev/margay/schema/prose"
	"github.com/margay-dev/margay/validate"
)

// explainLine explains a line of a log or the text of an answer, for the routes
// of the gateways that it can be about.
func (p *program) explainLine(c *cli.Context, line emit.LogLine, gateways []gateway) error {
	for i, g := range gateways {
		if i > 0 {
			fmt.Fprintln(p.stdout)
		}
		if err := p.explainLineOf(c, line, &gateways[i], view(p.stdout, g, "")); err != nil {
			return err
		}
	}
	return starts(gateways)
}

func (p *program) explainLineOf(c *cli.Context, line emit.LogLine, g *gateway, shown emit.View) error {
	if line.Mechanism == emit.NoRoute && !c.IsSet(flagRoute) {
		return p.explainNoRoute(line, g, shown)
	}
	routes, err := p.routesOf(c, line, g)
	if err != nil {
		return err
	}
	if len(routes) == 1 {
		return emit.ExplainLog(p.stdout, g.Result, routes[0], line, shown)
	}
	if err := emit.ExplainLog(p.stdout, g.Result, nil, line, shown); err != nil {
		return err
	}
	names := make([]string, 0, len(routes))
	for _, r := range routes {
		names = append(names, "  "+nameOf(r))
	}
	if len(names) == 0 {
		return nil
	}
	_, err = fmt.Fprintf(p.stdout, "\nThe line names no route. These can answer so; --%s chooses one:\n%s\n", flagRoute, strings.Join(shorten(names), "\n"))
	return err
}

// explainNoRoute explains a request that no route takes: it is about none of them.
func (p *program) explainNoRoute(line emit.LogLine, g *gateway, shown emit.View) error {
	if err := emit.ExplainLog(p.stdout, g.Result, nil, line, shown); err != nil {
		return err
	}
	var b strings.Builder
	request := strings.TrimSpace(line.Method + " " + line.Path)
	next := "`margay match METHOD URL` shows which routes come near."
	switch found, known := taker(g, line); {
	case !known:
	case found == nil:
		next = "No route of this configuration takes " + request + ": `margay match " + request + "` shows which come near."
	default:
		next = request + " is taken by " + nameOf(found) + " here: the gateway that wrote the line runs another configuration, or the request had another host or header."
	}
	b.WriteString("\n")
	prose.Paragraph(&b, "", "", printable(next), shown.Width)
	_, err := io.WriteString(p.stdout, b.String())
	return err
}

func nameOf(r *normalize.Route) string {
	if r.Kind == normalize.Unlisted {
		return validate.Identity(r)
	}
	return fmt.Sprintf("#%d %s", r.Index, validate.Identity(r))
}

// shorten keeps a list of names readable.
func shorten(names []string) []string {
	const most = 10
	if len(names) <= most {
		return names
	}
	return append(names[:most:most], fmt.Sprintf("  and %d more", len(names)-most))
}

// routesOf returns the route that the option names, or that the line names by
// its name or its request; else all that can answer so.
func (p *program) routesOf(c *cli.Context, line emit.LogLine, g *gateway) ([]*normalize.Route, error) {
	if name := c.String(flagRoute); name != "" {
		found := emit.Select(g.Result, name)
		switch {
		case len(found) == 0:
			return nil, unknownTopic(name, []gateway{*g})
		case len(found) > 1:
			return nil, ambiguous(name, found)
		}
		return found, nil
	}
	if line.Route != "" {
		if found := named(g, line.Route); len(found) > 0 {
			return found, nil
		}
	}
	if found, _ := taker(g, line); found != nil && found.Kind != normalize.Aggregate {
		return []*normalize.Route{found}, nil
	}
	return able(g, line), nil
}

// named returns the routes with a name. Before 24.1 logs name a route by the
// expression that its template becomes.
func named(g *gateway, name string) []*normalize.Route {
	name = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(name, "^"), "(?i)"), "$")
	var found []*normalize.Route
	for i := range g.Gateway.Routes {
		if r := &g.Gateway.Routes[i]; r.Kind != normalize.Aggregate && r.Name() == name {
			found = append(found, r)
		}
	}
	return found
}

// taker returns the route or aggregate that takes the request of a line; nil if
// none does. known is false where that cannot be found out: the line names no
// request, or the gateway has no plan to match it with.
func taker(g *gateway, line emit.LogLine) (found *normalize.Route, known bool) {
	if line.Path == "" {
		return nil, false
	}
	lowered, _ := emit.Plan(g.Result)
	if lowered == nil {
		return nil, false
	}
	target, err := route.ParseTarget(encoded(line.Path))
	if err != nil {
		return nil, false
	}
	table, err := route.New(lowered)
	if err != nil {
		return nil, false
	}
	methods := []string{line.Method}
	if line.Method == "" {
		methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodHead, http.MethodOptions}
	}
	for _, method := range methods {
		match, err := table.Match(&route.Request{Method: method, Target: target, Header: http.Header{}})
		if err != nil {
			continue
		}
		taken := sourceOf(g, &match)
		if taken == nil || found != nil && taken != found {
			return nil, false // it depends on the method, which the line does not name
		}
		found = taken
	}
	return found, true
}

// sourceOf returns what a match was compiled from; nil if that is not known.
func sourceOf(g *gateway, match *route.Match) *normalize.Route {
	among, aggregates := emit.PlanSources(g.Result)
	if match.Aggregate() != nil {
		among = aggregates
	}
	if match.Index() >= len(among) {
		return nil
	}
	return among[match.Index()]
}

// able returns the routes of which a mechanism may have written the line.
func able(g *gateway, line emit.LogLine) []*normalize.Route {
	var found []*normalize.Route
	for i := range g.Gateway.Routes {
		r := &g.Gateway.Routes[i]
		for _, incident := range emit.Incidents(g.Result, r) {
			if incident.Mechanism == line.Mechanism || line.Mechanism == "" && incident.Status == line.Status {
				found = append(found, r)
				break
			}
		}
	}
	return found
}

// explainLineAlone says what a line means where there is no gateway to ask.
func (p *program) explainLineAlone(line emit.LogLine, problems error) error {
	if line.About == "" {
		return problems
	}
	_, err := fmt.Fprintf(p.stdout, "%s: %s.\nGive the PATH of the configuration to see what the route does.\n", line.Mechanism, line.About)
	return errors.Join(err)
}
