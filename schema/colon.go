package schema

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/syntax"
)

// colons reports an entry of a dictionary whose name is split at colons, and
// says whether it is one. Elsewhere a name with a colon is another way to write
// an object within an object, and works.
func (c *checker) colons(at *place) bool {
	if at.parent == nil || !at.parent.shape.isDict() {
		return false
	}
	names := c.splitNames(at.id)
	for _, id := range names {
		name := c.written(id)
		d := diag.Diagnostic{
			Rule: colonInKey, Severity: diag.Error, Span: c.tree.KeySpan(id), Subject: c.subject(at), Cause: name,
			Message: fmt.Sprintf("%q contains a colon, at which .NET splits names into objects within objects", name),
			Effect:  c.loss(at),
			Help:    "write a name without a colon",
		}
		if at.parent.name == "RouteClaimsRequirement" {
			d.Help = "map the claim to a type without a colon in code, and write that"
		}
		if err := c.errors[at.id]; err != nil {
			d.Ocelot = err.Message
		}
		c.add(d)
	}
	return len(names) > 0
}

// splitNames returns the nodes at and below an entry that stand for names with
// colons, one for each name in the file.
func (c *checker) splitNames(id syntax.ID) []syntax.ID {
	var out []syntax.ID
	seen := map[uint32]bool{}
	var visit func(syntax.ID)
	visit = func(id syntax.ID) {
		if n := c.tree.Node(id); !seen[n.KeyStart] && strings.Contains(c.written(id), ":") {
			seen[n.KeyStart] = true
			out = append(out, id)
		}
		for child := range c.tree.Children(id) {
			visit(child)
		}
	}
	visit(id)
	return out
}

// written returns the name of a member as it stands in the file.
func (c *checker) written(id syntax.ID) string {
	return strings.Trim(c.tree.KeySpan(id).Text(), `"`)
}
