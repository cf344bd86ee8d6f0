package syntax

import (
	"bytes"
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
)

// This file holds what is wrong between members and elements: separators and
// brackets.

// noElement reads what stands at pos instead of an element.
func (p *parser) noElement(id ID, c byte, comma bool) outcome {
	if p.pos >= len(p.text) || p.giveUp() {
		p.endOfText(comma)
		return closed
	}
	switch c {
	case ',':
		p.stop(valueStart, p.pos)
		p.extraCommas(comma)
		return again
	case '}':
		p.stop(valueStart, p.pos)
		return p.wrongCloser(id, '}')
	case '<', '|', '=', '>':
		if p.conflictAt(p.pos) != noMarker {
			p.stop(valueStart, p.pos)
			p.conflict()
			return again
		}
	}
	return proceed
}

// noSeparator reads what stands at pos instead of a comma or the closing
// bracket of a container.
func (p *parser) noSeparator(id ID, c byte) outcome {
	if p.pos >= len(p.text) || p.giveUp() {
		p.endOfText(false)
		return closed
	}
	if c == '}' || c == ']' {
		p.stop(noOpening, p.pos)
		return p.wrongCloser(id, c)
	}
	p.stop(afterValue, p.pos)
	switch {
	case p.conflict():
		return again
	case p.endsBefore(id, c):
		return p.endBefore(id, p.pos)
	case c == '#':
		p.hashComment()
		return again
	case c == ';':
		p.report(Defect{
			Start: p.pos, End: p.pos + 1, Message: `";" stands where a comma belongs`, Help: "write a comma",
			Fix: p.replace("write a comma", p.pos, p.pos+1, ","),
		})
		p.pos++
		return proceed
	case c == ':':
		return p.strayColon(id)
	case p.pos == p.noComma:
		return proceed
	case p.missesComma(id, c):
		at := p.after(p.pos)
		p.report(Defect{
			Start: at, End: at, Message: "a comma is missing before " + p.nextWord(), Help: "write a comma",
			Fix: p.replace("write a comma", at, at, ","),
		})
		return proceed
	}
	p.unexpected("a comma or a closing bracket")
	return again
}

// missesComma says whether the next member or element begins at pos.
func (p *parser) missesComma(id ID, c byte) bool {
	if p.nodes[id].Kind == Array {
		return bytes.IndexByte([]byte("{[\"-0123456789tfn"), c) >= 0
	}
	return p.nameFollows()
}

