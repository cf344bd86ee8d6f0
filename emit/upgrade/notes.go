package upgrade

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
)

func placeOf(at source.Span) *change.Place {
	if at.IsZero() {
		return nil
	}
	p := at.Position()
	return &change.Place{Side: "new", File: placeName(at.File.Name), Line: p.Line, Column: p.Column}
}

// gatewayNotes are what differs for the gateway as a whole and no route shows.
func (c *crossing) gatewayNotes() []Item {
	var items []Item
	add := func(danger Danger, number, text string, at source.Span) {
		items = append(items, Item{Danger: danger, Aspect: "gateway", Text: text, Surprises: []string{number}, At: placeOf(at), Fields: []change.Field{}})
	}
	var nowhere source.Span
	global := c.to.Config.Global
	if c.over("24.1.0") && c.services() {
		at := nowhere
		if o := global.ServiceDiscoveryProvider; o != nil {
			at = c.to.Config.Files().Span(o.Origin)
		}
		add(Fails, "U26", "the path of the first request to a service is asked for in all later ones, whatever they ask for: the first route that is made for a service is kept",
			at)
	}
	if o := global.QoSOptions; c.over("24.1.0") && c.services() && o != nil && o.RouteKeys.Len() > 0 {
		add(Note, "U25", "RouteKeys of the global QoSOptions are read now: they decide about listed services; those that are not listed still get the section",
			c.to.Config.Files().Span(o.RouteKeys.Origin))
	}
	if c.over("24.1.0") && c.anyActive() {
		add(Note, "U29", "log lines name routes by their template, not by its regular expression; keys of balancers end in NoLoadBalancer", nowhere)
	}
	if c.over("24.0.0") && c.a.Release().Before(profile.Release{Major: 24}) && !c.from.Starts() && !c.to.Starts() {
		add(Note, "U48", "errors that stop the start come one a line, each with FileValidationFailedError in front", nowhere)
	}
	if at, ok := c.deprecated(); ok && c.over("25.0.0") {
		add(Note, "U33", "DurationOfBreak, ExceptionsAllowedBeforeBreaking and TimeoutValue are still read in 25.0, and still win, although 24.1 announced their end", at)
	}
	if c.over("23.0.0") && c.anyActive() {
		add(Note, "U42", "keys of balancers have another form: methods, template, host, hosts and service", nowhere)
	}
	return append(items, c.ancient()...)
}

// ancient are surprises of releases that were never run: they are known from
// their source.
func (c *crossing) ancient() []Item {
	var items []Item
	add := func(danger Danger, number, text string) {
		items = append(items, Item{Danger: danger, Aspect: "gateway", Text: text, Surprises: []string{number}, Fields: []change.Field{}})
	}
	endless := profile.Release{Major: 22}
	if to, ok := profile.ParseRelease(c.b.Asked); ok && to == endless && strings.Count(c.b.Asked, ".") > 1 {
		add(Time, "U44", "22.0.0 alone has no limit where nobody writes TimeoutValue; until then, and since 22.0.1, it is 90 s")
	}
	asked, ok := profile.ParseRelease(c.a.Asked)
	if !ok {
		return items
	}
	before := func(major int) bool {
		return asked.Major < major && !c.b.Release().Before(profile.Release{Major: major})
	}
	if asked == endless && strings.Count(c.a.Asked, ".") > 1 {
		add(Time, "U44", "22.0.0 alone had no limit where nobody wrote TimeoutValue; since 22.0.1 it is 90 s again")
	}
	if before(22) {
		add(Opening, "U45", "breakers count status 500 to 508 and timeouts; until 21 they counted refused connections and timeouts, and no status")
	}
	if before(21) {
		add(Note, "U46", "Polly 8 comes with 21.0, and is used through the old policies until 23.1")
	}
	if before(16) {
		add(Fails, "U47", "ReRoutes, DynamicReRoutes, ReRouteKeys and ReRouteIsCaseSensitive are no names any more: an old file starts with no routes, and every request is answered 404")
	}
	return items
}

func placeName(name string) string { return filepath.ToSlash(name) }

func (c *crossing) anyActive() bool {
	return slices.ContainsFunc(c.to.Gateway.Routes, func(r normalize.Route) bool { return r.Kind != normalize.Aggregate && r.Active })
}

// deprecated returns the first place of a deprecated name of QoSOptions.
func (c *crossing) deprecated() (source.Span, bool) {
	files := c.to.Config.Files()
	for i := range c.to.Gateway.Routes {
		r := &c.to.Gateway.Routes[i]
		if r.Kind == normalize.Aggregate {
			continue
		}
		for _, o := range []normalize.Option{normalize.MinimumThroughput, normalize.BreakDuration, normalize.Timeout} {
			for _, x := range r.Candidates(o) {
				if x.Place == normalize.RouteDeprecated || x.Place == normalize.GlobalDeprecated {
					return files.Span(x.Value.Origin), true
				}
			}
		}
	}
	return source.Span{}, false
}

// noteRoutes adds notes on routes, of which nothing else may change.
func (c *crossing) noteRoutes(r *Report) {
	var notes []*Item
	var noted []*normalize.Route
	for i := range c.to.Gateway.Routes {
		if route := &c.to.Gateway.Routes[i]; route.Kind != normalize.Aggregate && route.Live {
			if item := c.routeNote(route); item != nil {
				notes, noted = append(notes, item), append(noted, route)
			}
		}
	}
	if len(notes) == 0 {
		return
	}
	effect := emit.Effect(c.to)
	ids := map[*normalize.Route]string{}
	for i, route := range effect.Routes {
		ids[route] = c.to.Mask(effect.Plan.Routes[i].ID)
	}
	at := map[string]int{}
	for i := range r.Routes {
		at[r.Routes[i].ID] = i
	}
	for n, item := range notes {
		id := ids[noted[n]]
		if i, ok := at[id]; ok {
			r.Routes[i].Changes = append(r.Routes[i].Changes, *item)
			continue
		}
		place := placeOf(c.to.Config.Files().Span(noted[n].Section().Origin))
		r.Routes = append(r.Routes, Route{Kind: change.Changed, ID: id, Danger: Note, At: place, Changes: []Item{*item}})
	}
}

func (c *crossing) routeNote(r *normalize.Route) *Item {
	files := c.to.Config.Files()
	note := func(number, text string, at source.Span) *Item {
		return &Item{Danger: Note, Aspect: "route", Text: text, Surprises: []string{number}, At: placeOf(at), Fields: []change.Field{}}
	}
	if base := r.Base(); c.over("24.1.0") && base != nil && base.Timeout.IsSet() && base.Timeout.V <= 0 && c.to.Config.Global.Timeout.V > 0 {
		return note("U12", fmt.Sprintf("Timeout %d of the route stands for 90 s and hides the global one of %d s", base.Timeout.V, c.to.Config.Global.Timeout.V), files.Span(base.Timeout.Origin))
	}
	if c.over("25.0.0") && c.b.Provider == profile.Polly && ratioAlone(r) {
		return note("U30", "FailureRatio alone makes QoS active: a handler without any strategy, which logs two errors", files.Span(r.Options.FailureRatio.Origin))
	}
	if c.over("23.0.0") && c.a.Provider == profile.None && r.Options.Timeout.V > 0 {
		return note("U43", "a request that takes longer than TimeoutValue is answered 503; before, 499", files.Span(r.Options.Timeout.Origin))
	}
	return nil
}
