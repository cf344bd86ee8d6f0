package load

import "github.com/margay-dev/margay/schema/syntax"

// copyNode returns a new node with everything that a node has. The children
// are shared.
func copyNode(tree *syntax.Tree, id syntax.ID) syntax.ID {
	n := *tree.Node(id)
	flags := n.Flags
	n.Flags &^= syntax.Replaced | syntax.AlsoValue
	c := tree.Add(n)
	if flags&syntax.Replaced != 0 {
		tree.SetKey(c, tree.Key(id))
		if n.First == 0 {
			tree.SetText(c, tree.Text(id))
		}
	}
	if flags&syntax.AlsoValue != 0 {
		tree.SetValue(c, tree.ValueOf(id))
	}
	return c
}

// copyChildren returns a copy of an object whose members are copies too, so
// that they can be changed.
func copyChildren(tree *syntax.Tree, object syntax.ID) syntax.ID {
	id := copyNode(tree, object)
	tree.Node(id).First = 0
	list := appender{tree: tree, parent: id}
	for member := range tree.Children(object) {
		list.add(member, tree.Key(member))
	}
	return id
}

// appender adds copies of nodes to a parent, in order: a node can stand in one
// list only.
type appender struct {
	tree         *syntax.Tree
	parent, last syntax.ID
}

func (a *appender) add(id syntax.ID, key string) {
	c := copyNode(a.tree, id)
	n := a.tree.Node(c)
	n.Next = 0
	if a.tree.Key(c) != key {
		a.tree.SetKey(c, key)
	}
	if a.last == 0 {
		a.tree.Node(a.parent).First = c
	} else {
		a.tree.Node(a.last).Next = c
	}
	a.last = c
}
