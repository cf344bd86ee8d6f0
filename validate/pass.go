package validate

import (
	"sync"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate/startup"
)

// Input is what rules look at: the results of the stages before.
type Input struct {
	// Loaded is how the files became one configuration; never nil.
	Loaded *load.Result
	// Config is the bound configuration; nil where loading failed.
	Config *config.Configuration
	// Gateway is what the configuration resolves to; nil where binding failed.
	Gateway *normalize.Gateway
	// Startup is what Ocelot's start-up makes of it.
	Startup startup.Report
	// Profile is whose answer is given.
	Profile profile.Profile
	// Margay says that margay runs the configuration, not Ocelot.
	Margay bool

	shared sync.Map // what Share has made
}

// Pass is one rule at work.
type Pass struct {
	*Input
	rule *Rule
	// block holds the routes to look at, if inBlock; else it is all of them.
	block   []normalize.Route
	inBlock bool
	found   []diag.Diagnostic
	marked  []*normalize.Route
}

// Report adds a finding. The rule's name and, unless the finding has one, its
// severity are filled in.
func (p *Pass) Report(d diag.Diagnostic) {
	d.Rule = p.rule.Name
	if d.Severity == 0 {
		d.Severity = p.rule.Severity
	}
	p.found = append(p.found, d)
}

// Span returns the place of an origin; the zero Span where it has none.
func (p *Pass) Span(o config.Origin) source.Span { return p.Config.Files().Span(o) }

// MemberKey returns the place of a member's name in a section; the section's own
// place where it has no such member.
func (p *Pass) MemberKey(s config.Section, name string) source.Span {
	if s.Node != 0 {
		if id := p.Config.Tree.Find(s.Node, name); id != 0 {
			return p.Config.Tree.KeySpan(id)
		}
	}
	return p.Span(s.Origin)
}

// Resolved yields the resolved routes that are to be looked at, of all kinds:
// those of a block in CheckRoutes, all of them in Check.
func (p *Pass) Resolved(yield func(*normalize.Route) bool) {
	routes := p.block
	if !p.inBlock {
		routes = p.Gateway.Routes
	}
	for i := range routes {
		if !yield(&routes[i]) {
			return
		}
	}
}

// Routes yields those of Resolved that are written in a file: static and
// listed dynamic ones.
func (p *Pass) Routes(yield func(*normalize.Route) bool) {
	for r := range p.Resolved {
		if (r.Kind == normalize.Static || r.Kind == normalize.Dynamic) && !yield(r) {
			return
		}
	}
}

// StaticRoutes yields the static ones of Resolved as they are written.
func (p *Pass) StaticRoutes(yield func(*config.Route) bool) {
	for r := range p.Resolved {
		if r.Kind == normalize.Static && !yield(r.Static) {
			return
		}
	}
}

// Mark remembers a route for Marked.
func (p *Pass) Mark(r *normalize.Route) { p.marked = append(p.marked, r) }

// Marked returns, in Check, the routes that CheckRoutes of the same rule has
// marked, in their order: for rules that say one thing about many routes.
func (p *Pass) Marked() []*normalize.Route { return p.marked }

// Subject returns the identity of an option of a route for a finding.
func Subject(r *normalize.Route, option string) diag.Subject {
	return diag.Subject{Route: Identity(r), Option: option}
}
