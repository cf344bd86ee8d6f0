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
// that is not below it. It searches for the node from the root downwards, so
// it is for messages, not for loops.
func (t *Tree) Path(root, node ID) string {
	keys, _ := t.pathTo(root, node, nil)
	return strings.Join(keys, ":")
}

func (t *Tree) pathTo(at, node ID, keys []string) ([]string, bool) {
	if at == node {
		return keys, true
	}
	position := 0
	for c := range t.Children(at) {
		key := t.Key(c)
		if t.Node(at).Kind == Array {
			key = strconv.Itoa(position)
		}
		if found, ok := t.pathTo(c, node, append(keys, key)); ok {
			return found, true
		}
		position++
	}
	return nil, false
}
