package normalize

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/syntax"
)

// RewriteOptions say how deprecated names are replaced. The zero value keeps
// what Ocelot computes.
type RewriteOptions struct {
	// PreferDocumented keeps a route's new name where a deprecated name of
	// the global section beats it in Ocelot 25.0, which changes what the
	// program computes to what its documentation says.
	PreferDocumented bool
}

// Rewriting is what replaces deprecated names in the texts of a configuration.
type Rewriting struct {
	// Edits do not overlap; those of one file come in the order of its text.
	Edits []diag.Edit
	// Renamed is how many deprecated names get their new name.
	Renamed int
	// Outvoted are values of routes that a deprecated global name beats: they
	// are taken out, or with PreferDocumented come into force.
	Outvoted []Outvoted
	// Kept are deprecated names that stay.
	Kept []Kept
}

// Outvoted is a route's value that Ocelot never uses.
type Outvoted struct {
	Option Option
	// Route is the position in Gateway.Routes.
	Route int
	// Value is the route's, Winner the global section's.
	Value, Winner config.Value[int32]
}

// Kept is a deprecated name that could not be replaced safely.
type Kept struct {
	// Node is the member with the deprecated name.
	Node syntax.ID
	Why  KeptWhy
}

// KeptWhy is the reason why a deprecated name stays.
type KeptWhy uint8

// The reasons.
const (
	// Scattered: the section is not written as one plain object: it is put
	// together from several places, or has a name twice or with a colon.
	Scattered KeptWhy = iota + 1
	// GlobalStays: the global section keeps its deprecated name, which would
	// beat the new one.
	GlobalStays
	// Mixed: a route has the new name already, and the deprecated one of the
	// global section beats it.
	Mixed
	// Joined: the deprecated name adds to a list that stands elsewhere.
	Joined
	// Unwritable: the new name has no such value.
	Unwritable
)

// Rewrite replaces deprecated names on routes and in the global section
// together, because a global deprecated name left behind would beat every route. What Ocelot resolves stays the same, except where
// PreferDocumented asks for the documentation's answer. Texts keep their
// comments, indentation and line ends. Where the profile's version does not
// know the new names there is nothing to rewrite.
//
// The configuration must come from texts without syntax errors. Of several
// layers, a value that a later file hides is not seen: resolve the edited texts
// again and compare with SameAs.
func Rewrite(g *Gateway, opts RewriteOptions) Rewriting {
	if !g.Profile.KnowsNewNames() {
		return Rewriting{}
	}
	r := newRewriter(g, opts)
	for i := range renames {
		r.rename(&renames[i])
	}
	r.renameSections(g)
	r.result.Edits = r.texts.edits()
	return r.result
}

// rename is a deprecated name of QoSOptions and what replaced it in 24.1.
type rename struct {
	option              Option
	deprecated, current string
	values              func(*config.QoSOptions) (deprecated, current *config.Value[int32])
}

var renames = [...]rename{
	{BreakDuration, "DurationOfBreak", "BreakDuration", func(o *config.QoSOptions) (*config.Value[int32], *config.Value[int32]) {
		return &o.DurationOfBreak, &o.BreakDuration
	}},
	{MinimumThroughput, "ExceptionsAllowedBeforeBreaking", "MinimumThroughput", func(o *config.QoSOptions) (*config.Value[int32], *config.Value[int32]) {
		return &o.ExceptionsAllowedBeforeBreaking, &o.MinimumThroughput
	}},
	{Timeout, "TimeoutValue", "Timeout", func(o *config.QoSOptions) (*config.Value[int32], *config.Value[int32]) {
		return &o.TimeoutValue, &o.Timeout
	}},
}

type rewriter struct {
	opts   RewriteOptions
	texts  *objectTexts
	global *config.QoSOptions // nil if none
	routes []section
	result Rewriting
}

// section is the QoSOptions of a route.
type section struct {
	*config.QoSOptions
	route int
	// grouped says that the global section reaches the route.
	grouped bool
}

