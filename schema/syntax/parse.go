package syntax

import (
	"math"

	"github.com/margay-dev/margay/schema/source"
)

// maxDepth is how deep objects and arrays may be nested: .NET's reader takes
// 64 levels and refuses the 65th (cases syn.depth of load.jsonl).
const maxDepth = 64

// Parse reads a file into the tree. It never fails: where no value can be
// read stands a Bad node, a Defect says why, and reading goes on behind it.
//
// Comments are scanned here instead of being blanked by a library first: .NET
// has opinions about them (none before a colon, no U+2028 inside, a lone
// carriage return ends one), later stages read them, and a second pass over
// the text would cost more than the whole parser may.
func Parse(tree *Tree, file *source.File) Document {
	p := parser{source: file, text: file.Text, file: tree.AddFile(file)}
	tree.reserve(min(len(file.Text)/16, math.MaxInt32))
	p.nodes = tree.nodes
	doc := Document{File: p.file, Root: p.root()}
	tree.nodes = p.nodes
	doc.Defects, doc.Comments, doc.Irregular = p.defects, p.comments, p.irregular
	return doc
}

// parser is the state of one Parse.
type parser struct {
	source *source.File
	text   []byte
	pos    int
	file   uint16

	nodes []Node
	open  []ID // the containers around the cursor, outermost first
	names nameSet

	comments  []Comment
	defects   []Defect
	irregular bool

	net     string // what .NET says, until a defect takes it
	stopped bool   // .NET has read as far as it reads
	quiet   bool   // what is missing at the end has been said
	leaving ID     // a container that ends at a bracket of another one
}

// name is the place of a member's name; the zero name is that of an element.
type name struct {
	start, end uint32
	flags      Flags
}

// root reads the whole text.
func (p *parser) root() ID {
	if p.tooLarge() {
		return p.bad(name{}, 0)
	}
	p.blanks()
	if p.pos == len(p.text) {
		p.emptyFile()
		return p.bad(name{}, p.pos)
	}
	id := p.value(name{})
	p.blanks()
	if p.pos < len(p.text) {
		p.afterRoot()
	}
	if n := &p.nodes[id]; n.Kind != Object && n.Kind != Bad {
		p.notAnObject(n)
	}
	p.sayBinary()
	return id
}

// value reads the value at the cursor, which is not at the end of the text.
func (p *parser) value(n name) ID {
	start := p.pos
	kind, flags := Bad, n.flags
	switch c := p.text[start]; c {
	case '{':
		return p.container(n, Object)
	case '[':
		return p.container(n, Array)
	case '"':
		escaped, ok := p.quotedText()
		if ok {
			kind = String
		}
		if escaped {
			flags |= Escaped
		}
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if p.number() {
			kind = Number
		}
	default:
		kind = p.literal()
	}
	return p.add(Node{KeyStart: n.start, KeyEnd: n.end, Start: uint32(start), End: uint32(p.pos), Kind: kind, Flags: flags})
}

func (p *parser) add(n Node) ID {
	n.File = p.file
	p.nodes = append(p.nodes, n)
	return ID(len(p.nodes) - 1)
}

// bad adds a node that stands where no value could be read.
func (p *parser) bad(n name, at int) ID {
	return p.add(Node{KeyStart: n.start, KeyEnd: n.end, Start: uint32(at), End: uint32(at), Flags: n.flags})
}

// container reads an object or an array. Its node is added before those of its
// children, so a parent's ID is smaller than theirs.
func (p *parser) container(n name, kind Kind) ID {
	if len(p.open) == maxDepth {
		return p.tooDeep(n, kind)
	}
	id := p.add(Node{KeyStart: n.start, KeyEnd: n.end, Start: uint32(p.pos), Kind: kind, Flags: n.flags})
	p.open = append(p.open, id)
	p.pos++
	if kind == Object {
		outer := p.names.enter()
		p.members(id)
		p.end(id)
		if p.names.leave(p, outer, id) {
			p.nodes[id].Flags |= Irregular
			p.irregular = true
		}
	} else {
		p.elements(id)
		p.end(id)
	}
	p.open = p.open[:len(p.open)-1]
	return id
}

func (p *parser) end(id ID) { p.nodes[id].End = uint32(p.pos) }

// chain links children to their parent.
type chain struct{ parent, last ID }

func (p *parser) link(c *chain, child ID) {
	if c.last == 0 {
		p.nodes[c.parent].First = child
	} else {
		p.nodes[c.last].Next = child
	}
	c.last = child
}

// members reads up to and including an object's closing brace.
func (p *parser) members(id ID) {
	children := chain{parent: id}
	for comma := -1; ; {
		p.blanks()
		if p.pos == len(p.text) {
			p.atEnd(id, comma)
			return
		}
		var n name
		switch p.text[p.pos] {
		case '}':
			p.pos++
			return
		case '"':
			n = p.memberName()
		default:
			var ok bool
			if n, ok = p.oddName(id); !ok {
				if p.pos == len(p.text) || p.closedFromOutside(id) {
					return
				}
				continue
			}
		}
		p.names.add(p, n)
		p.link(&children, p.memberValue(n))
		var done bool
		if comma, done = p.separator(id, '}'); done {
			return
		}
	}
}

func (p *parser) memberName() name {
	start := p.pos
	escaped, ok := p.quotedText()
	if !ok {
		p.cutName(start)
	}
	n := name{start: uint32(start), end: uint32(p.pos)}
	if escaped {
		n.flags = KeyEscaped
	}
	return n
}

// memberValue reads a colon and a value.
func (p *parser) memberValue(n name) ID {
	if p.pos < len(p.text) && p.text[p.pos] == ':' {
		p.pos++
	} else if !p.colon(n) {
		return p.bad(n, p.pos)
	}
	p.blanks()
	if p.pos == len(p.text) {
		p.stop(openAtEnd, p.pos)
		return p.bad(n, p.pos)
	}
	return p.value(n)
}

// elements reads up to and including an array's closing bracket.
func (p *parser) elements(id ID) {
	children := chain{parent: id}
	for comma := -1; ; {
		p.blanks()
		if p.pos == len(p.text) {
			p.atEnd(id, comma)
			return
		}
		switch c := p.text[p.pos]; c {
		case ']':
			p.pos++
			return
		case ',', ':', '}':
			p.oddElement(c)
			if p.closedFromOutside(id) {
				return
			}
			continue
		}
		p.link(&children, p.value(name{}))
		var done bool
		if comma, done = p.separator(id, ']'); done {
			return
		}
	}
}

// separator reads what stands behind a value: a comma, whose offset it
// returns, or the closer of the container, which ends it.
func (p *parser) separator(id ID, closer byte) (comma int, done bool) {
	after := p.pos
	for {
		p.blanks()
		if p.pos == len(p.text) {
			p.atEnd(id, -1)
			return -1, true
		}
		switch c := p.text[p.pos]; c {
		case ',':
			p.pos++
			return p.pos - 1, false
		case closer:
			p.pos++
			return -1, true
		}
		if p.oddSeparator(id, after) {
			return -1, false
		}
		if p.closedFromOutside(id) {
			return -1, true
		}
	}
}

// reserve makes room for n more nodes.
func (t *Tree) reserve(n int) {
	t.Node(0)
	if cap(t.nodes)-len(t.nodes) < n {
		nodes := make([]Node, len(t.nodes), len(t.nodes)+n)
		copy(nodes, t.nodes)
		t.nodes = nodes
	}
}
