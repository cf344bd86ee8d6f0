package change

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/prose"
)

// blocks groups routes of which the same is said. Routes that come or go stand
// alone: each has requests of its own.
func blocks(routes []Route) []prose.Block[Route] {
	return prose.Group(routes, func(r *Route) (string, bool) {
		var b strings.Builder
		b.WriteString(string(r.Kind))
		for i := range r.Changes {
			c := &r.Changes[i]
			fmt.Fprintf(&b, "\x00%s\x00%s\x00%v", c.Text, c.Detail, c.LessProtected)
		}
		return b.String(), r.Kind == Changed
	})
}

// alsoText names the others of a block, each with the place of its first change.
func (t *texting) alsoText(b *prose.Block[Route]) string {
	return prose.AlsoAt(t.View, b, func(r *Route) (name, place string) { return r.ID, t.where(r.Changes[0].At) })
}
