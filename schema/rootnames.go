package schema

import (
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/syntax"
)

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
