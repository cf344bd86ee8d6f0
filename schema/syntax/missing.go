package syntax

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
)

// This file holds brackets that are missing. Where lines are indented, what
// follows tells which one it is.

// endOfText reports once that objects or arrays are open at the end of the
// text. comma says that a comma is the last token.
func (p *parser) endOfText(comma bool) {
	if len(p.open) == 0 {
		p.emptyText()
		return
	}
	end := len(p.text)
	switch {
	case comma && p.after(end) == end:
		p.stop(nameOrValueEnd, end-1) // .NET stops at a comma that is the last byte
	case comma:
		p.stop(nameOrValueEnd, end)
	default:
		p.stop(openAtEnd, end)
	}
	if p.quiet || p.namelessIn == p.open[len(p.open)-1] {
		return
	}
	p.quiet = true
	id := p.open[len(p.open)-1]
	if inner := p.unclosed(p.open[0]); inner != p.open[0] {
		id = inner
	}
	start := int(p.nodes[id].Start)
	d := Defect{Start: start, End: start + 1, Message: fmt.Sprintf("the %s that begins here is never closed", p.title(id)), Help: p.closeHelp(id)}
	if n := len(p.open); n > 1 {
		d.Related = []diag.Related{{Span: p.span(end, end), Message: fmt.Sprintf("%d objects or arrays are open at the end of the file", n)}}
	}
	p.report(d)
}

// unclosed returns the container whose closing bracket is most likely missing,
// given one that is open: the first below it that is closed by a bracket
// further to the left than its own line, else the container itself.
func (p *parser) unclosed(id ID) ID {
	if inner, ok := p.crooked(id, closesLeft); ok {
		return inner
	}
	return id
}

// dedented says whether the token at an offset is the first of a line that is
// indented no more than the line on which a container begins: it is unlikely
// to belong into the container.
func (p *parser) dedented(id ID, at int) bool {
	opener := int(p.nodes[id].Start)
	here, first := p.indent(at)
	line, _ := p.indent(opener)
	return first && here <= line && !p.sameLine(opener, at)
}

// around returns the kind of the container around the innermost; Bad if there
// is none.
func (p *parser) around() Kind {
	if len(p.open) < 2 {
		return Bad
	}
	return p.nodes[p.open[len(p.open)-2]].Kind
}

// endsBefore says whether the closing bracket of a container is missing before
// pos, where c begins something that belongs to what is around it: an element
// without a name after an object, or a name after an array.
func (p *parser) endsBefore(id ID, c byte) bool {
	switch p.nodes[id].Kind {
	case Object:
		return (c == '{' || c == '[') && p.around() == Array && p.dedented(id, p.pos)
	case Array:
		return c == '"' && p.around() == Object && p.dedented(id, p.pos) && p.nameFollows()
	}
	return false
}

// endBefore ends a container before the token at an offset, because its
// closing bracket is missing.
func (p *parser) endBefore(id ID, at int) outcome {
	culprit := p.unclosed(id)
	opener := int(p.nodes[culprit].Start)
	p.report(Defect{
		Start: opener, End: opener + 1, Help: p.closeHelp(culprit),
		Message: fmt.Sprintf("the %s that begins here is not closed", p.title(culprit)),
		Related: []diag.Related{{Span: p.span(at, at+1), Message: "this belongs to what is around it"}},
	})
	p.pos, p.noComma = at, at
	if comma := p.after(at) - 1; p.text[comma] == ',' && comma >= p.innerEnd(id) {
		p.pos = comma
	}
	return closed
}

// innerEnd returns where what has been read of a container ends.
func (p *parser) innerEnd(id ID) int {
	if last := p.last(id); last != 0 {
		return int(p.nodes[last].End)
	}
	return int(p.nodes[id].Start) + 1
}

// memberInArray reads the colon at pos in an array, after the string element:
// the bracket of the array is missing before it, or a brace.
func (p *parser) memberInArray(id, element ID) (out outcome, ok bool) {
	start := int(p.nodes[element].Start)
	if _, first := p.indent(start); !first || p.nodes[element].Kind != String {
		return again, false
	}
	if p.around() == Object && p.dedented(id, start) {
		p.dropLast(id)
		return p.endBefore(id, start), true
	}
	return p.missingBrace(element)
}

// missingBrace makes an object of a string that a colon follows: it is the
// name of the first member, and the opening brace before it is missing.
func (p *parser) missingBrace(value ID) (out outcome, ok bool) {
	n := &p.nodes[value]
	start := int(n.Start)
	if _, first := p.indent(start); !first || n.Kind != String || len(p.open) == maxDepth {
		return again, false
	}
	at := p.after(start)
	p.report(Defect{Start: at, End: at, Help: "write {", Message: `an opening brace is missing before ` + p.quoted(start, int(n.End))})
	n.Kind, n.Flags = Object, n.Flags&^Escaped
	p.pos = start
	p.open = append(p.open, value)
	p.members(value, 0)
	p.open = p.open[:len(p.open)-1]
	p.nodes[value].End = uint32(p.pos)
	return again, true
}

// last returns a container's last child so far; 0 if there is none.
func (p *parser) last(id ID) ID {
	child := p.nodes[id].First
	for child != 0 && p.nodes[child].Next != 0 {
		child = p.nodes[child].Next
	}
	return child
}

// dropLast takes the last child out of a container.
func (p *parser) dropLast(id ID) {
	last := p.last(id)
	if p.nodes[id].First == last {
		p.nodes[id].First = 0
		return
	}
	for child := p.nodes[id].First; ; child = p.nodes[child].Next {
		if p.nodes[child].Next == last {
			p.nodes[child].Next = 0
			return
		}
	}
}
