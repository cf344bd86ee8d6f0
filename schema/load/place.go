package load

import (
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// place is where a node stands: its name and value, or only the name of a
// container, which would cover too much.
func (l *loader) place(id syntax.ID) source.Span {
	n := l.tree.Node(id)
	if l.result.Kind(n.File) != UserFile {
		return source.Span{}
	}
	if n.KeyEnd == 0 {
		return l.tree.Span(id)
	}
	if n.First != 0 {
		return l.tree.KeySpan(id)
	}
	return l.tree.KeySpan(id).Join(l.tree.Span(id))
}

func spans(all ...source.Span) []source.Span {
	var out []source.Span
	for _, s := range all {
		if !s.IsZero() {
			out = append(out, s)
		}
	}
	return out
}
