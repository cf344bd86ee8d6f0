package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/syntax"
)

// value reports a value that the schema refuses: a wrong kind of value, or a
// scalar that .NET does not convert.
func (c *checker) value(at *place) {
	kind := c.kind(at)
	switch {
	case c.colons(at):
	case at.shape.isList() || at.shape.types.has(objectType):
		if kind == syntax.Object || kind == syntax.Array {
			c.wrongContainer(at, kind)
		} else {
			c.scalarForContainer(at)
		}
	case kind == syntax.Object || kind == syntax.Array:
		c.containerForScalar(at, kind)
	default:
		c.unconverted(at)
	}
}

// kind returns what a place holds; a scalar beside children counts where a
// scalar belongs.
func (c *checker) kind(at *place) syntax.Kind { return c.tree.Node(c.holder(at)).Kind }

// holder returns the node that holds what a place is judged by.
func (c *checker) holder(at *place) syntax.ID {
	if id := c.tree.ValueOf(at.id); id != 0 && !at.shape.types.has(arrayType|objectType) {
		return id
	}
	return at.id
}

// unconverted reports a scalar that .NET does not convert.
func (c *checker) unconverted(at *place) {
	d := c.finding(at, typeMismatch, diag.Error)
	text := c.tree.Text(c.holder(at))
	d.Message = fmt.Sprintf("%s is not %s", c.quoted(at), at.shape.wanted())
	if tooLarge(text, at.shape) {
		d.Message = fmt.Sprintf("%s does not fit into %s", c.quoted(at), at.shape.wanted())
	}
	d.Effect = c.effect(at)
	if err := c.errors[c.holder(at)]; err != nil {
		d.Ocelot = err.Message
	}
	c.advise(d, at, text)
	c.add(*d)
}

// containerForScalar reports an object or array where a scalar belongs.
func (c *checker) containerForScalar(at *place, kind syntax.Kind) {
	d := c.finding(at, typeMismatch, diag.Error)
	d.Cause = d.Subject.Option + " is " + kind.String()
	d.Span = c.opening(at.id)
	d.Message = fmt.Sprintf("%s stands where %s takes %s", kind, c.called(at), at.shape.wanted())
	d.Effect = c.containerEffect(at, kind)
	if err := c.errors[at.id]; err != nil {
		d.Ocelot = err.Message
	}
	c.adviseScalar(d, at)
	c.add(*d)
}

// containerEffect says what becomes of an object or array where a scalar
// belongs: {} is null and [] is an empty text; what has members is a new
// instance of a nullable type and passed over where there is a value already.
func (c *checker) containerEffect(at *place, kind syntax.Kind) string {
	filled := c.tree.Node(at.id).First != 0
	switch {
	case c.inOwn(at):
		return "margay takes it as not set"
	case c.fails(at.id):
		return c.loss(at)
	case filled && at.shape.optional():
		return "Ocelot reads " + zeroOf(at.shape) + " instead"
	case filled && (at.shape.hasDefault || at.shape.nullMatters()):
		return "Ocelot keeps the default"
	case filled && at.shape.format == "char":
		return "Ocelot reads NUL instead"
	case filled:
		return c.loss(at)
	case kind == syntax.Object && slices.Contains(at.parent.shape.required, at.name):
		return "Ocelot drops this entry without a message"
	case kind == syntax.Object && at.shape.format == "char":
		return "Ocelot does not start"
	case kind == syntax.Array && at.shape.nullMatters():
		return c.loss(at)
	}
	return "Ocelot reads nothing from it"
}

// fails says whether the binder has stopped at a node or at a child of it.
func (c *checker) fails(id syntax.ID) bool {
	for child := range c.tree.Children(id) {
		if c.errors[child] != nil {
			return true
		}
	}
	return c.errors[id] != nil
}

// wrongContainer reports an object for a list, or a list for an object.
func (c *checker) wrongContainer(at *place, kind syntax.Kind) {
	d := c.finding(at, typeMismatch, diag.Error)
	d.Cause = d.Subject.Option + " is " + kind.String()
	d.Span = c.opening(at.id)
	d.Message = fmt.Sprintf("%s stands where %s takes %s", kind, c.called(at), at.shape.wanted())
	switch {
	case kind == syntax.Object && at.shape.items.isObject():
		d.Effect = "Ocelot takes its members for entries, and loses them"
		d.Help = "put it into brackets: [ { … } ]"
		d.Fix = c.wrap(at, "[", "]", "put the object into a list")
	case kind == syntax.Object:
		d.Effect = "Ocelot takes its values for elements"
		d.Help = "write a list: [ … ]"
	case at.shape.isDict():
		d.Effect = "Ocelot takes the positions 0, 1 … for keys"
		d.Help = "write an object: { … }"
	default:
		d.Effect = "Ocelot reads nothing from it"
		d.Help = "write an object: { … }"
	}
	if err := c.errors[at.id]; err != nil {
		d.Effect, d.Ocelot = c.loss(at), err.Message
	}
	c.add(*d)
}

// scalarForContainer reports a scalar where a list or an object belongs.
func (c *checker) scalarForContainer(at *place) {
	d := c.finding(at, ignoredScalar, diag.Error)
	d.Message = fmt.Sprintf("%s stands where %s takes %s", c.quoted(at), c.called(at), at.shape.wanted())
	d.Effect = c.ignored(at)
	if fixed, ok := asContainer(at, c.tree.Text(at.id)); ok {
		d.Help = "write " + fixed
		d.Fix = &diag.Fix{
			Title: fmt.Sprintf("write %s, which Ocelot then reads", fixed),
			Edits: []diag.Edit{{Span: c.tree.Span(at.id), NewText: fixed}},
		}
	} else {
		d.Help = "write " + at.shape.wanted()
	}
	c.add(*d)
}

// called names a place as the user wrote it.
func (c *checker) called(at *place) string {
	if at.name != "" || at.parent.shape.isDict() {
		return fmt.Sprintf("%q", at.name)
	}
	return fmt.Sprintf("an element of %q", at.parent.name)
}

// quoted returns a scalar as it stands in the file, shortened.
func (c *checker) quoted(at *place) string {
	const longest = 60
	text := c.tree.Text(c.holder(at))
	switch c.kind(at) {
	case syntax.String:
		if runes := []rune(text); len(runes) > longest {
			text = string(runes[:longest-1]) + "…"
		}
		return fmt.Sprintf("%q", text)
	case syntax.True, syntax.False:
		return strings.ToLower(text)
	case syntax.Null:
		return "null"
	}
	if len(text) > longest {
		text = text[:longest-1] + "…"
	}
	return text
}
