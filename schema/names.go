package schema

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
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

func (c *checker) unknown(at *place, near string) {
	d := c.about(at, unknownName, diag.Error)
	d.Message = fmt.Sprintf("Ocelot has no option %q %s", at.name, whereOf(at.parent))
	d.Effect = "Ocelot ignores it"
	d.Help = "remove it, or begin its name with \"_\" if it is a note"
	if near != "" {
		d.Help = fmt.Sprintf("did you mean %q?", near)
		d.Fix = c.rename(at, near)
	}
	if own := at.parent.shape; own.inside {
		d.Message = strings.Replace(d.Message, "Ocelot", "margay", 1)
		d.Effect = "margay ignores it"
	}
	c.add(*d)
}

func (c *checker) misplaced(at *place, home string) {
	d := c.about(at, misplacedName, diag.Error)
	d.Message = fmt.Sprintf("%q has no meaning %s: it belongs %s", at.name, whereOf(at.parent), home)
	d.Effect = "Ocelot ignores it here"
	d.Help = "move it " + strings.Replace(strings.Replace(home, "in ", "into ", 1), "on ", "to ", 1)
	c.add(*d)
}

func (c *checker) invented(at *place, what invention) {
	d := c.about(at, inventedResilience, diag.Error)
	d.Message = fmt.Sprintf("no version of Ocelot has %q", at.name)
	d.Effect = "Ocelot ignores it"
	d.Help = what.help
	c.add(*d)
}

func (c *checker) removed(at *place, was removal) {
	d := c.about(at, removedName, diag.Error)
	d.Message = fmt.Sprintf("Ocelot reads no %q since %s", at.name, strings.TrimSuffix(was.gone, ".0"))
	d.Effect = "Ocelot ignores it"
	d.Help = was.help
	if was.now != "" {
		d.Message = fmt.Sprintf("%q is called %q since Ocelot %s", at.name, was.now, strings.TrimSuffix(was.gone, ".0"))
		d.Effect = "Ocelot ignores the old name"
		d.Help = fmt.Sprintf("rename it to %q", was.now)
		d.Fix = c.rename(at, was.now)
		if c.profile.Had(was.first, was.gone) {
			d.Effect = fmt.Sprintf("%s reads it, yet nothing of that release is recorded: margay follows %s, which ignores it", c.profile.Asked, c.profile.Version)
			d.Help = fmt.Sprintf("rename it to %q with the move to Ocelot %s", was.now, strings.TrimSuffix(was.gone, ".0"))
			d.Fix = nil
		}
	} else if d.Help == "" {
		d.Help = "remove it"
	}
	c.add(*d)
}

// about returns a finding about a member's name.
func (c *checker) about(at *place, rule string, severity diag.Severity) *diag.Diagnostic {
	d := &diag.Diagnostic{Rule: rule, Severity: severity, Span: c.nameSpan(at.id), Subject: c.subject(at)}
	d.Cause = at.parent.shape.class + "." + strings.ToLower(at.name)
	return d
}

// nameSpan returns the place of a member's name, or of its value where the
// name stands in no file.
func (c *checker) nameSpan(id syntax.ID) source.Span {
	if span := c.tree.KeySpan(id); !span.IsZero() {
		return span
	}
	return c.tree.Span(id)
}

// rename returns the edit that renames a member, nil where the new name is
// taken: a duplicate name would stop Ocelot's start.
func (c *checker) rename(at *place, name string) *diag.Fix {
	if c.tree.KeySpan(at.id).IsZero() {
		return nil
	}
	for id := range c.tree.Children(at.parent.id) {
		if strings.EqualFold(c.tree.Key(id), name) {
			return nil
		}
	}
	return &diag.Fix{
		Title: fmt.Sprintf("rename %q to %q, which Ocelot then reads", at.name, name),
		Edits: []diag.Edit{{Span: c.tree.KeySpan(at.id), NewText: `"` + name + `"`}},
	}
}

// rootNames reports what is wrong with the names beside Ocelot's sections. The
// other sections of a file are the application's own business: only removed
// names, options of Ocelot and near misses of its sections are reported.
//
// A file that is not JSON may have lost a bracket, and then members of its
// routes stand at the top: that has been said already.
func (c *checker) rootNames(at *place) {
	for i := range c.res.Texts {
		if len(c.res.Texts[i].Defects) > 0 {
			return
		}
	}
	for id := range c.tree.Children(at.id) {
		key := c.tree.Key(id)
		if s, _ := at.shape.find(key); s != nil || c.quiet.name(key) || c.applicationFile(id) {
			continue
		}
		member := &place{id: id, shape: anything, parent: at, name: key}
		if was, ok := removedFrom("", key); ok {
			c.removed(member, was)
		} else if home, ok := c.shapes.home(member); ok {
			c.misplaced(member, home)
		} else if near, ok := sectionSlip(key); ok && c.tree.Node(id).Kind >= syntax.Array {
			c.unknown(member, near)
		}
	}
}

// applicationFile says whether a member stands in a file that holds the
// settings of the whole application.
func (c *checker) applicationFile(id syntax.ID) bool {
	span := c.tree.Span(id)
	if span.File == nil {
		return true
	}
	name := span.File.Name
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	return strings.HasPrefix(strings.ToLower(name), "appsettings")
}

// sectionSlip returns the section of Ocelot that differs from a name in one
// letter or in blanks. Sections of applications have names such as "Roles", so
// more is not taken for a slip.
func sectionSlip(name string) (string, bool) {
	trimmed := strings.TrimSpace(name)
	for _, section := range []string{"Routes", "DynamicRoutes", "Aggregates", "GlobalConfiguration"} {
		if strings.EqualFold(trimmed, section) {
			return section, true
		}
		if near, ok := diag.Suggest(trimmed, []string{section}); ok && nearLength(trimmed, near) {
			return near, true
		}
	}
	return "", false
}

// nearLength says whether so few letters differ that a name of this length
// can't be a word of its own.
func nearLength(name, section string) bool {
	if len(section) > 8 {
		return true
	}
	longer, shorter := strings.ToLower(name), strings.ToLower(section)
	if len(longer) < len(shorter) {
		longer, shorter = shorter, longer
	}
	if len(longer) == len(shorter) || len(longer) > len(shorter)+1 {
		return false
	}
	for i := range longer {
		if longer[:i]+longer[i+1:] == shorter {
			return true
		}
	}
	return false
}
