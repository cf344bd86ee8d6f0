package syntax

import (
	"bytes"
	"slices"
	"sync/atomic"
)

// This file lets a second parser begin in the middle of a large file: in the
// long array that most of it is, at what looks like the beginning of an
// element. Whether it is one is known when the first parser comes there. What
// the second one has read counts only if it is, and if both have met nothing
// wrong; otherwise the first goes on as if it were alone.

// aheadFrom is the size of a file from which a second goroutine is worth its
// while.
const aheadFrom = 1 << 17

// aheadWithin is how far behind the middle a beginning is looked for.
const aheadWithin = 1 << 20

// ahead is the second parser.
type ahead struct {
	parser *parser
	start  int // where its first element begins
	depth  int // how many containers are open there
	room   int // the place of its first node; those of the first parser stay below
	stop   atomic.Bool
	done   chan struct{}
	// first is the first element, good once done is closed; 0 if the array does
	// not end as it should.
	first ID
	used  bool // join has taken it over
}

// begin starts a second parser behind an element of an array, if that is an
// object and the array a member of the root, or of a section below it.
func (p *parser) begin(child ID) {
	middle := len(p.text) / 2
	if p.pos >= middle {
		p.splits = false
	}
	if !p.splits || len(p.open) < 2 || len(p.open) > 3 || p.nodes[child].Kind != Object || !p.clean() {
		return
	}
	p.splits = false
	start := p.likeAt(int(p.nodes[child].Start), middle)
	if start < 0 {
		return
	}
	room := p.half + nodesIn(p.text[middle:start])
	if room < len(p.nodes) || room > cap(p.nodes) {
		return
	}
	side := &parser{
		text: p.text, pos: start, source: p.source, file: p.file,
		nodes: p.nodes[:room], first: p.first, open: slices.Clone(p.open),
		isSide: true,
	}
	p.nodes = p.nodes[:len(p.nodes):room]
	p.ahead = &ahead{parser: side, start: start, room: room, depth: len(p.open), done: make(chan struct{})}
	go p.ahead.run()
}

// likeAt returns where, behind the middle, something begins as an element does:
// on a line of its own with the same indentation, or with the same name after a
// comma; -1 if nothing does.
func (p *parser) likeAt(element, middle int) int {
	line := bytes.LastIndexByte(p.text[:element], '\n') + 1
	pattern, lead := p.text[max(line-1, 0):element+1], element-line+1
	if line == 0 || len(bytes.Trim(pattern[1:lead], " \t")) > 0 {
		colon := bytes.IndexByte(p.text[element:min(element+64, len(p.text))], ':')
		if p.text[element] != '{' || colon < 0 {
			return -1
		}
		pattern, lead = append([]byte{','}, p.text[element:element+colon+1]...), 1
	}
	i := bytes.Index(p.text[middle:min(middle+aheadWithin, len(p.text))], pattern)
	if i < 0 {
		return -1
	}
	return middle + i + lead
}

// clean says whether the parser has met nothing that is wrong.
func (p *parser) clean() bool { return len(p.defects) == 0 && !p.stopped }

// setback is what a second parser throws, to itself, when it meets something
// wrong: what to make of it depends on what stands before, which the first one
// is still reading.
type setback struct{}

// aside ends a second parser. Everything that handles wrong text calls stop or
// report before it looks at a node.
func (p *parser) aside() {
	if p.isSide {
		panic(setback{})
	}
}

// run reads elements up to the end of the array. It neither reads nor writes a
// node of the first parser.
func (a *ahead) run() {
	defer close(a.done)
	defer func() {
		if thrown := recover(); thrown != nil && thrown != (setback{}) {
			panic(thrown)
		}
	}()
	p := a.parser
	array := p.open[a.depth-1]
	var first, last ID
	for !a.stop.Load() {
		child := p.value(name{})
		if first == 0 {
			first = child
		} else {
			p.nodes[last].Next = child
		}
		last = child
		if p.separator(array, ']') == closed || p.element(array, true) == closed {
			a.first = first
			return
		}
	}
}

// join takes over what the second parser has read, if it began where the first
// one stands now, before an element. It returns the first of the elements, or 0,
// and has read the end of the array.
func (p *parser) join() ID {
	a := p.ahead
	if p.pos != a.start || len(p.open) != a.depth {
		return 0
	}
	<-a.done
	side := a.parser
	if a.first == 0 || !p.clean() || cap(p.nodes) != a.room {
		return 0
	}
	clear(p.nodes[len(p.nodes):a.room])
	p.nodes = side.nodes
	p.comments = append(p.comments, side.comments...)
	p.irregular = p.irregular || side.irregular
	p.pos, a.used = side.pos, true
	return a.first
}

// leave ends a second parser that the first one has never met.
func (p *parser) leave() {
	if p.ahead != nil {
		p.ahead.stop.Store(true)
		<-p.ahead.done
	}
}
