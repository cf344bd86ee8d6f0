package upgrade

import (
	"strings"

	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/schema/prose"
)

// blocks groups routes of which the same is said. Routes that are gone stand
// alone: each has requests of its own.
func blocks(routes []Route) []prose.Block[Route] {
	return prose.Group(routes, func(r *Route) (string, bool) {
		var b strings.Builder
		b.WriteString(string(r.Kind))
		for i := range r.Changes {
			item := &r.Changes[i]
			for _, part := range [...]string{string(item.Danger), item.Text, item.Detail} {
				b.WriteByte(0)
				b.WriteString(part)
			}
			for _, surprise := range item.Surprises {
				b.WriteByte(1)
				b.WriteString(surprise)
			}
		}
		return b.String(), r.Kind == change.Changed
	})
}

// alsoText names the others of a block, each with the place of its first change.
func (t *texting) alsoText(b *prose.Block[Route]) string {
	return prose.AlsoAt(t.View, b, func(r *Route) (name, place string) { return r.ID, t.where(r.Changes[0].At) })
}
