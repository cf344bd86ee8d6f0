package emit

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/validate"
)

// The columns of the table.
const (
	numberColumn = iota
	routeColumn
	opensColumn
	staysColumn
	attemptColumn
	outerColumn
	fromColumn
	columnCount
)

// row is one route in the table.
type row struct {
	cells [columnCount]string
	// under is a line of its own below the cells; "" if there is none.
	under string
}

func identityOf(route *normalize.Route) string { return validate.Identity(route) }

// row words a route; a cell on which documentation and program differ gets the
// mark of a footnote.
func (r *Result) row(route *normalize.Route, notes *footnotes) row {
	var w row
	w.cells[numberColumn] = numberOf(route)
	w.cells[routeColumn] = r.Mask(routeName(route))
	if route.Kind == normalize.Aggregate {
		w.cells[opensColumn], w.cells[fromColumn] = "its routes' own", "its routes"
		w.cells[staysColumn], w.cells[attemptColumn], w.cells[outerColumn] = none, none, none
		return w
	}
	built := sharedOwner(r.Gateway, route)
	w.cells[opensColumn], w.cells[staysColumn] = opens(built), staysOpen(built)
	w.cells[attemptColumn], w.cells[outerColumn] = attempt(built), outer(route)
	w.cells[fromColumn] = r.from(route)
	w.under = strategies(route)
	if route.Divergences != 0 {
		r.markOthers(&w, route, notes)
	}
	if at := route.SharedWith; at >= 0 {
		first := &r.Gateway.Routes[at]
		w.cells[opensColumn] += " " + notes.mark("one circuit together with #"+numberOf(first)+" "+routeName(first)+
			", whose options count for both ("+sameKey(r.Profile)+")")
	}
	r.markOlder(&w, route, built, notes)
	if !route.Live {
		w.cells[routeColumn] += " " + notes.mark("no request reaches it: static routes switch dynamic ones off")
	}
	return w
}

// markOlder notes what only releases before 24.1 do.
func (r *Result) markOlder(w *row, route, built *normalize.Route, notes *footnotes) {
	facts := r.Profile.Facts()
	switch {
	case refused(route):
		w.cells[opensColumn] += " " + notes.mark(refusalWords(route, r.names())+": every request fails with 500")
	case facts.Timeouts == profile.Uncounted && r.Profile.Provider == profile.Polly && built.Breaker.Kind != normalize.NoBreaker && built.AttemptTimeout.IsSet():
		w.cells[attemptColumn] += " " + notes.mark("a timeout never opens the circuit in Ocelot "+r.Profile.Number())
	}
	if facts.RouteTimeouts {
		return
	}
	if ms := route.OuterTimeout.V; ms == normalize.Infinite {
		w.cells[outerColumn] += " " + notes.mark(r.names().of(normalize.Timeout)+" -1 switches the limit of 90 s off too: nothing ends a request")
	} else if ms < 0 {
		w.cells[outerColumn] += " " + notes.mark(r.names().of(normalize.Timeout)+" is the timer of the whole request too, which can't be negative")
	}
}

// sameKey says what makes routes share a circuit.
func sameKey(p profile.Profile) string {
	switch p.Facts().Circuit {
	case profile.CircuitByRouteName:
		return "same path"
	case profile.CircuitByService:
		return "same service or path"
	}
	return "same load-balancing key"
}

func (r *Result) markOthers(w *row, route *normalize.Route, notes *footnotes) {
	other := route.Otherwise()
	for _, c := range []struct {
		column int
		word   func(*normalize.Route) string
		clause func(*normalize.Route) string
		decide profile.Divergences
	}{
		{opensColumn, opens, opensClause, decidesBreaker}, {staysColumn, staysOpen, staysClause, decidesBreaker},
		{attemptColumn, attempt, attemptClause, decidesBreaker}, {outerColumn, outer, outerClause, decidesOuter},
	} {
		if route.SharedWith >= 0 && c.column != outerColumn {
			continue // another route's options are in force
		}
		if text := c.word(&other); text != c.word(route) {
			w.cells[c.column] += " " + notes.mark(r.other(c.clause(&other), route, c.decide))
		}
	}
}

