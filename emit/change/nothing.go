package change

import (
	"bytes"
	"fmt"

	"github.com/margay-dev/margay/schema/prose"
)

// nothing says why two sides that differ in no way that counts are not the same
// text, if they are not.
func (c *comparison) nothing() string {
	routes := prose.Plural(int64(c.report.New.Routes), "route")
	switch {
	case c.old.result == nil || c.new.result == nil:
		return fmt.Sprintf("nothing changes for any route (%s)", routes)
	case c.sameBytes():
		return fmt.Sprintf("nothing changes: both are the same, byte by byte (%s)", routes)
	case c.reordered():
		return fmt.Sprintf("only the order of routes differs: every request is taken by the same route as before, and nothing changes for any of %s", routes)
	case sameNode(c.old.result.Loaded.Tree, c.old.result.Loaded.Root, c.new.result.Loaded.Tree, c.new.result.Loaded.Root):
		return fmt.Sprintf("only comments, layout or the order of names differ: nothing changes for any route (%s)", routes)
	}
	return fmt.Sprintf("what is written differs, and comes to the same: nothing changes for any route (%s)", routes)
}

func (c *comparison) sameBytes() bool {
	a, b := c.old.result.Loaded.Texts, c.new.result.Loaded.Texts
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !bytes.Equal(a[i].File.Raw(), b[i].File.Raw()) {
			return false
		}
	}
	return true
}

// reordered says whether the routes stand in another order.
func (c *comparison) reordered() bool {
	last := -1
	for _, j := range c.partner {
		if j < last {
			return true
		}
		last = j
	}
	return false
}
