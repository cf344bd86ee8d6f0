package change

import (
	"slices"
	"sync"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/validate/reach"
)

// routes reports every pair that differs. Pairs are looked at on two cores: none
// depends on another one.
func (c *comparison) routes() {
	found := make([]*Route, len(c.pairs))
	half := len(c.pairs) / 2
	var group sync.WaitGroup
	group.Go(func() { c.pairsIn(found, half, len(c.pairs)) })
	c.pairsIn(found, 0, half)
	group.Wait()
	for _, r := range found {
		if r != nil {
			c.report.Routes = append(c.report.Routes, *r)
		}
	}
}

func (c *comparison) pairsIn(found []*Route, from, to int) {
	for i := from; i < to; i++ {
		switch p := c.pairs[i]; {
		case p.old < 0:
			found[i] = c.added(p.new)
		case p.new < 0:
			found[i] = c.removed(p.old)
		default:
			found[i] = c.both(p)
		}
	}
}

// both reports a route that both sides have.
func (c *comparison) both(p pair) *Route {
	old, new := &c.old.entries[p.old], &c.new.entries[p.new]
	fields := c.fields(old, new)
	_, was := c.old.Shadows[p.old]
	_, is := c.new.Shadows[p.new]
	if len(fields) == 0 && was == is {
		return nil
	}
	w := &wording{comparison: c, old: old, new: new, left: fields}
	w.reach(p, was, is)
	if old.route != nil {
		w.route()
	} else {
		w.rest()
	}
	if len(w.out) == 0 {
		return nil
	}
	kind := Changed
	var former *string
	if old.id != new.id {
		kind, former = Renamed, &old.id
	}
	return c.finished(Route{Kind: kind, ID: new.id, OldID: former, At: textPlace(newSide, new.at()), Changes: w.out, old: old.source, new: new.source})
}

// fields returns what differs between two routes of one pair, metadata included,
// which no plan has.
func (c *comparison) fields(old, new *entry) []Field {
	var fields []Field
	switch {
	case old.route != nil:
		fields = without(fieldsOf(c.ofRoute, old.route, new.route), "id")
	case old.aggregate != nil:
		fields = without(fieldsOf(c.ofAggregate, old.aggregate, new.aggregate), "id", "at", "name")
	}
	fields = append(fields, old.program.fields(new.program)...)
	if a, b := metadataOf(old), metadataOf(new); a != nil || b != nil {
		if field := differingMetadata(a, b); field != nil {
			fields = append(fields, *field)
		}
	}
	return fields
}

func without(fields []Field, names ...string) []Field {
	return slices.DeleteFunc(fields, func(f Field) bool { return f.Under(names...) })
}

// metadataOf returns the Metadata of a route; nil where there is none.
func metadataOf(e *entry) map[string]string {
	if e.source == nil || e.source.Kind == normalize.Aggregate || e.source.Base() == nil {
		return nil
	}
	entries := e.source.Base().Metadata.All()
	if len(entries) == 0 {
		return nil
	}
	found := make(map[string]string, len(entries))
	for _, entry := range entries {
		found[entry.Key.V] = entry.Value.V
	}
	return found
}

func differingMetadata(a, b map[string]string) *Field {
	same := len(a) == len(b)
	for key, value := range a {
		other, ok := b[key]
		same = same && ok && other == value
	}
	if same {
		return nil
	}
	return &Field{Name: "metadata", Old: orNull(a), New: orNull(b)}
}

func orNull(m map[string]string) any {
	if len(m) == 0 {
		return nil
	}
	return m
}

// finished returns a route without secrets.
func (c *comparison) finished(r Route) *Route {
	for i := range r.Changes {
		r.LessProtected = r.LessProtected || r.Changes[i].LessProtected
		c.hide(&r.Changes[i])
	}
	r.ID = c.mask(r.ID)
	if r.OldID != nil {
		former := c.mask(*r.OldID)
		r.OldID = &former
	}
	return &r
}

// removed reports a route that is gone, and where its requests go.
func (c *comparison) removed(i int) *Route {
	e := &c.old.entries[i]
	r := Route{Kind: Removed, ID: e.id, At: textPlace(oldSide, e.at()), old: e.source}
	change := Change{Aspect: "route", Text: "removed", At: r.At, Fields: []Field{}}
	if drop := c.dropOf(e); drop != nil {
		r.Kind, r.At = Dropped, drop.at
		change.Text, change.At = drop.text, drop.at
	}
	to, request := c.heir(e)
	if _, was := c.old.Shadows[i]; was {
		change.Detail = "no request reached it anyway"
		r.Changes = []Change{change}
		return c.finished(r)
	}
	switch {
	case to < 0:
		change.Detail = "its requests are answered 404 now"
	default:
		heir := &c.new.entries[to]
		change.Detail = "its requests now reach " + heir.id
		if lost := lessProtected(accessOf(e), accessOf(heir)); lost != "" {
			change.LessProtected = true
			change.Detail += ", which " + lost
		}
	}
	if request != "" {
		change.Detail += " (such as " + request + ")"
	}
	r.Changes = []Change{change}
	return c.finished(r)
}

// heir returns the entry of the new side that takes the requests of an old one;
// -1 if there is none.
func (c *comparison) heir(e *entry) (int, string) { return takerOf(c.new, e) }

func takerOf(s *Side, e *entry) (int, string) {
	if e.match.Kind != plan.Static {
		if at, ok := s.byID["*"]; ok {
			return at, ""
		}
		return -1, ""
	}
	at, request := s.Table.Taker(emit.ReachEntry(e.match))
	if at < 0 {
		return -1, ""
	}
	return s.At[at], exampleText(e, request)
}

// exampleText is a request of a route; where every method and host will do, its
// path.
func exampleText(e *entry, r reach.Request) string {
	if len(e.match.Methods) == 0 && r.Host == "" {
		return r.Target
	}
	return r.String()
}

// added reports a new route, and who took its requests before.
func (c *comparison) added(j int) *Route {
	e := &c.new.entries[j]
	r := Route{Kind: Added, ID: e.id, At: textPlace(newSide, e.at()), new: e.source}
	change := Change{Aspect: "route", Text: "added: " + c.sketch(e), At: r.At, Fields: []Field{}}
	if shadow, is := c.new.Shadows[j]; is {
		change.Detail = "no request reaches it: " + c.new.entries[shadow.By[0]].id + " takes them first"
		r.Changes = []Change{change}
		return c.finished(r)
	}
	if from, request := takerOf(c.old, e); from >= 0 && request != "" {
		before := &c.old.entries[from]
		change.Detail = "takes requests that reached " + before.id + " (such as " + request + ")"
		if lost := lessProtected(accessOf(before), accessOf(e)); lost != "" {
			change.LessProtected = true
			change.Detail += "; it " + lost
		}
	}
	r.Changes = []Change{change}
	return c.finished(r)
}
