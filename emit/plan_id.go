package emit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/validate"
)

// id returns a route's name in logs, metrics and across reloads: its identity
// and its header templates, with a number from the second of the same on.
func (l *lowering) id(route *normalize.Route) string {
	id := validate.Identity(route)
	for _, h := range headerTemplates(route) {
		id += " header=" + h.Key.V + ":" + h.Value.V
	}
	l.ids[id]++
	for n := l.ids[id]; n > 1; n++ {
		numbered := id + " #" + strconv.Itoa(n)
		if l.ids[numbered] == 0 {
			l.ids[id], l.ids[numbered] = n, 1
			return numbered
		}
	}
	return id
}

// headerTemplates returns what a route demands of headers, sorted by name.
func headerTemplates(route *normalize.Route) []config.Entry {
	var dict *config.Dict
	switch route.Kind {
	case normalize.Static:
		dict = route.Static.UpstreamHeaderTemplates
	case normalize.Aggregate:
		dict = route.Aggregate.UpstreamHeaderTemplates
	}
	if len(dict.All()) == 0 {
		return nil
	}
	entries := slices.Clone(dict.All())
	slices.SortStableFunc(entries, func(a, b config.Entry) int {
		return cmp.Compare(strings.ToUpper(a.Key.V), strings.ToUpper(b.Key.V))
	})
	return entries
}

// methodsOf returns methods as plans write sets of them: sorted, upper case,
// each once.
func methodsOf(list *config.List[string]) []string {
	if list.Len() == 0 {
		return nil
	}
	methods := make([]string, 0, list.Len())
	for _, m := range list.All() {
		methods = append(methods, strings.ToUpper(strings.TrimSpace(m.V)))
	}
	slices.Sort(methods)
	return slices.Compact(methods)
}

// namesOf returns the items of a list; nil for an empty one too, as plans tell
// no difference.
func namesOf(list *config.List[string]) []string {
	if list.Len() == 0 {
		return nil
	}
	return textsOf(list)
}
