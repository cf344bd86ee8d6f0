package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/reach"
)

func openByDrop() *validate.Rule {
	return &validate.Rule{
		Name:     "open-by-drop",
		Summary:  "Requests that a protected route is written for are taken by a less protected one.",
		Severity: diag.Error,
		Category: validate.Security,
		CWE:      863,
		Dear:     true,
		Check:    checkOpenByDrop,
	}
}

func checkOpenByDrop(p *validate.Pass) {
	if p.Gateway == nil {
		return
	}
	table := newReachable(p)
	for _, dropped := range p.Config.Dropped {
		if isRoute(dropped.Path) {
			reportOpened(p, &table, dropped)
		}
	}
	for _, s := range table.shadows {
		r, taker := table.routes[s.at], table.routes[s.By[0]]
		if !table.isDuplicate(s.at, s.By[0]) && opens(p, r, taker) {
			p.Report(opened(p, r.Static, taker.Static, s.Witness,
				p.Span(r.Static.UpstreamPathTemplate.Origin), "put the protected route first, or protect the other one"))
		}
	}
}

// opens says whether taker asks for less than r, whose requests it takes.
func opens(p *validate.Pass, r, taker *normalize.Route) bool {
	return r.Static != nil && taker.Static != nil && protectionOfStatic(p, taker.Static).weakerThan(protectionOfStatic(p, r.Static))
}

// isRoute says whether a path names a whole static route.
func isRoute(path string) bool {
	index, ok := strings.CutPrefix(path, "Routes:")
	return ok && !strings.Contains(index, ":")
}

func reportOpened(p *validate.Pass, table *reachable, dropped config.Dropped) {
	r := writtenRoute(p.Config.Tree, dropped.Element)
	if protectionOfStatic(p, r).none() || r.UpstreamPathTemplate.V == "" {
		return
	}
	i, request := table.Taker((&methodLists{}).entryOf(r.UpstreamPathTemplate, r.UpstreamHost, r.RouteIsCaseSensitive, r.Priority, r.UpstreamHttpMethod, nil))
	if i < 0 || table.routes[i].Static == nil {
		return
	}
	if taker := table.routes[i].Static; protectionOfStatic(p, taker).weakerThan(protectionOfStatic(p, r)) {
		p.Report(opened(p, r, taker, request, p.Span(dropped.Reason.At.Origin), "mend the value that makes Ocelot drop the route"))
	}
}

func opened(p *validate.Pass, r, taker *config.Route, request reach.Request, at source.Span, help string) diag.Diagnostic {
	return diag.Diagnostic{
		Message: fmt.Sprintf("%s, meant for %q with %s, is taken by %q with %s", request, r.UpstreamPathTemplate.V,
			protectionOfStatic(p, r), taker.UpstreamPathTemplate.V, protectionOfStatic(p, taker)),
		Span:    at,
		Help:    help,
		Related: []diag.Related{{Span: p.Span(taker.UpstreamPathTemplate.Origin), Message: "this route takes the request"}},
		Subject: diag.Subject{Route: r.UpstreamPathTemplate.V, Option: "AuthenticationOptions"},
	}
}

// writtenRoute reads from a dropped route what decides who reaches it, as far
// as it can be read.
func writtenRoute(tree *syntax.Tree, element config.Section) *config.Route {
	text := func(of syntax.ID, name string) config.Value[string] {
		id := tree.Find(of, name)
		if id == 0 || tree.Node(id).Kind != syntax.String {
			return config.Value[string]{}
		}
		return config.Value[string]{V: tree.Text(id), Origin: config.Origin{Kind: config.Derived}}
	}
	list := func(of syntax.ID, name string) *config.List[string] {
		found := &config.List[string]{}
		if id := tree.Find(of, name); id != 0 {
			for c := range tree.Children(id) {
				found.Items = append(found.Items, config.Value[string]{V: tree.Text(c), Origin: config.Origin{Kind: config.Derived}})
			}
		}
		return found
	}
	r := &config.Route{UpstreamPathTemplate: text(element.Node, "UpstreamPathTemplate"), UpstreamHost: text(element.Node, "UpstreamHost")}
	r.Key, r.UpstreamHttpMethod = text(element.Node, "Key"), list(element.Node, "UpstreamHttpMethod")
	if id := tree.Find(element.Node, "AuthenticationOptions"); id != 0 {
		r.AuthenticationOptions = &config.AuthenticationOptions{
			AuthenticationProviderKey: text(id, "AuthenticationProviderKey"), AuthenticationProviderKeys: list(id, "AuthenticationProviderKeys")}
		if anonymous := tree.Find(id, "AllowAnonymous"); anonymous != 0 && strings.EqualFold(tree.Text(anonymous), "true") {
			r.AuthenticationOptions.AllowAnonymous = config.Value[bool]{V: true, Origin: config.Origin{Kind: config.Derived}}
		}
	}
	if id := tree.Find(element.Node, "RouteClaimsRequirement"); id != 0 {
		r.RouteClaimsRequirement = &config.Dict{}
		for range tree.Children(id) {
			r.RouteClaimsRequirement.Entries = append(r.RouteClaimsRequirement.Entries, config.Entry{})
		}
	}
	return r
}
