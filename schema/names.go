package schema

import (
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/syntax"
)

// names reports the members of an object whose names Ocelot does not know.
func (c *checker) names(at *place) {
	for id := range c.tree.Children(at.id) {
		key := c.tree.Key(id)
		if s, _ := at.shape.find(key); s != nil || c.quiet.name(key) || c.tree.Node(id).Kind == syntax.Bad {
			continue
		}
		if was, ok := removedFrom(at.shape.class, key); ok && c.profile.Knows(was.first, was.gone) {
			continue
		}
		c.name(&place{id: id, shape: anything, parent: at, name: key})
	}
}

// namesBelow reports the names in an object and in all objects inside of it.
func (c *checker) namesBelow(at *place) {
	switch {
	case c.tree.Node(at.id).First == 0:
	case at.shape.isList():
		i := 0
		for id := range c.tree.Children(at.id) {
			c.namesBelow(&place{id: id, shape: at.shape.items, parent: at, index: i})
			i++
		}
	case at.shape.isObject():
		c.names(at)
		for id := range c.tree.Children(at.id) {
			if s, name := at.shape.find(c.tree.Key(id)); s != nil && s.types.has(arrayType|objectType) && !c.known.Is(id, profile.Unread) {
				c.namesBelow(&place{id: id, shape: s, parent: at, name: name})
			}
		}
	}
}

// fate is what a name is reported as.
type fate struct {
	rule string
	was  removal
	what invention
	// home is where the name belongs, near what it was meant to be.
	home, near string
}

// fateKey is what a fate depends on: the class and the name, and for words such
// as "on a route" the part of the configuration.
type fateKey struct{ class, part, name string }

// name reports one name.
func (c *checker) name(at *place) {
	key := fateKey{at.parent.shape.class, at.part(), at.name}
	f, known := c.fates[key]
	if !known {
		f = c.fate(at)
		c.fates[key] = f
	}
	switch f.rule {
	case removedName:
		c.removed(at, f.was)
	case inventedResilience:
		c.invented(at, f.what)
	case misplacedName:
		c.misplaced(at, f.home)
	default:
		if f.near != "" && !c.fits(at.id, at.parent.shape, f.near) {
			f.near = ""
		}
		c.unknown(at, f.near)
	}
}

// fate says what an unknown name is: what it once was, what it is elsewhere,
// what people take Ocelot to have, or a slip. The first that fits counts.
func (c *checker) fate(at *place) fate {
	owner := at.parent.shape
	near, slipped := slip(at.name, owner, c.readIn(at.parent))
	if slipped && strings.EqualFold(strings.TrimSpace(at.name), near) {
		return fate{near: near}
	}
	if was, ok := removedFrom(owner.class, at.name); ok {
		return fate{rule: removedName, was: was}
	}
	if what, ok := inventedName(at.name); ok && !owner.inside {
		return fate{rule: inventedResilience, what: what}
	}
	if home, ok := c.shapes.home(at); ok {
		return fate{rule: misplacedName, home: home}
	}
	if was, ok := removedAnywhere(at.name); ok && !c.profile.Knows(was.first, was.gone) {
		return fate{rule: removedName, was: was}
	}
	return fate{near: near}
}

// slip returns the name of an object that a name was most likely meant to be,
// among those that the release reads. A name of the other direction is never a
// slip: nobody means downstream who writes upstream.
func slip(name string, owner *shape, read func(string) bool) (string, bool) {
	candidates := make([]string, 0, len(owner.names))
	for _, known := range owner.names {
		if !opposite(name, known) && read(known) {
			candidates = append(candidates, known)
		}
	}
	if near, ok := diag.Suggest(name, candidates); ok {
		return near, true
	}
	return slipOfRemoved(name, owner)
}

// fits says whether a value could be that of a member: an object for an object,
// a list for a list, a scalar for a scalar.
func (c *checker) fits(id syntax.ID, owner *shape, name string) bool {
	s, _ := owner.find(name)
	kind := c.tree.Node(id).Kind
	switch {
	case s == nil || s.types == 0 || kind == syntax.Null:
		return true
	case kind == syntax.Array:
		return s.isList()
	case kind == syntax.Object:
		return s.types.has(objectType) && !s.isList()
	}
	return !s.types.has(objectType | arrayType)
}

func opposite(name, known string) bool {
	name, known = strings.ToLower(strings.TrimSpace(name)), strings.ToLower(known)
	return strings.HasPrefix(name, "up") && strings.HasPrefix(known, "down") ||
		strings.HasPrefix(name, "down") && strings.HasPrefix(known, "up")
}