// nameFollows says whether a name and a colon stand at pos.
func (p *parser) nameFollows() bool {
	end := p.bareNameEnd(p.pos)
	if p.text[p.pos] == '"' {
		end = p.skipString(p.pos) + 1
	} else if end == p.pos {
		return false
	}
	rest := bytes.TrimLeft(p.text[min(end, len(p.text)):], " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}

// nextWord quotes the token at pos.
func (p *parser) nextWord() string {
	end := p.pos + 1
	if p.text[p.pos] == '"' {
		if i := bytes.IndexAny(p.text[end:], "\"\r\n"); i >= 0 {
			end += i
			if p.text[end] == '"' {
				end++
			}
		}
	} else if e := p.bareNameEnd(p.pos); e > p.pos {
		end = e
	}
	return p.quoted(p.pos, end)
}

// strayColon reports a colon after a value and moves past what follows it.
func (p *parser) strayColon(id ID) outcome {
	last := p.last(id)
	if p.nodes[id].Kind == Array {
		if out, ok := p.memberInArray(id, last); ok {
			return out
		}
	} else if out, ok := p.missingBrace(last); ok {
		return out
	}
	d := Defect{Start: p.pos, End: p.pos + 1, Message: "a colon stands after a value: a comma or a closing bracket belongs there", Help: "end the member before it with a comma"}
	if p.nodes[id].Kind == Array {
		d.Message = fmt.Sprintf("a colon stands in the %s: elements of an array have no names", p.title(id))
		d.Help = "put name and value in { }"
		d.Related = p.opening(id)
	}
	p.report(d)
	p.pos++
	p.value(name{})
	return again
}

// unexpected reports whatever stands at pos and moves past it.
func (p *parser) unexpected(wanted string) {
	start := p.pos
	switch c := p.text[p.pos]; c {
	case '"':
		p.str()
	case '{', '[':
		p.skipBalanced()
	default:
		p.pos = p.bareEnd(start, true)
	}
	p.report(Defect{
		Start: start, End: p.pos, Message: fmt.Sprintf("%s is not expected here: %s is", p.quoted(start, p.pos), wanted),
		Help: "remove it, or complete it",
	})
}

// wrongCloser reads a closing bracket that does not fit the container id. It
// is a slip of the pen, or it closes a container further out and the bracket
// of this one is missing, or it is one too many; the indentation tells.
func (p *parser) wrongCloser(id ID, c byte) outcome {
	inner := p.unclosed(id)
	opener := int(p.nodes[inner].Start)
	switch p.closerMeans(id, c) {
	case closesThis:
		want := map[byte]string{'}': "]", ']': "}"}[c]
		p.report(Defect{
			Start: p.pos, End: p.pos + 1, Help: "write " + want,
			Message: fmt.Sprintf("%q closes the %s: %q belongs there", string(rune(c)), p.title(id), want),
			Related: p.opening(id), Fix: p.replace("write "+want, p.pos, p.pos+1, want),
		})
		p.pos++
		return closed
	case closesOuter:
		p.report(Defect{
			Start: opener, End: opener + 1, Help: p.closeHelp(inner),
			Message: fmt.Sprintf("the %s that begins here is not closed", p.title(inner)),
			Related: []diag.Related{{Span: p.span(p.pos, p.pos+1), Message: "this bracket closes what is around it"}},
		})
		return closed
	}
	p.report(Defect{
		Start: p.pos, End: p.pos + 1, Message: fmt.Sprintf("%q closes nothing: the %s around it is closed by another bracket", string(rune(c)), p.title(id)),
		Help: "remove it", Related: p.opening(id),
	})
	p.pos++
	return again
}

type meaning uint8

const (
	closesNothing meaning = iota
	closesThis
	closesOuter
)

// closerMeans guesses what the closing bracket c at pos is meant for.
func (p *parser) closerMeans(id ID, c byte) meaning {
	fits := map[byte]Kind{'}': Object, ']': Array}[c]
	outer := false
	indent, first := p.indent(p.pos)
	for _, around := range p.open[:len(p.open)-1] {
		if p.nodes[around].Kind != fits {
			continue
		}
		outer = true
		if at, _ := p.indent(int(p.nodes[around].Start)); first && at == indent {
			return closesOuter
		}
	}
	here, _ := p.indent(int(p.nodes[id].Start))
	switch {
	case first && here == indent:
		return closesThis
	case first && outer && p.sameLine(int(p.nodes[id].Start), p.pos):
		return closesOuter
	case first && outer:
		return closesNothing
	}
	if len(p.open) > 1 && p.followed(p.nodes[p.open[len(p.open)-2]].Kind) {
		return closesThis
	}
	if outer {
		return closesOuter
	}
	return closesThis
}

// followed says whether the token after the bracket at pos fits after a member
// or element of a container of a kind.
func (p *parser) followed(kind Kind) bool {
	rest := bytes.TrimLeft(p.text[p.pos+1:], " \t\r\n")
	if len(rest) == 0 {
		return false
	}
	return rest[0] == ',' || rest[0] == '}' && kind == Object || rest[0] == ']' && kind == Array
}

// opening returns where a container begins, as a related place.
func (p *parser) opening(id ID) []diag.Related {
	start := int(p.nodes[id].Start)
	return []diag.Related{{Span: p.span(start, start+1), Message: "the " + p.title(id) + " begins here"}}
}

func (p *parser) closeHelp(id ID) string {
	if p.nodes[id].Kind == Array {
		return `add the missing "]"`
	}
	return `add the missing "}"`
}
