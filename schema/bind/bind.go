// Package bind fills the typed configuration from a normalised tree exactly as
// the ConfigurationBinder of .NET 10 fills Ocelot's File* objects.
//
// It takes a tree in which every object has unique names without a colon, as
// package load returns it, and gives back every value with its origin, the
// elements that the program drops without a message, and the error that stops
// its start. It judges nothing else: what a value means is for later stages.
package bind

import (
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/known"
	"github.com/margay-dev/margay/schema/syntax"
)

// binder is the state of one pass. Passes over parts of a large list run side
// by side, each with a binder of its own.
type binder struct {
	tree *syntax.Tree
	// known are the members that the release reads otherwise than as now.
	known known.Members
	// path leads to the value that is being bound.
	path []segment
	// kids is a stack of children in the binder's order; see children.
	kids []syntax.ID

	// elements counts the elements of lists around the value.
	elements int
	// own says that the value lies in a section that only margay reads.
	own bool

	dropped  []config.Dropped
	rejected []config.BindError
	slabs    slabs
}

// segment is one step of a path: a name, or an index if name is empty and
// index is not negative.
type segment struct {
	name  string
	index int
}

func named(name string) segment { return segment{name: name, index: -1} }

func (b *binder) push(s segment) { b.path = append(b.path, s) }

func (b *binder) pop() { b.path = b.path[:len(b.path)-1] }

// where returns the path as .NET writes it: "Routes:0:Timeout".
func (b *binder) where() string {
	var out strings.Builder
	for i, s := range b.path {
		if i > 0 {
			out.WriteByte(':')
		}
		out.WriteString(s.text())
	}
	return out.String()
}

// state is what a configuration key holds by itself, besides children.
type state uint8

const (
	// absent: the key has no value of its own.
	absent state = iota
	// null: the value is null, which is also what {} leaves behind.
	null
	// text: the value is a text, which may be empty, as [] leaves it.
	text
)

// value returns what .NET configuration stores at a node.
func (b *binder) value(id syntax.ID) (string, state) {
	n := b.tree.Node(id)
	if n.Flags&syntax.AlsoValue != 0 {
		id = b.tree.ValueOf(id)
		n = b.tree.Node(id)
	}
	switch n.Kind {
	case syntax.String, syntax.Number, syntax.True, syntax.False:
		return b.tree.Text(id), text
	case syntax.Null:
		return "", null
	case syntax.Object:
		if n.First == 0 {
			return "", null
		}
	case syntax.Array:
		if n.First == 0 {
			return "", text
		}
	}
	return "", absent
}

// hasChildren says whether a configuration key has children.
func (b *binder) hasChildren(id syntax.ID) bool { return b.tree.Node(id).First != 0 }

// origin returns where the value of a node stands. A scalar beside children
// has a place of its own.
func (b *binder) origin(id syntax.ID) config.Origin {
	n := b.tree.Node(id)
	if n.Flags&syntax.AlsoValue != 0 {
		n = b.tree.Node(b.tree.ValueOf(id))
	}
	return origin(n)
}

func origin(n *syntax.Node) config.Origin {
	if n.Flags&syntax.Made != 0 && n.End == 0 {
		return config.Origin{Kind: config.Outside}
	}
	return config.Origin{Start: n.Start, End: n.End, File: n.File, Kind: config.Explicit}
}

func (b *binder) section(id syntax.ID) config.Section {
	return config.Section{Node: id, Origin: origin(b.tree.Node(id))}
}
