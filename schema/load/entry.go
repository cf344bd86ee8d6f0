package load

import (
	"iter"

	"github.com/margay-dev/margay/schema/syntax"
)

// Entry is one configuration key with what .NET stores for it.
type Entry struct {
	// Key is the whole key: "Routes:0:Timeout".
	Key string
	// Value is the stored text; Null says that it is null, which is not "".
	Value string
	Null  bool
	// Branch says that the key has no value of its own: it is only part of
	// longer keys, and null when asked for.
	Branch bool
	// Node is where it comes from.
	Node syntax.ID
}

// Entries yields the keys below a node of a normalised tree in the order of
// the tree, each before those that continue it. The node's own key is prefix,
// which is not yielded when it is empty.
func Entries(tree *syntax.Tree, root syntax.ID, prefix string) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		if root != 0 {
			entries(tree, root, prefix, prefix == "", yield)
		}
	}
}

func entries(tree *syntax.Tree, id syntax.ID, key string, root bool, yield func(Entry) bool) bool {
	if !root && !yield(entry(tree, id, key)) {
		return false
	}
	if tree.Node(id).First == 0 {
		return true
	}
	for name, child := range keyed(tree, id) {
		below := name
		if !root {
			below = key + ":" + name
		}
		if !entries(tree, child, below, false, yield) {
			return false
		}
	}
	return true
}

func entry(tree *syntax.Tree, id syntax.ID, key string) Entry {
	e := Entry{Key: key, Node: id}
	value := id
	if tree.Node(id).First != 0 {
		value = valueOfBranch(tree, id)
		e.Branch = value == 0
	}
	if value == 0 || null(tree, value) {
		e.Null = true
		return e
	}
	e.Value = tree.Text(value)
	return e
}