// numberOf is a route's number: that of its element, counted from 0 as Ocelot
// counts.
func numberOf(route *normalize.Route) string {
	switch route.Kind {
	case normalize.Aggregate:
		return "A" + strconv.Itoa(route.Index)
	case normalize.Dynamic:
		return "D" + strconv.Itoa(route.Index)
	case normalize.Unlisted:
		return none
	}
	return strconv.Itoa(route.Index)
}

// from says where what a route gets is written: for each section the first
// line that decides something.
func (r *Result) from(route *normalize.Route) string {
	var places []string
	seen := map[string]bool{}
	add := func(word string, o config.Origin) {
		if !seen[word] {
			seen[word] = true
			places = append(places, r.sectionLine(word, o))
		}
	}
	o := &route.Options
	for _, d := range []normalize.Decision[int32]{o.MinimumThroughput, o.BreakDuration, o.SamplingDuration, o.Timeout, route.RouteTimeout} {
		addDecision(d.From, d.Origin, add)
	}
	addDecision(o.FailureRatio.From, o.FailureRatio.Origin, add)
	if x := route.Resilience; x != nil {
		word := ofGlobal
		if base := route.Base(); base != nil && base.Resilience != nil {
			word = ofRoute
		}
		add(word, x.Section.Origin)
	}
	if len(places) == 0 {
		return "default"
	}
	return strings.Join(places, ", ")
}

func addDecision(from normalize.Place, o config.Origin, add func(string, config.Origin)) {
	switch from {
	case normalize.RouteNew, normalize.RouteDeprecated:
		add(ofRoute, o)
	case normalize.GlobalNew, normalize.GlobalDeprecated:
		add(ofGlobal, o)
	}
}

// The sections that decide, as the table calls them.
const (
	ofRoute  = "route"
	ofGlobal = "global"
)

// sectionLine names a section and the line of a place in it: "route :19". Of
// several files the file says more than the section, unless it is a global
// section in a file with another name.
func (r *Result) sectionLine(word string, o config.Origin) string {
	line := r.line(o)
	several := len(r.Loaded.Texts) > 1
	if several && (word == ofRoute || strings.HasPrefix(line, ofGlobal+":")) {
		return line
	}
	return word + " " + line
}

// line returns the line of a place as ":52", with the short name of the file
// in front where there are several: "orders:52" for ocelot.orders.json.
func (r *Result) line(o config.Origin) string {
	s := r.span(o)
	if s.IsZero() {
		return "(outside)"
	}
	line := ":" + strconv.Itoa(s.Position().Line)
	if len(r.Loaded.Texts) < 2 {
		return line
	}
	name := strings.TrimSuffix(filepath.Base(s.File.Name), ".json")
	return strings.TrimPrefix(name, "ocelot.") + line
}

// strategies names the strategies of ResilienceOptions that are on.
func strategies(route *normalize.Route) string {
	o := route.Resilience
	if o == nil {
		return ""
	}
	var on []string
	if x := o.Fallback; x != nil {
		on = append(on, "fallback")
	}
	if x := o.ConcurrencyLimiter; x != nil {
		on = append(on, "at most "+grouped(int64(x.PermitLimit.V))+" at a time")
	}
	if x := o.Retry; x != nil {
		text := "up to " + plural(int64(x.MaxRetryAttempts.V), "retry")
		text = strings.Replace(text, "retrys", "retries", 1)
		if x.RetryBudget != nil {
			text += " within a budget"
		}
		on = append(on, text)
	}
	if x := o.CircuitBreaker; x != nil {
		on = append(on, "opens when "+printable(x.Expression.V))
	}
	if o.Chaos != nil {
		on = append(on, "chaos")
	}
	if len(on) == 0 {
		return ""
	}
	return "+ " + strings.Join(on, ", ")
}
