package load

import (
	"fmt"

	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/syntax"
)

// section merges one section of a part: an array is appended, an object
// replaces everything, anything else is ignored.
func (g *merging) section(part syntax.ID, name string) {
	from, to := memberOf(g.tree, part, name), memberOf(g.tree, g.root, name)
	if from == 0 || to == 0 {
		return
	}
	switch g.tree.Node(from).Kind {
	case syntax.Object:
		g.replace(to, from, name)
	case syntax.Array:
		if g.tree.Node(to).Kind != syntax.Array {
			g.result.fail(nullReference(g.place(from), fmt.Sprintf("%q is a list here, which the merge cannot put to the object that it has", name), g.listRemedy(name)))
			return
		}
		g.from[name] = append(g.from[name], spans(g.tree.KeySpan(from))...)
		g.append(to, from)
		g.tree.SetKey(to, name)
	}
}

// memberOf returns the first member with a name, without regard to case.
func memberOf(tree *syntax.Tree, object syntax.ID, name string) syntax.ID {
	for id := range tree.Children(object) {
		if ordinal.Equal(tree.Key(id), name) {
			return id
		}
	}
	return 0
}

// append adds a part's elements to a section. The section stands where the
// first part with elements has it.
func (g *merging) append(to, from syntax.ID) {
	list := appender{tree: g.tree, parent: to, last: g.tail(to)}
	for id := range g.tree.Children(from) {
		list.add(id, "")
	}
	g.last[to] = list.last
	if n, f := g.tree.Node(to), g.tree.Node(from); f.First != 0 && g.result.Kind(n.File) != UserFile {
		n.File, n.Start, n.End, n.KeyStart, n.KeyEnd = f.File, f.Start, f.End, f.KeyStart, f.KeyEnd
	}
}

// tail returns the last element of an array, which is found once only.
func (g *merging) tail(array syntax.ID) syntax.ID {
	last, known := g.last[array]
	if !known {
		for id := range g.tree.Children(array) {
			last = id
		}
	}
	return last
}

// replace puts an object into the place of a section.
func (g *merging) replace(to, from syntax.ID, name string) {
	if lost := g.from[name]; len(lost) > 0 {
		g.result.note(Note{Kind: ReplacedSection, At: g.tree.KeySpan(from), Related: lost, Text: name})
	}
	g.from[name] = append(g.from[name], spans(g.tree.KeySpan(from))...)
	next := g.tree.Node(to).Next
	n := *g.tree.Node(from)
	n.Next = next
	n.Flags &^= syntax.Replaced | syntax.AlsoValue
	*g.tree.Node(to) = n
	g.tree.SetKey(to, name)
	delete(g.last, to)
}

// listRemedy says what to write for a list that the merge cannot take.
func (g *merging) listRemedy(name string) string {
	if ordinal.Equal(name, "GlobalConfiguration") {
		return "write an object: { … }"
	}
	return "write a list in every file that is merged: " + name + " was an object in one before"
}
