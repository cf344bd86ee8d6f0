package syntax

import (
	"bytes"
	"math"
	stdruntime "runtime"
	"slices"

	"github.com/margay-dev/margay/schema/source"
)

// maxDepth is how deep objects and arrays may be nested: .NET's reader takes
// 64 levels and refuses the 65th (cases syn.depth of load.jsonl).
const maxDepth = 64

// Parse reads a file into the tree. It never fails: where no value can be
// read stands a Bad node, a Defect says why, and reading goes on behind it.
// A node's ID is greater than its parent's and smaller than its following
// sibling's; zero nodes may lie between them. Large files are read by two
// goroutines where there are two processors.
//
// Comments are scanned here instead of being blanked by a library first: .NET
// has opinions about them (none before a colon, no U+2028 inside, a lone
// carriage return ends one), later stages read them, and a second pass over
// the text would cost more than the whole parser may.
func Parse(tree *Tree, file *source.File) Document {
	return parse(tree, file, len(file.Text) >= aheadFrom && stdruntime.GOMAXPROCS(0) > 1)
}

// parse is Parse with or without a second parser.
func parse(tree *Tree, file *source.File, splits bool) Document {
	p := newParser(tree, file, splits)
	root := p.document()
	p.leave()
	tree.nodes = p.nodes
	return Document{File: p.file, Root: root, Irregular: p.irregular, Defects: p.defects, Comments: p.comments}
}

func newParser(tree *Tree, file *source.File, splits bool) *parser {
	tree.Node(0)
	p := &parser{text: file.Text, source: file, file: tree.AddFile(file), first: ID(len(tree.nodes))}
	middle := len(p.text) / 2
	p.half = len(tree.nodes) + 1 + nodesIn(p.text[:middle])
	nodes := p.half + nodesIn(p.text[middle:]) - len(tree.nodes) + spareNodes
	most := len(p.text)/8 + spareNodes
	p.nodes, p.splits = slices.Grow(tree.nodes, min(nodes, most)), splits && nodes <= most
	return p
}

// nodesIn returns how many nodes a text gives: every comma and every opening
// bracket brings at most one. Text that is little else gets no more room than
// ordinary configuration needs, and grows if it must.
func nodesIn(text []byte) int {
	const piece = 1 << 15 // stays in the cache while it is counted thrice
	n := 0
	for part := range slices.Chunk(text, piece) {
		for _, c := range []byte(",{[") {
			n += bytes.Count(part, []byte{c})
		}
	}
	return n
}

// spareNodes is room for the values of texts that are not JSON.
const spareNodes = 16

// parser reads one text by recursive descent, at most maxDepth deep. This file
// and scan.go are the path of correct text; what is wrong is left to the files
// values.go, names.go, strings.go, recover.go and root.go.
type parser struct {
	text   []byte
	pos    int
	source *source.File
	file   uint16

	nodes  []Node
	first  ID     // the file's first node
	half   int    // where the nodes of the first half of the text end at most
	splits bool   // a second parser may begin
	ahead  *ahead // the second parser; nil if there is none
	isSide bool   // this is a second parser
	open   []ID   // the containers around pos, outermost first
	names  nameSet

	comments  []Comment
	defects   []Defect
	irregular bool

	net       string // what .NET says, until a defect takes it
	stopped   bool   // .NET has read as far as it reads
	quiet     bool   // what is missing at the end has been said
	halved    bool   // the string with escapes that is being read has half a character
	conflicts bool   // an unresolved merge has been reported
	looked    int    // how many nodes crooked has looked at
	noComma   int    // the offset before which a missing comma is not worth a word

	// The objects in which a value without a name, or a name without a value,
	// has been reported: a list in the wrong brackets is one mistake.
	namelessIn, valuelessIn ID
}

// name is the place of a member's name; the zero name is that of an element.
type name struct {
	start, end uint32
	flags      Flags
}

// outcome is what the loop over a container's children has to do next.
type outcome uint8

const (
	// again: something has been skipped, look once more.
	again outcome = iota
	// proceed: read on as if the expected text had been there.
	proceed
	// closed: the container has ended.
	closed
)

func (p *parser) document() ID {
	if len(p.text) >= math.MaxUint32 {
		p.report(Defect{Message: "the file is larger than 4 GiB"})
		return p.add(Bad, name{}, 0)
	}
	root := p.value(name{})
	if p.next(); p.pos < len(p.text) {
		p.textAfterRoot(root)
	}
	p.checkRoot(root)
	p.finish()
	return root
}

// add appends a node whose value begins at start and ends at pos.
func (p *parser) add(kind Kind, n name, start int) ID {
	p.nodes = append(p.nodes, Node{
		KeyStart: n.start, KeyEnd: n.end, Start: uint32(start), End: uint32(p.pos),
		File: p.file, Kind: kind, Flags: n.flags,
	})
	return ID(len(p.nodes) - 1)
}

// link makes child the sibling after last, or the first child.
func (p *parser) link(parent, last, child ID) {
	if last == 0 {
		p.nodes[parent].First = child
		return
	}
	p.nodes[last].Next = child
}

// value reads the value at the next token.
func (p *parser) value(n name) ID {
	c := p.next()
	start := p.pos
	switch c {
	case '"':
		flags, ok := p.str()
		if !ok {
			return p.add(Bad, n, start)
		}
		n.flags |= flags
		return p.add(String, n, start)
	case '{':
		return p.container(Object, n)
	case '[':
		return p.container(Array, n)
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if why, at := p.number(); why != noReason && !p.goodNumber(why, at) {
			return p.bareValue(n)
		}
		return p.add(Number, n, start)
	case 't':
		return p.literal(n, True, "true", notTrue)
	case 'f':
		return p.literal(n, False, "false", notFalse)
	case 'n':
		return p.literal(n, Null, "null", notNull)
	}
	return p.noValue(n, c)
}

func (p *parser) literal(n name, kind Kind, word string, why reason) ID {
	start := p.pos
	end := start + len(word)
	if end > len(p.text) || string(p.text[start:end]) != word {
		return p.badLiteral(n, word, why)
	}
	if end < len(p.text) && classes[p.text[end]]&wordPart != 0 {
		return p.longLiteral(n, end)
	}
	p.pos = end
	return p.add(kind, n, start)
}

// name reads a member's name, or the closing brace. comma says that a comma
// has just been read.
func (p *parser) name(id ID, comma bool) (name, outcome) {
	c := p.next()
	if c == '}' {
		p.pos++
		return name{}, closed
	}
	if c != '"' {
		return p.noName(id, c, comma)
	}
	start := p.pos
	flags, ok := p.str()
	if !ok {
		p.cutName(start)
	}
	n := name{start: uint32(start), end: uint32(p.pos)}
	if flags != 0 {
		n.flags = KeyEscaped
	}
	return n, proceed
}
