package route

import (
	"math"
	"slices"
	"strings"
)

// none is the rank of no route. Smaller ranks come first.
const none = math.MaxInt32

// node is a place in a radix tree over templates: every way from the root to a
// node spells the start of a template. A way moves forward in the text by the
// same amount whenever it fits, so a lookup visits every node at most once.
type node struct {
	// prefix is the text that leads to the node, in lower case in a tree that
	// folds case.
	prefix string
	// children continue with fixed texts. Their first bytes stand in first.
	first    string
	children []*node
	// best is the lowest rank at the node or below.
	best int32
	// end is the first route whose template ends here, rest the first that takes
	// any rest of the text; none if there is none.
	end, rest int32
	// more is what few nodes have; nil: nothing.
	more *branches
}

// branches are the ways on from a node that few nodes have.
type branches struct {
	// dot continues behind any one character.
	dot *node
	// segments continue behind the end of the current segment.
	segments []segmentEdge
	// ends and rests are the routes behind node.end and node.rest, by rank.
	ends, rests []int32
	// residues are the routes that need more than steps, by rank. They are
	// compared one after the other: only templates that are equal up to their
	// first odd place stand together here.
	residues []residue
}

func newNode(prefix string, best int32) *node {
	return &node{prefix: prefix, best: best, end: none, rest: none}
}

// extra returns the branches of n, to add to them.
func (n *node) extra() *branches {
	if n.more == nil {
		n.more = &branches{}
	}
	return n.more
}

// segmentEdge takes the text up to the next slash or the end.
type segmentEdge struct {
	pattern pattern
	key     string
	node    *node
}

// residue is the end of a template that is compared as a whole.
type residue struct {
	rank       int32
	pattern    pattern
	suffix     string
	expression *expression // compared with the text from its start on
}

// tree holds the templates of one kind: with or without regard to case, for
// the path or for path and query.
type tree struct {
	root *node
	fold bool
}

func newTree(fold bool) *tree { return &tree{root: newNode("", none), fold: fold} }

// add puts a route in. Ranks must come in ascending order.
func (t *tree) add(rank int32, of *template) {
	if e := of.expression; e != nil {
		n := t.literal(t.root, rank, e.prefix)
		n.extra().residues = append(n.extra().residues, residue{rank: rank, expression: e})
		return
	}
	for _, form := range of.forms {
		t.addForm(rank, form.tokens)
	}
}

func (t *tree) addForm(rank int32, tokens []token) {
	n := t.literal(t.root, rank, "")
	for len(tokens) > 0 {
		switch first := tokens[0]; {
		case first.kind == literal:
			n = t.literal(n, rank, first.text)
			tokens = tokens[1:]
		case first.kind == anyChar:
			n = n.behindDot(rank)
			tokens = tokens[1:]
		case first.kind == rest && len(tokens) == 1:
			n.takeRest(rank)
			return
		default:
			within, behind, ok := cutSegment(tokens)
			if !ok {
				p := newPattern(tokens, t.fold, false)
				n.extra().residues = append(n.extra().residues, residue{rank: rank, pattern: p, suffix: p.suffix()})
				return
			}
			n = n.behindSegment(rank, newPattern(within, t.fold, false))
			tokens = behind
		}
	}
	n.takeEnd(rank)
}

// takeRest notes a route that takes any rest of the text.
func (n *node) takeRest(rank int32) {
	if n.rest == none {
		n.rest = rank
		return
	}
	n.extra().rests = append(n.extra().rests, rank)
}

// takeEnd notes a route whose template ends here. Two forms of it may.
func (n *node) takeEnd(rank int32) {
	if n.end == none {
		n.end = rank
		return
	}
	last := n.end
	if m := n.more; m != nil && len(m.ends) > 0 {
		last = m.ends[len(m.ends)-1]
	}
	if last != rank {
		n.extra().ends = append(n.extra().ends, rank)
	}
}

// cutSegment splits tokens at the end of the segment that they start in, if
// all of it is fixed text and placeholders of one segment.
func cutSegment(tokens []token) (within, behind []token, ok bool) {
	for i, t := range tokens {
		switch t.kind {
		case segment:
			within = append(within, t)
		case literal:
			text, _, cut := strings.Cut(t.text, "/")
			within = append(within, token{kind: literal, text: text})
			if cut {
				behind = append(behind, token{kind: literal, text: t.text[len(text):]})
				return within, append(behind, tokens[i+1:]...), true
			}
		default:
			return nil, nil, false
		}
	}
	return within, nil, true
}

// literal returns the node behind a text, and makes way for it.
func (t *tree) literal(n *node, rank int32, text string) *node {
	if t.fold {
		text = strings.Map(lower, text)
	}
	n.best = min(n.best, rank)
	for text != "" {
		i := strings.IndexByte(n.first, text[0])
		if i < 0 {
			child := newNode(text, rank)
			n.first += text[:1]
			n.children = append(n.children, child)
			return child
		}
		child := n.children[i]
		shared := sharedPrefix(child.prefix, text)
		if shared < len(child.prefix) {
			child = child.split(shared)
			n.children[i] = child
		}
		child.best = min(child.best, rank)
		n, text = child, text[shared:]
	}
	return n
}

// split puts a node in front of n that takes the first bytes of its prefix.
func (n *node) split(at int) *node {
	front := newNode(n.prefix[:at], n.best)
	front.first, front.children = n.prefix[at:at+1], []*node{n}
	n.prefix = n.prefix[at:]
	return front
}

func (n *node) behindDot(rank int32) *node {
	m := n.extra()
	if m.dot == nil {
		m.dot = newNode("", rank)
	}
	m.dot.best = min(m.dot.best, rank)
	return m.dot
}

func (n *node) behindSegment(rank int32, p pattern) *node {
	key := segmentKey(p)
	m := n.extra()
	i := slices.IndexFunc(m.segments, func(e segmentEdge) bool { return e.key == key })
	if i < 0 {
		i = len(m.segments)
		m.segments = append(m.segments, segmentEdge{pattern: p, key: key, node: newNode("", rank)})
	}
	child := m.segments[i].node
	child.best = min(child.best, rank)
	return child
}

// segmentKey is equal for patterns that take the same texts. A slash, which
// their texts never hold, stands for a placeholder.
func segmentKey(p pattern) string {
	var b strings.Builder
	for _, t := range p.tokens {
		if t.kind == segment {
			b.WriteByte('/')
		} else if p.fold {
			b.WriteString(strings.Map(lower, t.text))
		} else {
			b.WriteString(t.text)
		}
	}
	return b.String()
}

func sharedPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// lower maps the capital letters of ASCII only.
func lower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r | 0x20
	}
	return r
}
