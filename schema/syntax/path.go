package syntax

import (
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/load/ordinal"
)

// Find returns the member of an object with the given name, without regard to
// case as .NET compares names; 0 if there is none. Of several the last wins.
func (t *Tree) Find(object ID, name string) ID {
	var found ID
	for c := range t.Children(object) {
		if ordinal.Equal(t.Key(c), name) {
			found = c
		}
	}
	return found
}

// Path returns the configuration key of a node below root as .NET writes it,
// such as "Routes:2:QoSOptions:Timeout"; "" for the root itself and for a node
// that is not below it. It goes through the siblings before the node at every
// level, so it is for messages, not for loops over all nodes.
func (t *Tree) Path(root, node ID) string {
	keys, ok := t.descend(root, node)
	if !ok {
		keys, _ = t.search(root, node, nil)
	}
	return strings.Join(keys, ":")
}

// descend finds a node by the order of IDs that Parse gives: the node is below
// the last child whose ID is not greater. It fails among nodes that loading has
// put together.
func (t *Tree) descend(at, node ID) (keys []string, ok bool) {
	for at != node {
		position, last, below := 0, ID(0), 0
		for c := range t.Children(at) {
			if c > node || c <= last {
				break
			}
			last, below = c, position
			position++
		}
		if last == 0 {
			return nil, false
		}
		keys = append(keys, t.step(at, last, below))
		at = last
	}
	return keys, true
}

// search looks at every node below at.
func (t *Tree) search(at, node ID, keys []string) ([]string, bool) {
	if at == node {
		return keys, true
	}
	position := 0
	for c := range t.Children(at) {
		if found, ok := t.search(c, node, append(keys, t.step(at, c, position))); ok {
			return found, true
		}
		position++
	}
	return nil, false
}

// step returns what a child adds to the key of its parent.
func (t *Tree) step(parent, child ID, position int) string {
	if t.Node(parent).Kind == Array {
		return strconv.Itoa(position)
	}
	return t.Key(child)
}
