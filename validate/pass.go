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
	rule  *Rule
	found []diag.Diagnostic
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

// Routes yields the resolved routes that are written in a file: static and
// listed dynamic ones.
func (p *Pass) Routes(yield func(*normalize.Route) bool) {
	for i := range p.Gateway.Routes {
		r := &p.Gateway.Routes[i]
		if (r.Kind == normalize.Static || r.Kind == normalize.Dynamic) && !yield(r) {
			return
		}
	}
}

// Subject returns the identity of an option of a route for a finding.
func Subject(r *normalize.Route, option string) diag.Subject {
	return diag.Subject{Route: Identity(r), Option: option}
}
