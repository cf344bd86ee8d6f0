package load

import (
	"strconv"

	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/syntax"
)

// overlayer puts one configuration over another key by key, as a later
// provider does in .NET: a key's value is that of the last provider that has
// the key, and the children of a key are those of all providers together.
// Nothing is ever removed or shortened, and lists are overlaid by position.
type overlayer struct {
	tree *syntax.Tree
	// listOverlaid is called for every list of objects below which something
	// is replaced by position.
	listOverlaid func(base, over syntax.ID)
	// respelled says that two layers spell a key differently.
	respelled bool
}

// overlay returns the node for base under over. Both are normalised; either
// may be 0. Neither is changed: nodes that differ from both are new ones.
func (o *overlayer) overlay(base, over syntax.ID) syntax.ID {
	switch {
	case base == 0:
		return over
	case over == 0:
		return base
	case !o.hasChildren(over):
		return o.valueOver(base, over)
	case !o.hasChildren(base):
		return o.childrenOver(base, over)
	}
	return o.unite(base, over)
}

func (o *overlayer) hasChildren(id syntax.ID) bool { return o.tree.Node(id).First != 0 }

// valueOver replaces base's value and keeps its children.
func (o *overlayer) valueOver(base, over syntax.ID) syntax.ID {
	if !o.hasChildren(base) {
		return over
	}
	id := copyNode(o.tree, base)
	if key := o.tree.Key(over); key != o.tree.Key(base) {
		o.tree.SetKey(id, key)
	}
	o.tree.SetValue(id, over)
	return id
}

// childrenOver gives over's children the value that base has, unless over has
// one itself.
func (o *overlayer) childrenOver(base, over syntax.ID) syntax.ID {
	if o.tree.ValueOf(over) != 0 || null(o.tree, base) {
		return over
	}
	id := copyNode(o.tree, over)
	o.tree.SetValue(id, base)
	return id
}

// unite overlays two nodes that both have children.
func (o *overlayer) unite(base, over syntax.ID) syntax.ID {
	id := copyNode(o.tree, over)
	if value := valueOfBranch(o.tree, base); value != 0 && valueOfBranch(o.tree, over) == 0 {
		o.tree.SetValue(id, value)
	}
	arrays := o.tree.Node(base).Kind == syntax.Array && o.tree.Node(over).Kind == syntax.Array
	if !arrays {
		o.tree.Node(id).Kind = syntax.Object
	}
	if arrays {
		o.uniteLists(id, base, over)
		return id
	}
	list := children{tree: o.tree, parent: id}
	list.addAll(base)
	list.overlayAll(o, over)
	list.link()
	return id
}

// uniteLists overlays two lists by position.
func (o *overlayer) uniteLists(parent, base, over syntax.ID) {
	if o.listOverlaid != nil {
		o.listOverlaid(base, over)
	}
	list := appender{tree: o.tree, parent: parent}
	o.tree.Node(parent).First = 0
	base, over = o.tree.Node(base).First, o.tree.Node(over).First
	for base != 0 || over != 0 {
		list.add(o.overlay(base, over), "")
		base, over = o.tree.Node(base).Next, o.tree.Node(over).Next
	}
}

// children collects the children of a node that is being made.
type children struct {
	tree   *syntax.Tree
	parent syntax.ID
	ids    []syntax.ID
	keys   []string
	index  map[uint32][]int
}

func (c *children) addAll(parent syntax.ID) {
	c.index = map[uint32][]int{}
	for key, child := range keyed(c.tree, parent) {
		c.add(key, child)
	}
}

func (c *children) add(key string, child syntax.ID) {
	hash := ordinal.Hash(key)
	c.index[hash] = append(c.index[hash], len(c.ids))
	c.ids, c.keys = append(c.ids, child), append(c.keys, key)
}

func (c *children) overlayAll(o *overlayer, parent syntax.ID) {
	for key, child := range keyed(c.tree, parent) {
		if at := c.find(key); at >= 0 {
			o.respelled = o.respelled || c.keys[at] != key
			c.ids[at], c.keys[at] = o.overlay(c.ids[at], child), key
			continue
		}
		c.add(key, child)
	}
}

func (c *children) find(key string) int {
	for _, at := range c.index[ordinal.Hash(key)] {
		if ordinal.Equal(c.keys[at], key) {
			return at
		}
	}
	return -1
}

// link makes the collected nodes the members of the parent, an object: elements
// of a list become members named after their position.
func (c *children) link() {
	list := appender{tree: c.tree, parent: c.parent}
	for i, child := range c.ids {
		list.add(child, c.keys[i])
	}
}

// keyed yields the children of a node with their configuration keys: the name
// of a member, the position of an element.
func keyed(tree *syntax.Tree, parent syntax.ID) func(yield func(string, syntax.ID) bool) {
	return func(yield func(string, syntax.ID) bool) {
		array, position := tree.Node(parent).Kind == syntax.Array, 0
		for child := range tree.Children(parent) {
			key := ""
			if array {
				key = strconv.Itoa(position)
				position++
			} else {
				key = tree.Key(child)
			}
			if !yield(key, child) {
				return
			}
		}
	}
}

// valueOfBranch returns the scalar beside a node's children, 0 if none.
func valueOfBranch(tree *syntax.Tree, id syntax.ID) syntax.ID {
	if tree.Node(id).Flags&syntax.AlsoValue == 0 {
		return 0
	}
	return tree.ValueOf(id)
}

// null says whether a node without children stands for null: null itself or
// {}, but not [], which is an empty text.
func null(tree *syntax.Tree, id syntax.ID) bool {
	kind := tree.Node(id).Kind
	return kind == syntax.Null || kind == syntax.Object
}
