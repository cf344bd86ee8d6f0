package syntax

import (
	"bytes"
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
)

// indent returns the number of blanks at the start of the line of an offset,
// and whether nothing else stands before the offset.
func (p *parser) indent(offset int) (blanks int, first bool) {
	start := offset
	for start > 0 && !lineEnd(p.text[start-1]) {
		start--
	}
	for start+blanks < offset && (p.text[start+blanks] == ' ' || p.text[start+blanks] == '\t') {
		blanks++
	}
	return blanks, start+blanks == offset
}

func (p *parser) sameLine(a, b int) bool { return !bytes.ContainsAny(p.text[a:b], "\r\n") }

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
	if p.quiet {
		return
	}
	p.quiet = true
	id := p.unclosed()
	start := int(p.nodes[id].Start)
	d := Defect{Start: start, End: start + 1, Message: fmt.Sprintf("the %s that begins here is never closed", p.title(id)), Help: p.closeHelp(id)}
	if n := len(p.open); n > 1 {
		d.Related = []diag.Related{{Span: p.span(end, end), Message: fmt.Sprintf("%d objects or arrays are open at the end of the file", n)}}
	}
	p.report(d)
}

// unclosed returns the container whose closing bracket is most likely missing:
// the first one whose bracket is further to the left than its line, else the
// innermost open one.
func (p *parser) unclosed() ID {
	last := p.open[len(p.open)-1]
	if open, _, ok := p.crooked(func(open, close int) bool { return close < open }); ok {
		for i := p.first; i < len(p.nodes); i++ {
			if n := &p.nodes[i]; int(n.Start) == open && (n.Kind == Object || n.Kind == Array) {
				return ID(i)
			}
		}
	}
	return last
}

// crooked returns the first pair of brackets whose closing one is the first
// of its line and whose indentations, of the lines of either, do not fit.
func (p *parser) crooked(misfit func(open, close int) bool) (open, close int, ok bool) {
	var stack []int
	for i := 0; i < len(p.text); i++ {
		switch p.text[i] {
		case '"':
			i = p.skipString(i)
		case '/':
			i = p.skipComment(i)
		case '{', '[':
			stack = append(stack, i)
		case '}', ']':
			if len(stack) == 0 {
				return 0, 0, false
			}
			opener := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			at, first := p.indent(i)
			if from, _ := p.indent(opener); first && misfit(from, at) {
				return opener, i, true
			}
		}
	}
	return 0, 0, false
}

// skipString returns the last byte of the string at i, at most the line's.
func (p *parser) skipString(i int) int {
	for i++; i < len(p.text) && p.text[i] != '"' && !lineEnd(p.text[i]); i++ {
		if p.text[i] == '\\' {
			i++
		}
	}
	return i
}

// skipComment returns the last byte of the comment at i; i if there is none.
func (p *parser) skipComment(i int) int {
	rest := p.text[i:]
	end := -1
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		end = bytes.IndexAny(rest, "\r\n")
	case bytes.HasPrefix(rest, []byte("/*")):
		if end = bytes.Index(rest[2:], []byte("*/")); end >= 0 {
			end += 3
		}
	default:
		return i
	}
	if end < 0 {
		return len(p.text)
	}
	return i + end
}
