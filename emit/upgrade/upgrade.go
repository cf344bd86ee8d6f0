// Package upgrade says what another release of Ocelot makes of a gateway.
//
// It takes one configuration, compiled as two releases run it, and gives back a
// report: what changes for every route, the most dangerous first, each with the
// line that causes it and the number of the surprise that explains it. It also
// makes the edits that keep today's behaviour under the new release, as far as
// a file can say it.
package upgrade

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/schema/prose"
)

// Compare reports what changes between two releases. Both results are of the same
// input; from is compiled as the release that runs today, to as the new one.
func Compare(from, to *emit.Result) *Report {
	c := newCrossing(from, to)
	compared := change.Compare(change.OfResult(from), change.OfResult(to))
	r := &Report{
		Version: Version, Path: filepath.ToSlash(to.Input.Name), Assumption: to.Input.Plan.Assumption,
		From: programOf(from), To: programOf(to),
		Counts: []Count{}, Gateway: []Item{}, Routes: []Route{}, Steps: c.steps(),
	}
	r.Gateway = append(append(r.Gateway, c.stops()...), c.settings(compared)...)
	r.Gateway = append(r.Gateway, c.gatewayNotes()...)
	for i := range compared.Routes {
		r.Routes = append(r.Routes, c.route(&compared.Routes[i]))
	}
	r.gatherProxies()
	c.noteRoutes(r)
	r.finish(compared)
	return r
}

func programOf(r *emit.Result) Program {
	return Program{Ocelot: cmp.Or(r.Profile.Asked, r.Profile.Version), Provider: r.Profile.Provider.String(),
		Profile: r.Profile.String(), Starts: r.Starts()}
}

// route turns a change of a route into items.
func (c *crossing) route(of *change.Route) Route {
	out := Route{Kind: of.Kind, ID: of.ID, At: here(of.At), Danger: Note, Changes: []Item{}}
	for i := range of.Changes {
		out.Changes = append(out.Changes, c.item(of, &of.Changes[i]))
	}
	slices.SortStableFunc(out.Changes, worse)
	out.Danger = out.Changes[0].Danger
	return out
}

func worse(a, b Item) int { return cmp.Compare(a.Danger.rank(), b.Danger.rank()) }

func (c *crossing) item(of *change.Route, ch *change.Change) Item {
	old, new := of.Sources()
	s := &subject{crossing: c, kind: of.Kind, change: ch, old: old, new: new}
	return Item{Danger: s.danger(), Aspect: ch.Aspect, Text: ch.Text, Detail: ch.Detail, Surprises: s.surprises(), At: here(ch.At), Fields: ch.Fields}
}

// here returns a place as one of the new side: both sides are one text.
func here(p *change.Place) *change.Place {
	if p == nil {
		return nil
	}
	at := *p
	at.Side = "new"
	return &at
}

// settings are what changes for the gateway as a whole, and requests that move
// to another route.
func (c *crossing) settings(r *change.Report) []Item {
	var items []Item
	for i := range r.Settings {
		ch := &r.Settings[i]
		items = append(items, Item{Danger: Other, Aspect: ch.Aspect, Text: ch.Text, Detail: ch.Detail, Surprises: []string{}, At: here(ch.At), Fields: ch.Fields})
	}
	for i := range r.Requests {
		q := &r.Requests[i]
		danger := Other
		if q.LessProtected {
			danger = Protection
		}
		items = append(items, Item{Danger: danger, Aspect: "requests", Surprises: []string{}, At: here(q.At), Fields: []change.Field{},
			Text: fmt.Sprintf("%s now reaches %s instead of %s", q.Request, *q.New, *q.Old)})
	}
	return items
}

// finish sorts, counts and sums up.
func (r *Report) finish(compared *change.Report) {
	slices.SortStableFunc(r.Gateway, worse)
	slices.SortStableFunc(r.Routes, func(a, b Route) int { return cmp.Compare(a.Danger.rank(), b.Danger.rank()) })
	counts := map[Danger]int{}
	for i := range r.Gateway {
		counts[r.Gateway[i].Danger]++
	}
	changing := 0
	for i := range r.Routes {
		counts[r.Routes[i].Danger]++
		if r.Routes[i].Danger != Note {
			changing++
		}
	}
	for _, d := range dangers {
		if n := counts[d.danger]; n > 0 {
			r.Counts = append(r.Counts, Count{d.danger, n})
			r.Changed = r.Changed || d.danger != Note
		}
	}
	total := max(compared.Old.Routes, compared.New.Routes)
	r.Unchanged = max(total-changing, 0)
	r.Summary = r.sum(changing, total)
}

func (r *Report) sum(changing, total int) string {
	var parts []string
	switch {
	case r.To.Starts:
	case r.From.Starts:
		parts = append(parts, "Ocelot "+r.To.Ocelot+" does not start with this")
	default:
		parts = append(parts, "neither release starts with this")
	}
	switch {
	case !r.Changed:
		parts = append(parts, fmt.Sprintf("nothing changes for any route (%s)", prose.Plural(int64(total), "route")))
	case changing == 0:
		parts = append(parts, fmt.Sprintf("no route changes by itself (%s)", prose.Plural(int64(total), "route")))
	default:
		what := "change"
		if changing == 1 {
			what = "changes"
		}
		parts = append(parts, fmt.Sprintf("%s of %s %s", prose.Grouped(int64(changing)), prose.Plural(int64(total), "route"), what))
	}
	if n := len(r.Steps); n > 0 {
		parts = append(parts, fmt.Sprintf("%s outside of the file", prose.Plural(int64(n), "step")))
	}
	return strings.Join(parts, "; ")
}
