package schema

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/syntax"
)

// older reports what the profile's release reads otherwise than the newest one:
// names that it does not know yet, and texts and nulls that it does not take
// where that one does.
func (c *checker) older(root syntax.ID) {
	names := c.profile.Names()
	if names == nil || root == 0 || c.tree.Node(root).Kind != syntax.Object {
		return
	}
	c.olderBelow(&place{id: root, shape: c.shapes.root}, names)
}

func (c *checker) olderBelow(at *place, names *profile.Names) {
	i := 0
	for id := range c.tree.Children(at.id) {
		if names.Items != nil {
			c.olderBelow(&place{id: id, shape: orAny(at.shape.items), parent: at, index: i}, names.Items)
			i++
			continue
		}
		key := c.tree.Key(id)
		member := names.Member(key)
		s, name := at.shape.find(key)
		if member == nil || s == nil || c.tree.Node(id).Kind == syntax.Bad {
			continue
		}
		inside := &place{id: id, shape: s, parent: at, name: name}
		switch member.Reading {
		case profile.Unread:
			if !c.quiet.name(key) {
				c.unread(inside, member.Until)
			}
			continue
		case profile.NotNullable:
			c.notNullable(inside)
		}
		c.olderBelow(inside, member)
	}
}

// unread reports a name that came with a later release.
func (c *checker) unread(at *place, since profile.Release) {
	d := c.about(at, unknownName, diag.Error)
	d.Message = fmt.Sprintf("Ocelot %s has no option %q %s: it came with %s", c.profile.Reader(), at.name, whereOf(at.parent), since.Short())
	d.Effect = "Ocelot ignores it"
	d.Help = "remove it, or move to Ocelot " + since.Short()
	if old, ok := olderName(at); ok {
		d.Help = fmt.Sprintf("write %q", old)
		if d.Fix = c.rename(at, old); d.Fix != nil {
			d.Fix.Unsafe = true // it switches on what was off
		}
	} else if here, there, ok := c.otherLevel(at); ok {
		d.Message = fmt.Sprintf("Ocelot %s has no option %q in the %q of %s, but in that of %s: it came with %s",
			c.profile.Reader(), at.name, at.parent.name, here, there, since.Short())
		d.Help = fmt.Sprintf("move it into the %q of %s, or move to Ocelot %s", at.parent.name, there, since.Short())
	}
	c.add(*d)
}

// otherLevel says where the release reads a member of a section of a route: in
// the same section of GlobalConfiguration, or the other way round.
func (c *checker) otherLevel(at *place) (here, there string, ok bool) {
	if at.parent.parent == nil {
		return "", "", false
	}
	names, other := c.profile.Names(), (*profile.Names)(nil)
	switch at.parent.parent.shape.class {
	case "Route":
		here, there, other = "a route", "GlobalConfiguration", names.Member("GlobalConfiguration")
	case "GlobalConfiguration":
		here, there = "GlobalConfiguration", "a route"
		if routes := names.Member("Routes"); routes != nil {
			other = routes.Items
		}
	default:
		return "", "", false
	}
	section := other.Member(at.parent.name)
	return here, there, section.Reads() && section.Member(at.name).Reads()
}

// olderName returns the name that an option had before it got its own.
func olderName(at *place) (string, bool) {
	name := ""
	switch class := strings.TrimPrefix(at.parent.shape.class, "Global"); {
	case class == "QoSOptions":
		name = map[string]string{
			"BreakDuration": "DurationOfBreak", "MinimumThroughput": "ExceptionsAllowedBeforeBreaking", "Timeout": "TimeoutValue",
		}[at.name]
	case class == "Route" && at.name == "CacheOptions":
		name = "FileCacheOptions"
	}
	return name, name != ""
}

// notNullable reports a null or an empty text where the release has a type that
// takes neither.
func (c *checker) notNullable(at *place) {
	n := c.tree.Node(c.holder(at))
	switch {
	case n.Kind == syntax.String && c.tree.Text(c.holder(at)) == "":
		c.unconverted(at)
	case n.Kind == syntax.Null:
		d := c.finding(at, nullValue, diag.Info)
		d.Message = fmt.Sprintf("null for %q becomes %s with .NET 10, and with .NET 8 and 9 does not convert", at.name, zeroOf(at.shape))
		d.Effect = "with .NET 8 and 9 " + c.loss(at)
		d.Help = "write the value that is meant, or leave it out"
		c.add(*d)
	}
}

// readIn returns what says whether the release reads a member of an object.
func (c *checker) readIn(owner *place) func(name string) bool {
	names := c.namesOf(owner)
	return func(name string) bool {
		return names.Member(name).Reads()
	}
}

// namesOf returns the names at a place.
func (c *checker) namesOf(at *place) *profile.Names {
	if at.parent == nil {
		return c.profile.Names()
	}
	names := c.namesOf(at.parent)
	if names == nil {
		return nil
	}
	if at.parent.shape.isList() {
		return names.Items
	}
	return names.Member(at.name)
}
