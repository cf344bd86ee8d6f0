package validate

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
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
			written = writtenIn(in)
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
	// lists are the lists of routes by file, routes their elements in the order
	// of the file; those are collected when somebody asks.
	lists  map[*source.File][]syntax.ID
	routes map[*source.File][]syntax.ID
	// bound are the routes of a file with one list of which nothing is lost:
	// they are at hand.
	bound []config.Route
	// names are the identities of routes that have been asked for, members the
	// children of objects and lists, in the order of the file.
	names   map[syntax.ID]string
	members map[syntax.ID][]syntax.ID
}

// routeList says whether a name is that of a list of routes, in old releases too.
func routeList(name string) bool {
	return slices.ContainsFunc([]string{"Routes", "DynamicRoutes", "Aggregates", "ReRoutes", "DynamicReRoutes"}, func(list string) bool {
		return strings.EqualFold(list, name)
	})
}

func writtenIn(in *Input) *writtenRoutes {
	loaded := in.Loaded
	w := &writtenRoutes{
		tree: loaded.Tree, roots: map[*source.File]syntax.ID{}, names: map[syntax.ID]string{},
		members: map[syntax.ID][]syntax.ID{},
		lists:   map[*source.File][]syntax.ID{}, routes: map[*source.File][]syntax.ID{},
	}
	for i := range loaded.Texts {
		text := &loaded.Texts[i]
		if text.File == nil || text.Root == 0 {
			continue
		}
		w.roots[text.File] = text.Root
		const deepest = 4 // of sections around Ocelot's own
		w.lists[text.File] = w.listsIn(nil, text.Root, deepest)
	}
	if c := in.Config; c != nil && len(loaded.Texts) == 1 && loaded.Root == loaded.Texts[0].Root &&
		len(w.lists[loaded.Texts[0].File]) == 1 && len(c.Dropped) == 0 {
		w.bound = c.Routes
	}
	return w
}

// listsIn appends the lists of routes below a section in the order of the file.
func (w *writtenRoutes) listsIn(lists []syntax.ID, section syntax.ID, depth int) []syntax.ID {
	for c := range w.tree.Children(section) {
		switch kind := w.tree.Node(c).Kind; {
		case kind == syntax.Array && routeList(w.tree.Key(c)):
			lists = append(lists, c)
		case kind == syntax.Object && depth > 0:
			lists = w.listsIn(lists, c, depth-1)
		}
	}
	return lists
}

// of returns the routes of a file.
func (w *writtenRoutes) of(file *source.File) []syntax.ID {
	routes, ok := w.routes[file]
	if !ok {
		for _, list := range w.lists[file] {
			for route := range w.tree.Children(list) {
				routes = append(routes, route)
			}
		}
		w.routes[file] = routes
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
	if w.roots[place.File] == 0 {
		return 0, false
	}
	start, number := func(i int) int { return int(w.bound[i].Origin.Start) }, len(w.bound)
	node := func(i int) syntax.ID { return w.bound[i].Node }
	if w.bound == nil {
		routes := w.of(place.File)
		start, number = func(i int) int { return int(w.tree.Node(routes[i]).Start) }, len(routes)
		node = func(i int) syntax.ID { return routes[i] }
	}
	i := sort.Search(number, func(i int) bool { return start(i) > place.Start }) - 1
	if i < 0 || place.Start >= int(w.tree.Node(node(i)).End) {
		return 0, false
	}
	return node(i), true
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
