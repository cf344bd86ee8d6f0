package schema

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/syntax"
)

// examine says everything about a part of the configuration in which the walk
// has found something.
func (c *checker) examine(at *place) {
	in := instance{tree: c.tree, known: c.known, quiet: &c.quiet, places: map[string]*place{}}
	names := map[*place]bool{}
	for _, broken := range in.judge(at) {
		switch broken.keyword {
		case "additionalProperties":
			if !names[broken.at] {
				names[broken.at] = true
				c.names(broken.at)
			}
		case "required":
			c.incomplete(broken.at)
		default:
			c.value(broken.at)
		}
	}
	for _, p := range in.order {
		c.null(p)
		if c.tree.Node(p.id).Flags&syntax.AlsoValue != 0 {
			c.colons(p)
		}
		if p.shape.own() && c.tree.Node(p.id).First != 0 {
			c.resilience = append(c.resilience, p.id)
		}
	}
}

// incomplete reports an entry that lacks what its class cannot do without.
func (c *checker) incomplete(at *place) {
	var missing []string
	for _, name := range at.shape.required {
		if !c.hasMember(at, name) {
			missing = append(missing, fmt.Sprintf("%q", name))
		}
	}
	d := c.finding(at, typeMismatch, diag.Error)
	d.Message = fmt.Sprintf("the entry has no %s", strings.Join(missing, " and no "))
	d.Effect = "Ocelot drops this entry without a message"
	d.Help = "give it " + strings.Join(missing, " and ")
	if err := c.errors[at.id]; err != nil {
		d.Ocelot = err.Message
	}
	c.add(*d)
}

func (c *checker) hasMember(at *place, name string) bool {
	for id := range c.tree.Children(at.id) {
		if strings.EqualFold(c.tree.Key(id), name) && c.tree.Node(id).Kind != syntax.Null {
			return true
		}
	}
	return false
}

// null reports a null that versions of .NET read differently.
func (c *checker) null(at *place) {
	n := c.tree.Node(at.id)
	if n.Kind != syntax.Null || at.parent == nil {
		return
	}
	d := c.finding(at, nullValue, diag.Info)
	switch {
	case at.shape.nullMatters():
		d.Message = fmt.Sprintf("null for %q becomes %s with .NET 10, and with .NET 8 and 9 does not convert", at.name, zeroOf(at.shape))
		d.Effect = "with .NET 8 and 9 " + c.loss(at)
	case at.parent.shape.isDict() || at.parent.shape.isList() && at.shape.isText():
		d.Message = "null stays null with .NET 10, and is an empty text with .NET 8 and 9"
	default:
		return
	}
	d.Help = "write the value that is meant, or leave it out"
	c.add(*d)
}

func zeroOf(s *shape) string {
	if strings.HasSuffix(s.format, "boolean") {
		return "false"
	}
	return "0"
}

// finding returns a finding about a value.
func (c *checker) finding(at *place, rule string, severity diag.Severity) *diag.Diagnostic {
	id := c.holder(at)
	d := &diag.Diagnostic{Rule: rule, Severity: severity, Span: c.tree.Span(id), Subject: c.subject(at)}
	d.Cause = d.Subject.Option + "=" + c.tree.Text(id)
	return d
}
