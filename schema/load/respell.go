package load

import (
	"strings"

	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/syntax"
)

// respeller gives keys that layers spell in different ways the spelling that
// .NET shows. It matters for the entries of dictionaries, whose names are kept.
//
// Every provider puts the names that it has below a key, once for each longer
// key, in front of those of the providers before and sorts all of them; of
// names that are equal without regard to case the first one stays (recorded:
// layer.name-case, gen.three).
type respeller struct {
	tree *syntax.Tree
}

// keySource is what one layer has below a key.
type keySource struct {
	// node is the key in the layer's tree; 0 if it is not there.
	node syntax.ID
	// keys are the rests of the layer's keys as it spells them, for layers
	// whose tree does not tell; nil otherwise.
	keys []string
}

// respell goes through the children of a node for which more than one layer
// has something.
func (r *respeller) respell(id syntax.ID, sources []keySource) {
	if len(sources) < 2 {
		return
	}
	names := r.sorted(sources)
	array := r.tree.Node(id).Kind == syntax.Array
	for key, child := range keyed(r.tree, id) {
		if !array {
			for _, name := range names {
				if ordinal.Equal(name, key) {
					if name != key {
						r.tree.SetKey(child, name)
					}
					break
				}
			}
		}
		if r.tree.Node(child).First != 0 {
			r.respell(child, r.below(sources, key))
		}
	}
}

// sorted returns the names below a key in the order in which .NET has them.
func (r *respeller) sorted(sources []keySource) []string {
	var names []string
	for _, s := range sources {
		names = append(r.names(s), names...)
		introsort(names)
	}
	return names
}

// names returns the first steps of everything that a layer has below a key.
func (r *respeller) names(s keySource) []string {
	var names []string
	for _, key := range s.keys {
		step, _, _ := strings.Cut(key, ":")
		names = append(names, step)
	}
	if s.node == 0 || s.keys != nil {
		return names
	}
	for key, child := range keyed(r.tree, s.node) {
		for e := range Entries(r.tree, child, key) {
			if !e.Branch {
				names = append(names, key)
			}
		}
	}
	return names
}

// below returns what the layers have one step further down.
func (r *respeller) below(sources []keySource, step string) []keySource {
	var out []keySource
	for _, s := range sources {
		var next keySource
		for _, key := range s.keys {
			first, rest, more := strings.Cut(key, ":")
			if more && ordinal.Equal(first, step) {
				next.keys = append(next.keys, rest)
			}
		}
		if s.node != 0 {
			next.node = child(r.tree, s.node, step)
		}
		if next.keys != nil || next.node != 0 && s.keys == nil && r.tree.Node(next.node).First != 0 {
			out = append(out, next)
		}
	}
	return out
}
