package schema

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

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
