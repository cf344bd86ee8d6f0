package rules

import (
	"sync"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/reach"
)

// reachable is the table of a gateway's routes and where each stands in
// Gateway.Routes.
type reachable struct {
	*reach.Table
	routes  []*normalize.Route
	entries []reach.Entry
	// shadows are the routes that no request reaches, in their order.
	shadows []shadowedEntry
}

// shadowedEntry is a route that no request reaches, by its place in entries.
type shadowedEntry struct {
	at int
	reach.Shadow
}

func newReachable(p *validate.Pass) reachable {
	return validate.Share(p.Input, reachableKey{}, func() reachable { return buildReachable(p) })
}

type reachableKey struct{}

func buildReachable(p *validate.Pass) reachable {
	count := len(p.Config.Routes) + len(p.Config.Aggregates)
	r := reachable{entries: make([]reach.Entry, 0, count), routes: make([]*normalize.Route, 0, count)}
	var methods methodLists
	for i := range p.Gateway.Routes {
		route := &p.Gateway.Routes[i]
		switch {
		case route.Static != nil:
			s := route.Static
			r.entries = append(r.entries, methods.entryOf(s.UpstreamPathTemplate, s.UpstreamHost, s.RouteIsCaseSensitive, s.Priority, s.UpstreamHttpMethod, s.UpstreamHeaderTemplates))
		case route.Aggregate != nil:
			a := route.Aggregate
			r.entries = append(r.entries, methods.entryOf(a.UpstreamPathTemplate, a.UpstreamHost, a.RouteIsCaseSensitive, a.Priority, a.UpstreamHttpMethod, a.UpstreamHeaderTemplates))
		default:
			continue
		}
		r.routes = append(r.routes, route)
	}
	r.Table = reach.New(r.entries)
	half := len(r.entries) / 2
	var second []shadowedEntry
	var group sync.WaitGroup
	group.Go(func() { second = r.shadowsIn(half, len(r.entries)) })
	r.shadows = r.shadowsIn(0, half)
	group.Wait()
	r.shadows = append(r.shadows, second...)
	return r
}

func (r *reachable) shadowsIn(from, to int) []shadowedEntry {
	var found []shadowedEntry
	for i := from; i < to; i++ {
		if shadow, ok := r.Shadow(i); ok {
			found = append(found, shadowedEntry{i, shadow})
		}
	}
	return found
}

// methodLists holds the methods of many routes in few pieces of memory.
type methodLists struct{ room []string }

func (l *methodLists) entryOf(template, host config.Value[string], cased config.Value[bool], priority config.Value[int32], methods *config.List[string], headers *config.Dict) reach.Entry {
	e := reach.Entry{Template: template.V, Host: host.V, CaseSensitive: cased.V, Priority: priority.V}
	if !priority.IsSet() {
		e.Priority = 1
	}
	e.Methods = l.take(methods.Len())
	for i, m := range methods.All() {
		e.Methods[i] = m.V
	}
	for _, h := range headers.All() {
		e.Headers = append(e.Headers, reach.Header{Name: h.Key.V, Template: h.Value.V})
	}
	return e
}

// take returns a list of n texts, nil for none.
func (l *methodLists) take(n int) []string {
	if n == 0 {
		return nil
	}
	if n > len(l.room) {
		l.room = make([]string, max(n, 1024))
	}
	list := l.room[:n:n]
	l.room = l.room[n:]
	return list
}

// isDuplicate says whether two routes are equal to Ocelot's own check, which
// then stops the start and says so.
func (r *reachable) isDuplicate(i, j int) bool { return isDuplicate(&r.entries[i], &r.entries[j]) }

func isDuplicate(a, b *reach.Entry) bool {
	return a.Template == b.Template && a.Host == b.Host && len(a.Headers) == len(b.Headers)
}

// templateOf returns the upstream template of a static route or an aggregate.
func templateOf(r *normalize.Route) config.Value[string] {
	if r.Static != nil {
		return r.Static.UpstreamPathTemplate
	}
	return r.Aggregate.UpstreamPathTemplate
}
