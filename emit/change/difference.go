package change

import (
	"slices"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/syntax"
)

// difference returns the first difference between members of two routes, or of
// the global sections.
func (c *comparison) difference(old, new *entry, names []string) *Place {
	if c.old.result == nil || c.new.result == nil {
		return nil
	}
	if c.sameText {
		return c.firstWritten(new, names)
	}
	for _, of := range []struct{ old, new syntax.ID }{
		{sectionOf(old), sectionOf(new)},
		{c.old.result.Config.Global.Node, c.new.result.Config.Global.Node},
	} {
		for _, name := range names {
			if place := c.memberDifference(of.old, of.new, name); place != nil {
				return place
			}
		}
	}
	return c.memberDifference(sectionOf(old), sectionOf(new), "Key")
}

// optionDifference returns the first difference in what decides a QoS option: the
// route's own section, the global one, and which routes that one is for.
func (c *comparison) optionDifference(old, new *entry, field string) *Place {
	names, ok := options[field]
	if !ok || c.old.result == nil || c.new.result == nil {
		return nil
	}
	if c.sameText {
		return nil
	}
	a, b := c.old.result.Config, c.new.result.Config
	own := [2]syntax.ID{memberOf(a.Tree, sectionOf(old), "QoSOptions"), memberOf(b.Tree, sectionOf(new), "QoSOptions")}
	global := [2]syntax.ID{memberOf(a.Tree, a.Global.Node, "QoSOptions"), memberOf(b.Tree, b.Global.Node, "QoSOptions")}
	for _, of := range [][2]syntax.ID{own, global} {
		for _, name := range names {
			if place := c.memberDifference(of[0], of[1], name); place != nil {
				return place
			}
		}
	}
	if place := c.memberDifference(global[0], global[1], "RouteKeys"); place != nil {
		return place
	}
	return c.memberDifference(sectionOf(old), sectionOf(new), "Key")
}

// firstWritten returns the first of some members that stands in a route or in the
// global section, where both sides are one text that two programs read.
func (c *comparison) firstWritten(e *entry, names []string) *Place {
	tree := c.new.result.Config.Tree
	for _, of := range []syntax.ID{sectionOf(e), c.new.result.Config.Global.Node} {
		for _, name := range names {
			if id := memberOf(tree, of, name); id != 0 {
				return c.nodePlace(newSide, id)
			}
		}
	}
	return nil
}

// optionWritten returns the first option of QoSOptions that can decide a value, of
// the route before those of the global section.
func (c *comparison) optionWritten(e *entry, field string) *Place {
	names := options[field]
	switch {
	case !c.sameText:
		return nil
	case strings.HasPrefix(field, "breaker"), field == "failures.timeouts":
		names = slices.Concat(names, options["breaker"])
	case field == "outerTimeout":
		names = options["attemptTimeout"]
	}
	tree := c.new.result.Config.Tree
	if field == "outerTimeout" {
		if id := memberOf(tree, sectionOf(e), "Timeout"); id != 0 {
			return c.nodePlace(newSide, id)
		}
	}
	for _, of := range []syntax.ID{sectionOf(e), c.new.result.Config.Global.Node} {
		section := memberOf(tree, of, "QoSOptions")
		for _, name := range names {
			if id := memberOf(tree, section, name); id != 0 {
				return c.nodePlace(newSide, id)
			}
		}
	}
	return nil
}

func sectionOf(e *entry) syntax.ID {
	if e.source == nil || e.source.Kind == normalize.Unlisted {
		return 0
	}
	return e.source.Section().Node
}

func (c *comparison) memberDifference(old, new syntax.ID, name string) *Place {
	before, after := memberOf(c.old.result.Config.Tree, old, name), memberOf(c.new.result.Config.Tree, new, name)
	switch {
	case before == 0 && after == 0:
		return nil
	case before == 0:
		return c.nodePlace(newSide, after)
	case after == 0:
		return c.nodePlace(oldSide, before)
	}
	return c.within(before, after)
}

func memberOf(t *syntax.Tree, of syntax.ID, name string) syntax.ID {
	if of == 0 {
		return 0
	}
	return t.Find(of, name)
}

// within returns the innermost first difference of two nodes; nil where they say
// the same.
func (c *comparison) within(old, new syntax.ID) *Place {
	a, b := c.old.result.Config.Tree, c.new.result.Config.Tree
	if sameNode(a, old, b, new) {
		return nil
	}
	if a.Node(old).Kind != b.Node(new).Kind {
		return c.nodePlace(newSide, new)
	}
	switch b.Node(new).Kind {
	case syntax.Object:
		for child := range b.Children(new) {
			if before := a.Find(old, b.Key(child)); before == 0 {
				return c.nodePlace(newSide, child)
			} else if place := c.within(before, child); place != nil {
				return place
			}
		}
		for child := range a.Children(old) {
			if b.Find(new, a.Key(child)) == 0 {
				return c.nodePlace(oldSide, child)
			}
		}
	case syntax.Array:
		before := a.Node(old).First
		for child := range b.Children(new) {
			if before == 0 {
				return c.nodePlace(newSide, child)
			}
			if place := c.within(before, child); place != nil {
				return place
			}
			before = a.Node(before).Next
		}
	}
	return c.nodePlace(newSide, new)
}

func (c *comparison) nodePlace(side string, id syntax.ID) *Place {
	s := c.new
	if side == oldSide {
		s = c.old
	}
	t := s.result.Config.Tree
	if n := t.Node(id); !s.isUserFile(n.File) {
		return nil
	}
	if key := t.KeySpan(id); !key.IsZero() {
		return spanPlace(side, key)
	}
	return spanPlace(side, t.Span(id))
}
