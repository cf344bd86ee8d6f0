package change

import (
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
)

// Side is one of two gateways that are compared.
type Side struct {
	name   string
	plan   *plan.Plan
	result *emit.Result // nil where a plan was read

	// entries are the routes, then the aggregates; set by prepare.
	entries []entry
	// Reached says who takes a request, by position in entries.
	*emit.Reached
	byID map[string]int
}

// OfResult returns a compiled configuration as a side.
func OfResult(r *emit.Result) *Side { return &Side{name: r.Input.Name, result: r} }

// OfPlan returns a plan as a side under the name with which the user calls it.
func OfPlan(name string, p *plan.Plan) *Side { return &Side{name: name, plan: p} }

// entry is a route or an aggregate of a side.
type entry struct {
	id string
	// route is what is in force, without what says nothing to a caller: names,
	// places, keys that only tell who shares something. nil for an aggregate.
	route     *plan.Route
	aggregate *plan.Aggregate
	match     *plan.Match
	source    *normalize.Route // nil where a plan was read
	program   program
	// places returns where the route is written, and where its values are; see
	// at and origins, which ask for it once.
	places func() (at string, origins []plan.Origin)
	once   sync.Once
	found  places // set by once
}

type places struct {
	at      string
	origins []plan.Origin
}

func (e *entry) where() *places {
	e.once.Do(func() { e.found.at, e.found.origins = e.places() })
	return &e.found
}

func (e *entry) at() string             { return e.where().at }
func (e *entry) origins() []plan.Origin { return e.where().origins }

func (s *Side) readable() bool { return s.result == nil || s.result.Readable() }

func (s *Side) describe(side string) Gateway {
	g := Gateway{Path: filepath.ToSlash(s.name), Kind: "configuration", Readable: s.readable(), Starts: true, Errors: []StartError{}}
	if s.result == nil {
		g.Kind, g.Files, g.Provider, g.Routes = "plan", 1, string(s.plan.Profile.Provider), len(s.plan.Routes)+len(s.plan.Aggregates)
		provider, _ := profile.ParseProvider(g.Provider)
		p := profile.Profile{Version: s.plan.Profile.Ocelot, Provider: provider}
		g.Profile = p.String()
		if !p.Documented() {
			g.Ocelot = &s.plan.Profile.Ocelot
		}
		return g
	}
	r := s.result
	g.Provider, g.Profile, g.Assumption = r.Profile.Provider.String(), r.Profile.String(), r.Input.Plan.Assumption
	if !r.Profile.Documented() {
		g.Ocelot = &r.Profile.Version
	}
	for i := range r.Loaded.Texts {
		g.Files += count(s.isUserFile(r.Loaded.Texts[i].Index))
	}
	g.Starts, g.Routes = r.Starts() && g.Readable, len(r.Gateway.Routes)
	for _, e := range r.StartErrors() {
		g.Errors = append(g.Errors, StartError{Message: r.Mask(e.Message), Ocelot: r.Mask(e.Ocelot), At: spanPlace(side, e.At)})
	}
	return g
}

// prepare lists the entries and finds those that no request reaches.
func (s *Side) prepare() {
	effect := &emit.Effective{}
	if s.result != nil {
		effect = emit.Effect(s.result)
		s.plan = effect.Plan
	}
	s.entries = make([]entry, len(s.plan.Routes)+len(s.plan.Aggregates))
	canon := newCanon(s.plan)
	for i := range s.plan.Routes {
		r := &s.plan.Routes[i]
		e := &s.entries[i]
		e.id, e.route = r.ID, canon.route(r)
		e.places = func() (string, []plan.Origin) { return r.At, r.Origins }
		e.match = &e.route.Match
		e.program = programOfPlan(r)
		if s.result != nil {
			e.source = effect.Routes[i]
			e.program = programOf(e.source, s.result.Profile)
			if e.program.endless {
				e.route.OuterTimeout = nil
			}
			e.places = func() (string, []plan.Origin) { return effect.Places(effect.Routes[i]) }
		}
	}
	for i := range s.plan.Aggregates {
		a := &s.plan.Aggregates[i]
		e := &s.entries[len(s.plan.Routes)+i]
		e.id, e.aggregate, e.match = a.ID, a, &a.Match
		e.places = func() (string, []plan.Origin) { return a.At, nil }
		if s.result != nil {
			e.source = effect.Aggregates[i]
		}
	}
	s.byID = make(map[string]int, len(s.entries))
	for i := range s.entries {
		s.byID[s.entries[i].id] = i
	}
	s.Reached = emit.Reach(s.plan)
}

// isUserFile says whether a place stands in a file that people wrote.
func (s *Side) isUserFile(index uint16) bool { return s.result.Loaded.Kind(index) == load.UserFile }

func (s *Side) mask(text string) string {
	if s.result == nil {
		return text
	}
	return s.result.Mask(text)
}

// spanPlace returns a span as a place; nil where it is nowhere.
func spanPlace(side string, span source.Span) *Place {
	if span.IsZero() {
		return nil
	}
	p := span.Position()
	return &Place{Side: side, File: filepath.ToSlash(span.File.Name), Line: p.Line, Column: p.Column}
}

// textPlace reads a place as plans write it; nil for a word such as "default".
func textPlace(side, text string) *Place {
	rest, column, ok := cutLast(text)
	file, line, ok2 := cutLast(rest)
	if !ok || !ok2 {
		return nil
	}
	return &Place{Side: side, File: file, Line: line, Column: column}
}

func cutLast(text string) (rest string, n int, ok bool) {
	at := strings.LastIndexByte(text, ':')
	if at < 0 {
		return text, 0, false
	}
	n, err := strconv.Atoi(text[at+1:])
	return text[:at], n, err == nil
}
