package schema

import (
	stdruntime "runtime"
	"sync"

	"github.com/margay-dev/margay/schema/syntax"
)

// sideBySide is how many elements make a second goroutine worth its while.
const sideBySide = 4096

// elements checks the elements of a section one by one.
func (c *checker) elements(at *place) {
	var ids []syntax.ID
	for id := range c.tree.Children(at.id) {
		ids = append(ids, id)
	}
	for _, n := range c.notable(at.shape.items, ids) {
		c.report(&place{id: ids[n.index], shape: at.shape.items, parent: at, index: n.index}, n.verdict)
	}
}

// notice is an element about which something has to be said.
type notice struct {
	index   int
	verdict verdict
}

// notable returns the elements in which the walk finds something, in order.
// Large sections are walked in parts, side by side.
func (c *checker) notable(s *shape, ids []syntax.ID) []notice {
	parts := 1
	if len(ids) >= sideBySide {
		parts = stdruntime.GOMAXPROCS(0)
	}
	walks, found := make([]walk, parts), make([][]notice, parts)
	var wait sync.WaitGroup
	for part := range parts {
		walks[part] = walk{tree: c.tree, known: c.known, quiet: &c.quiet}
		wait.Go(func() {
			for i := len(ids) * part / parts; i < len(ids)*(part+1)/parts; i++ {
				if v := walks[part].judge(s, ids[i]); v != good {
					found[part] = append(found[part], notice{i, v})
				}
			}
		})
	}
	wait.Wait()
	var out []notice
	for part := range parts {
		out = append(out, found[part]...)
		c.resilience = append(c.resilience, walks[part].resilience...)
	}
	return out
}
