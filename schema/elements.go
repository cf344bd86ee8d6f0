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
	for _, i := range c.notable(at.shape.items, ids) {
		c.examine(&place{id: ids[i], shape: at.shape.items, parent: at, index: i})
	}
}

// notable returns the positions of the elements in which the walk finds
// something, ascending. Large sections are walked in parts, side by side.
func (c *checker) notable(s *shape, ids []syntax.ID) []int {
	parts := 1
	if len(ids) >= sideBySide {
		parts = stdruntime.GOMAXPROCS(0)
	}
	walks, found := make([]walk, parts), make([][]int, parts)
	var wait sync.WaitGroup
	for part := range parts {
		walks[part] = walk{tree: c.tree, quiet: &c.quiet}
		wait.Go(func() {
			for i := len(ids) * part / parts; i < len(ids)*(part+1)/parts; i++ {
				if !walks[part].unit(s, ids[i]) {
					found[part] = append(found[part], i)
				}
			}
		})
	}
	wait.Wait()
	var out []int
	for part := range parts {
		out = append(out, found[part]...)
		c.resilience = append(c.resilience, walks[part].resilience...)
	}
	return out
}
