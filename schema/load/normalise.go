package load

import (
	"slices"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/syntax"
)

// normaliser turns one file's tree into configuration keys, as .NET's
// JsonConfigurationFileParser does: a colon in a name separates keys, members
// of the same name are united, a second scalar for a key is an error, and an
// empty object or array silently overwrites what the key had.
type normaliser struct {
	tree *syntax.Tree
	// found are the collisions, in the order of the text once normalise has
	// returned.
	found []collision
	// split are the members whose names have a colon.
	split []syntax.ID
}

// collision is a second value for a key.
type collision struct {
	kind          NoteKind
	first, second syntax.ID
	key           string
}

// normalise returns the normalised root. A tree without irregular objects is
// its own normal form and is returned as it is.
func (n *normaliser) normalise(root syntax.ID) syntax.ID {
	if n.regular(root) {
		return root
	}
	id := n.build(&slot{parts: []part{{node: root}}})
	if len(n.found) > 1 {
		order := map[syntax.ID]int{}
		n.number(root, order)
		slices.SortStableFunc(n.found, func(a, b collision) int { return order[a.second] - order[b.second] })
	}
	return id
}

// number numbers the nodes of a subtree in the order of the text. Places do
// not say it: parts of a merge come from different files.
func (n *normaliser) number(id syntax.ID, order map[syntax.ID]int) {
	order[id] = len(order)
	for child := range n.tree.Children(id) {
		n.number(child, order)
	}
}

// regular says whether no object in a subtree is irregular.
func (n *normaliser) regular(id syntax.ID) bool {
	if n.tree.Node(id).Flags&syntax.Irregular != 0 {
		return false
	}
	for child := range n.tree.Children(id) {
		if n.tree.Node(child).First != 0 && !n.regular(child) {
			return false
		}
	}
	return true
}

// markIrregular marks objects with members of one name, which the parser does
// not tell for members without a value that it has made up after an error. It
// says whether there are any.
func markIrregular(tree *syntax.Tree, id syntax.ID) bool {
	found := false
	var names grouping
	object := tree.Node(id).Kind == syntax.Object
	for child := range tree.Children(id) {
		if object {
			names.add(tree.Key(child), part{node: child})
		}
		found = markIrregular(tree, child) || found
	}
	for _, s := range names.slots {
		if len(s.parts) > 1 {
			tree.Node(id).Flags |= syntax.Irregular
			found = true
		}
	}
	return found
}

// slot is one configuration key with everything in the file that gives it
// something, in the order of the file.
type slot struct {
	name  string
	parts []part
}

// part is a node and the rest of a name with colons that leads to it.
type part struct {
	node syntax.ID
	rest []string
	// path is the key as this part spells it; depth counts its steps.
	path  string
	depth int
}

// build makes the node of a key.
func (n *normaliser) build(s *slot) syntax.ID {
	if len(s.parts) == 1 && s.parts[0].rest == nil && s.parts[0].depth > 0 && n.regular(s.parts[0].node) {
		return s.parts[0].node
	}
	value := n.value(s)
	kids := n.kids(s)
	if len(kids) == 0 {
		return value
	}
	id := n.container(s)
	if value != 0 {
		n.tree.SetValue(id, value)
	}
	list := appender{tree: n.tree, parent: id}
	for _, kid := range kids {
		list.add(n.build(kid), kid.name)
	}
	return id
}

// value finds the scalar of a key and notes the ones that collide.
func (n *normaliser) value(s *slot) syntax.ID {
	value := syntax.ID(0)
	for _, p := range s.parts {
		switch node := n.tree.Node(p.node); {
		case p.rest != nil || node.First != 0 || p.depth == 0:
			// Not at its key yet, or no leaf; an empty root gives no key.
		case node.Kind == syntax.Object || node.Kind == syntax.Array:
			if value != 0 {
				n.found = append(n.found, collision{DuplicateOverwritten, value, p.node, p.path})
			}
			value = p.node
		case node.Kind == syntax.Bad && (value == 0 || !n.quoted(node)):
			// A finding has been made for it already.
		case value != 0:
			n.found = append(n.found, collision{DuplicateKey, value, p.node, p.path})
		default:
			value = p.node
		}
	}
	return value
}

// quoted says whether a node is a string, though a bad one: the parser looks for
// its key before it decodes it.
func (n *normaliser) quoted(node *syntax.Node) bool {
	return node.Start < node.End && n.tree.Files[node.File].Text[node.Start] == '"'
}

// kids groups what stands below a key by the next step of the key.
func (n *normaliser) kids(s *slot) []*slot {
	var g grouping
	for _, p := range s.parts {
		if p.rest != nil {
			g.add(p.rest[0], p.below(p.rest[0], p.node, p.rest[1:]))
			continue
		}
		array := n.tree.Node(p.node).Kind == syntax.Array
		position := 0
		for child := range n.tree.Children(p.node) {
			if array {
				name := strconv.Itoa(position)
				g.add(name, p.below(name, child, nil))
				position++
				continue
			}
			steps := strings.Split(n.tree.Key(child), ":")
			if len(steps) > 1 {
				n.split = append(n.split, child)
			}
			g.add(steps[0], p.below(steps[0], child, steps[1:]))
		}
	}
	return g.slots
}

// below is the part one step further down.
func (p part) below(step string, node syntax.ID, rest []string) part {
	path := step
	if p.depth > 0 {
		path = p.path + ":" + step
	}
	if len(rest) == 0 {
		rest = nil
	}
	return part{node: node, rest: rest, path: path, depth: p.depth + 1}
}

// grouping collects slots by name, in order of first appearance.
type grouping struct {
	slots []*slot
	index map[uint32][]*slot
}

func (g *grouping) add(name string, p part) {
	if g.index == nil {
		g.index = map[uint32][]*slot{}
	}
	hash := ordinal.Hash(name)
	for _, s := range g.index[hash] {
		if ordinal.Equal(s.name, name) {
			s.parts = append(s.parts, p)
			return
		}
	}
	s := &slot{name: name, parts: []part{p}}
	g.slots = append(g.slots, s)
	g.index[hash] = append(g.index[hash], s)
}

// container makes an empty object, or an array if nothing but lists give this
// key children, whose place is that of the first part with children.
func (n *normaliser) container(s *slot) syntax.ID {
	model := syntax.Node{Kind: syntax.Object, Flags: syntax.Made}
	arrays := true
	for i, p := range s.parts {
		node := *n.tree.Node(p.node)
		if p.rest == nil && node.First == 0 {
			continue
		}
		if p.rest != nil || node.Kind != syntax.Array {
			arrays = false
		}
		if model.End == 0 || i == 0 {
			model.KeyStart, model.KeyEnd = node.KeyStart, node.KeyEnd
			model.Start, model.End, model.File = node.Start, node.End, node.File
			model.Flags = node.Flags & syntax.KeyEscaped
			if p.rest != nil {
				model.Flags |= syntax.Made
			}
		}
	}
	if arrays {
		model.Kind = syntax.Array
	}
	return n.tree.Add(model)
}
