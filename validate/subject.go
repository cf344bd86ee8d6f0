package validate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// identify says of findings that name no subject what they are about, by their
// places: the route that they stand in, and the option in it. Baselines and
// reports follow a finding by its subject, so one without would be taken for
// any other of its rule.
func identify(in *Input, all *diag.List) *diag.List {
	var written *writtenRoutes
	all.Change(func(d *diag.Diagnostic) {
		if d.Subject.Route != "" || d.Span.IsZero() {
			return
		}
		if written == nil {
			written = writtenIn(in.Loaded)
		}
		written.identify(d)
	})
	return all
}

// writtenRoutes are the elements of the lists of routes, as they stand in the
// files, whether they are bound or not.
type writtenRoutes struct {
	tree  *syntax.Tree
	roots map[*source.File]syntax.ID
	// routes are in the order of their places.
	routes map[*source.File][]syntax.ID
	// names are the identities of routes that have been asked for.
	names map[syntax.ID]string
}

// routeList says whether a name is that of a list of routes, in old releases too.
func routeList(name string) bool {
	return slices.ContainsFunc([]string{"Routes", "DynamicRoutes", "Aggregates", "ReRoutes", "DynamicReRoutes"}, func(list string) bool {
		return strings.EqualFold(list, name)
	})
}

func writtenIn(loaded *load.Result) *writtenRoutes {
	w := &writtenRoutes{tree: loaded.Tree, roots: map[*source.File]syntax.ID{}, routes: map[*source.File][]syntax.ID{}, names: map[syntax.ID]string{}}
	for i := range loaded.Texts {
		text := &loaded.Texts[i]
		if text.File == nil || text.Root == 0 {
			continue
		}
		w.roots[text.File] = text.Root
		const deepest = 4 // of sections around Ocelot's own
		w.routes[text.File] = w.collect(nil, text.Root, deepest)
	}
	return w
}

// collect appends the routes below a section in the order of the file.
func (w *writtenRoutes) collect(routes []syntax.ID, section syntax.ID, depth int) []syntax.ID {
	for c := range w.tree.Children(section) {
		switch kind := w.tree.Node(c).Kind; {
		case kind == syntax.Array && routeList(w.tree.Key(c)):
			for route := range w.tree.Children(c) {
				routes = append(routes, route)
			}
		case kind == syntax.Object && depth > 0:
			routes = w.collect(routes, c, depth-1)
		}
	}
	return routes
}

// identify fills in the subject of a finding.
func (w *writtenRoutes) identify(d *diag.Diagnostic) {
	below := w.roots[d.Span.File]
	if route, ok := w.at(d.Span); ok {
		name, known := w.names[route]
		if !known {
			name = w.name(route)
			w.names[route] = name
		}
		d.Subject.Route = name
		below = route
	}
	if d.Subject.Option == "" && below != 0 {
		d.Subject.Option = strings.Join(w.path(below, d.Span.Start), ".")
	}
}

// at returns the route that a place is in.
func (w *writtenRoutes) at(place source.Span) (syntax.ID, bool) {
	routes := w.routes[place.File]
	i, found := slices.BinarySearchFunc(routes, place.Start, func(route syntax.ID, at int) int {
		return cmp.Compare(int(w.tree.Node(route).Start), at)
	})
	if !found {
		i--
	}
	if i < 0 || place.Start >= int(w.tree.Node(routes[i]).End) {
		return 0, false
	}
	return routes[i], true
}

// name is the identity of a route as Identity gives it, as far as it is
// written.
func (w *writtenRoutes) name(route syntax.ID) string {
	if service := w.text(route, "ServiceName"); service != "" && w.text(route, "UpstreamPathTemplate") == "" {
		if namespace := w.text(route, "ServiceNamespace"); namespace != "" {
			return namespace + "." + service
		}
		return service
	}
	template := w.text(route, "UpstreamPathTemplate")
	if template == "" {
		return cmp.Or(w.text(route, "Key"), w.text(route, "DownstreamPathTemplate"))
	}
	var verbs []string
	for verb := range w.tree.Children(w.tree.Find(route, "UpstreamHttpMethod")) {
		verbs = append(verbs, strings.ToUpper(w.tree.Text(verb)))
	}
	return identityOf(verbs, template, w.text(route, "UpstreamHost"))
}

func (w *writtenRoutes) text(object syntax.ID, name string) string {
	member := w.tree.Find(object, name)
	if member == 0 || w.tree.Node(member).Kind != syntax.String {
		return ""
	}
	return w.tree.Text(member)
}

// path returns the names of the members that lead to an offset. Elements of
// lists have none, so that an option keeps its path when others move.
func (w *writtenRoutes) path(at syntax.ID, offset int) []string {
	var names []string
	for {
		next := syntax.ID(0)
		for c := range w.tree.Children(at) {
			from, to := w.tree.Span(c), w.tree.Span(c)
			if key := w.tree.KeySpan(c); key.File != nil {
				from = key
			}
			if from.Start <= offset && offset < max(to.End, from.Start+1) {
				next = c
				break
			}
		}
		if next == 0 {
			return names
		}
		if key := w.tree.Key(next); key != "" && w.tree.Node(at).Kind == syntax.Object {
			names = append(names, key)
		}
		at = next
	}
}
