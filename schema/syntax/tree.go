// Package syntax reads JSON with comments into a tree that knows where
// everything stands.
//
// It takes the text of a file and returns nodes in one compact arena, with
// byte offsets, and every defect of the text at once: after an error it skips
// to the next place where reading makes sense. It accepts what .NET's
// configuration reader accepts (comments, one trailing comma) and describes
// errors in that reader's words and positions. It knows nothing about Ocelot.
package syntax

import "github.com/margay-dev/margay/schema/source"

// ID is a node's index in its Tree. The zero ID is no node.
type ID int32

// Kind is what a node is.
type Kind uint8

// The kinds of nodes.
const (
	// Bad stands where no value could be read. A finding has been made for
	// it; later stages keep still about it.
	Bad Kind = iota
	Null
	False
	True
	Number
	String
	Array
	Object
)

// String returns the kind in the words of messages: "an object", "a string"….
func (k Kind) String() string {
	return [...]string{"nothing readable", "null", "false", "true", "a number", "a string", "an array", "an object"}[k]
}

// Flags are facts about a node that are rarely true.
type Flags uint8

// The flags.
const (
	// KeyEscaped marks a member whose name contains a backslash escape.
	KeyEscaped Flags = 1 << iota
	// Escaped marks a string whose text contains a backslash escape.
	Escaped
	// Replaced marks a scalar or a name whose text is not the one in the
	// file, because loading rewrote it; see Tree.SetText and Tree.SetKey.
	Replaced
	// Made marks a node that stands in no file: Start and End point at the
	// text that brought it about, if there is any.
	Made
	// Irregular marks an object that has a duplicate name (without regard
	// to case) or a name with a colon, at this level.
	Irregular
	// AlsoValue marks an object or array that carries a scalar as well: .NET
	// configuration keeps both when two members of one name, or two layers,
	// give one of each; see Tree.ValueOf.
	AlsoValue
)

// Node is one value and, inside an object, its name. Offsets are into the
// text of the file with index File.
type Node struct {
	// KeyStart and KeyEnd delimit the member's name with its quotes; both 0
	// for array elements and roots.
	KeyStart, KeyEnd uint32
	// Start and End delimit the value.
	Start, End uint32
	// First is an object's or array's first child in the order of the file.
	First ID
	// Next is the following sibling.
	Next  ID
	File  uint16
	Kind  Kind
	Flags Flags
}

// Tree is an arena of nodes over any number of files. Nodes are appended and
// never change place, so an ID stays good. The zero value is an empty tree.
type Tree struct {
	// Files are the texts; Node.File is an index into them.
	Files []*source.File

	nodes  []Node
	texts  map[ID]string // of nodes with Replaced: the value
	keys   map[ID]string // of nodes with Replaced: the name
	values map[ID]ID     // of nodes with AlsoValue: the scalar
}

// Node returns the node with the given ID; the zero node for ID 0. The
// pointer is good until a node is added.
func (t *Tree) Node(id ID) *Node {
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, Node{})
	}
	return &t.nodes[id]
}

// Len returns the number of nodes, the zero node included.
func (t *Tree) Len() int { return len(t.nodes) }

// AddFile adds a file and returns its index for Node.File.
func (t *Tree) AddFile(f *source.File) uint16 {
	t.Files = append(t.Files, f)
	return uint16(len(t.Files) - 1)
}

// Add appends a node and returns its ID. It does not link it to a parent.
func (t *Tree) Add(n Node) ID {
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, Node{})
	}
	t.nodes = append(t.nodes, n)
	return ID(len(t.nodes) - 1)
}

// Children yields an object's members or an array's elements in order.
func (t *Tree) Children(id ID) func(yield func(ID) bool) {
	return func(yield func(ID) bool) {
		for c := t.nodes[id].First; c != 0; c = t.nodes[c].Next {
			if !yield(c) {
				return
			}
		}
	}
}

// Span returns where a value stands.
func (t *Tree) Span(id ID) source.Span {
	n := t.Node(id)
	return source.Span{File: t.file(n), Start: int(n.Start), End: int(n.End)}
}

// KeySpan returns where a member's name stands, quotes included; the zero
// Span where there is no name.
func (t *Tree) KeySpan(id ID) source.Span {
	n := t.Node(id)
	if n.KeyEnd == 0 {
		return source.Span{}
	}
	return source.Span{File: t.file(n), Start: int(n.KeyStart), End: int(n.KeyEnd)}
}

func (t *Tree) file(n *Node) *source.File {
	if int(n.File) >= len(t.Files) {
		return nil
	}
	return t.Files[n.File]
}

// Key returns a member's name, unescaped; "" where there is none.
func (t *Tree) Key(id ID) string {
	n := t.Node(id)
	if n.Flags&Replaced != 0 {
		if key, ok := t.keys[id]; ok {
			return key
		}
	}
	if n.KeyEnd == 0 {
		return ""
	}
	return unquote(t.Files[n.File].Text[n.KeyStart:n.KeyEnd], n.Flags&KeyEscaped != 0)
}

// Text returns a scalar as .NET configuration stores it: a string unescaped, a
// number as written, "True" or "False"; "" for null, arrays and objects.
func (t *Tree) Text(id ID) string {
	n := t.Node(id)
	if n.Flags&Replaced != 0 {
		if text, ok := t.texts[id]; ok {
			return text
		}
	}
	switch n.Kind {
	case String:
		return unquote(t.Files[n.File].Text[n.Start:n.End], n.Flags&Escaped != 0)
	case Number:
		return view(t.Files[n.File].Text[n.Start:n.End])
	case True:
		return "True"
	case False:
		return "False"
	}
	return ""
}

// SetText gives a scalar another text than the one in the file.
func (t *Tree) SetText(id ID, text string) {
	if t.texts == nil {
		t.texts = map[ID]string{}
	}
	t.texts[id] = text
	t.nodes[id].Flags |= Replaced
}

// SetKey gives a member another name than the one in the file.
func (t *Tree) SetKey(id ID, key string) {
	if t.keys == nil {
		t.keys = map[ID]string{}
	}
	t.keys[id] = key
	t.nodes[id].Flags |= Replaced
}

// SetValue gives an object or array a scalar beside its children.
func (t *Tree) SetValue(id, value ID) {
	if t.values == nil {
		t.values = map[ID]ID{}
	}
	t.values[id] = value
	t.nodes[id].Flags |= AlsoValue
}

// ValueOf returns the node that holds the scalar of a configuration key: the
// node itself, or for an object or array with AlsoValue the scalar beside its
// children. It returns 0 for any other object or array.
func (t *Tree) ValueOf(id ID) ID {
	n := t.Node(id)
	if n.Flags&AlsoValue != 0 {
		return t.values[id]
	}
	if n.Kind == Object || n.Kind == Array {
		return 0
	}
	return id
}