func newRewriter(g *Gateway, opts RewriteOptions) *rewriter {
	r := &rewriter{opts: opts, texts: newObjectTexts(g.Config.Tree)}
	if o := g.Config.Global.QoSOptions; o != nil {
		r.global = &o.QoSOptions
	}
	for i := range g.Routes {
		if base := g.Routes[i].Base(); base != nil && base.QoSOptions != nil {
			r.routes = append(r.routes, section{base.QoSOptions, i, g.Routes[i].Global != nil})
		}
	}
	return r
}

// rename replaces one name everywhere.
func (r *rewriter) rename(n *rename) {
	globalStays := false
	if r.global != nil {
		if globalStays = !r.canRename(n); globalStays {
			r.keep(n, r.global, Scattered)
		} else {
			r.replace(n, r.global)
		}
	}
	for i := range r.routes {
		s := &r.routes[i]
		switch {
		case !r.texts.plain(s.Node):
			r.keep(n, s.QoSOptions, Scattered)
		case globalStays && s.grouped:
			r.keep(n, s.QoSOptions, GlobalStays)
		default:
			r.outvote(n, s)
			r.replace(n, s.QoSOptions)
		}
	}
}

// canRename says whether the global section can have its new name: it is plain
// itself, or has no deprecated one, and so is every route whose value must go.
func (r *rewriter) canRename(n *rename) bool {
	if !r.texts.has(r.global.Node, n.deprecated) {
		return true
	}
	if !r.texts.plain(r.global.Node) {
		return false
	}
	for i := range r.routes {
		if s := &r.routes[i]; r.isOutvoted(n, s) && !r.opts.PreferDocumented && !r.texts.plain(s.Node) {
			return false
		}
	}
	return true
}

// isOutvoted says whether a global deprecated name beats a route's new name
// (claim-D14 to claim-D16).
func (r *rewriter) isOutvoted(n *rename, s *section) bool {
	if r.global == nil || !s.grouped {
		return false
	}
	winner, _ := n.values(r.global)
	deprecated, current := n.values(s.QoSOptions)
	return winner.IsSet() && current.IsSet() && !deprecated.IsSet()
}

// outvote takes out a route's value that is not in force, so that the renamed
// global one stays in force.
func (r *rewriter) outvote(n *rename, s *section) {
	if !r.isOutvoted(n, s) {
		return
	}
	winner, _ := n.values(r.global)
	_, current := n.values(s.QoSOptions)
	r.result.Outvoted = append(r.result.Outvoted, Outvoted{n.option, s.route, *current, *winner})
	if !r.opts.PreferDocumented {
		r.texts.remove(s.Node, n.current)
	}
}

// replace gives a section's deprecated name its new one. Of both names the
// deprecated one counts if it is set; the other member goes.
func (r *rewriter) replace(n *rename, s *config.QoSOptions) {
	if !r.texts.has(s.Node, n.deprecated) {
		return
	}
	deprecated, _ := n.values(s)
	switch {
	case !r.texts.has(s.Node, n.current):
	case deprecated.IsSet():
		r.texts.remove(s.Node, n.current)
	default:
		r.texts.remove(s.Node, n.deprecated)
		return
	}
	r.texts.rename(s.Node, n.deprecated, n.current)
	r.result.Renamed++
}

func (r *rewriter) keep(n *rename, s *config.QoSOptions, why KeptWhy) {
	if node := r.texts.member(s.Node, n.deprecated); node != 0 {
		r.result.Kept = append(r.result.Kept, Kept{node, why})
	}
}

// SameAs says whether two gateways resolve to the same: routes in order, with
// equal names, keys, options, breakers and timeouts. Where values stand does
// not matter.
func (g *Gateway) SameAs(o *Gateway) bool {
	if len(g.Routes) != len(o.Routes) || g.Finder != o.Finder {
		return false
	}
	for i := range g.Routes {
		a, b := &g.Routes[i], &o.Routes[i]
		if a.Kind != b.Kind || a.Index != b.Index || a.SharedWith != b.SharedWith || a.Name() != b.Name() ||
			a.LoadBalancerKey() != b.LoadBalancerKey() || !a.result().same(b.result()) {
			return false
		}
	}
	return true
}

func (r *Route) result() *result {
	return &result{QoS: r.QoS, timeouts: timeouts{route: r.RouteTimeout, outer: r.OuterTimeout}}
}
