package load

import (
	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// noteLost notes what the merge does not take from a part.
func (g *merging) noteLost(part syntax.ID, global bool, file *source.File) {
	for id := range g.tree.Children(part) {
		name := g.tree.Key(id)
		switch {
		case ordinal.Equal(name, "GlobalConfiguration"):
			if !global {
				g.result.note(Note{Kind: GlobalOutsideGlobalFile, At: g.tree.KeySpan(id), File: file.Name})
			}
		case !merged(name):
			g.result.note(Note{Kind: SectionIgnored, At: g.tree.KeySpan(id), Text: name, File: file.Name})
		}
	}
}

func merged(section string) bool {
	for _, name := range []string{"Routes", "DynamicRoutes", "Aggregates"} {
		if ordinal.Equal(section, name) {
			return true
		}
	}
	return false
}

// noteOrder notes sections whose order is that of the directory in the
// program: more than one part contributed.
func (g *merging) noteOrder() {
	for _, name := range []string{"Routes", "DynamicRoutes", "Aggregates"} {
		if from := g.from[name]; len(from) > 1 {
			g.result.note(Note{Kind: Sorted, At: from[1], Related: from[:1:1], Text: name})
		}
	}
}

// noteEncoding notes bytes that were not valid in the file's encoding.
func (l *loader) noteEncoding(file *source.File) {
	if len(file.Invalid) == 0 {
		return
	}
	all := make([]source.Span, len(file.Invalid))
	for i, at := range file.Invalid {
		all[i] = source.Span{File: file, Start: at, End: at + len("\uFFFD")}
	}
	l.result.note(Note{Kind: InvalidEncoding, At: all[0], Related: all[1:], Text: file.Encoding.String(), File: file.Name})
}
