package syntax

import (
	"bytes"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/margay-dev/margay/schema/diag"
)

func firstRune(b []byte) (rune, int) { return utf8.DecodeRune(b) }

// tooLarge refuses texts whose offsets do not fit a node.
func (p *parser) tooLarge() bool {
	if uint64(len(p.text)) < math.MaxUint32 {
		return false
	}
	p.report(Defect{End: 1, Message: "the file is larger than 4 GiB"})
	return true
}

// sayBinary puts one defect in the place of all those that a file has which
// is no text at all. .NET's own words stay those of the first.
func (p *parser) sayBinary() {
	head := p.text[:min(len(p.text), 1<<12)]
	zeros, broken := bytes.Count(head, []byte{0}), bytes.Count(head, []byte("\uFFFD"))*len("\uFFFD")
	if len(p.defects) == 0 || zeros*16 <= len(head) && broken*4 <= len(head) {
		return
	}
	p.defects[0].Start, p.defects[0].End = 0, 1
	p.defects[0].Message, p.defects[0].Help = "the file is not text: it looks like a binary", "check that this is the file you mean"
	p.defects[0].Related, p.defects[0].Fix = nil, nil
	p.defects = p.defects[:1]
}

func (p *parser) emptyFile() {
	p.stop(noTokens, len(p.text))
	if p.quiet {
		return
	}
	p.report(Defect{Start: 0, End: len(p.text), Message: "the file holds no JSON", Help: "write at least {}"})
}

func (p *parser) notAnObject(n *Node) {
	kind := [...]string{Null: "Null", False: "False", True: "True", Number: "Number", String: "String", Array: "Array"}[n.Kind]
	p.report(Defect{
		Start: int(n.Start), End: int(n.End), Phase: TopLevel,
		Net:     fmt.Sprintf("Top-level JSON element must be an object. Instead, '%s' was found.", kind),
		Message: "the file holds " + n.Kind.String() + ", where .NET wants an object",
		Help:    "put the configuration into braces { }",
	})
}

// afterRoot reports what follows the end of the root; the rest is not read.
func (p *parser) afterRoot() {
	p.stop(afterRoot, p.pos)
	start := p.pos
	d := Defect{Start: start, End: start + 1, Message: p.here() + " follows the end of the configuration", Help: "remove it, or the closing bracket before it that is one too many"}
	if p.conflict() {
		return
	}
	if closer := p.after(start) - 1; closer >= 0 && p.text[closer] == '}' {
		d.Related = []diag.Related{{Span: p.span(closer, closer+1), Message: "the configuration ends here"}}
	}
	if end := p.wordEnd(start); end > start {
		d.End = end
	}
	p.pos = len(p.text)
	p.report(d)
}

// tooDeep reports a container at a depth that .NET refuses and skips it.
func (p *parser) tooDeep(n name, kind Kind) ID {
	start, why := p.pos, objectDepth
	if kind == Array {
		why = arrayDepth
	}
	p.stop(why, start)
	p.report(Defect{Start: start, End: start + 1, Message: fmt.Sprintf("this is nested more than %d levels deep, which .NET refuses", maxDepth), Help: "nest less"})
	p.skipNested()
	id := p.bad(n, start)
	p.nodes[id].End = uint32(p.pos)
	return id
}

// skipNested moves behind the bracket that closes the one at the cursor.
func (p *parser) skipNested() {
	for depth := 0; p.pos < len(p.text); {
		switch p.text[p.pos] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			if _, ok := p.quotedText(); !ok && p.pos == len(p.text) {
				return
			}
			continue
		case '/':
			if p.comment() {
				continue
			}
		}
		p.pos++
		if depth == 0 {
			return
		}
	}
}

// atEnd reports that the text ends inside of a container; comma is the offset
// of a comma that stands last, -1 if none does. One finding is enough for all
// containers that are open.
func (p *parser) atEnd(id ID, comma int) {
	switch {
	case comma >= 0 && comma+1 == len(p.text):
		p.stop(nameOrValueEnd, comma)
	case comma >= 0:
		p.stop(nameOrValueEnd, len(p.text))
	default:
		p.stop(openAtEnd, len(p.text))
	}
	p.nodes[id].End = uint32(len(p.text))
	if p.quiet {
		return
	}
	p.quiet = true
	culprit := p.unclosed()
	n := &p.nodes[culprit]
	closer := "}"
	if n.Kind == Array {
		closer = "]"
	}
	p.report(Defect{
		Start: int(n.Start), End: int(n.Start) + 1,
		Message: "the " + p.title(culprit) + " that starts here is never closed",
		Help:    "write " + closer + " where it ends",
	})
}

// unclosed guesses which container lacks its closer. Where lines are indented,
// it is the first one that is closed by a bracket further left than the line
// it starts on: that bracket was meant for another. Otherwise it is the
// innermost that is open.
func (p *parser) unclosed() ID {
	for id := p.open[0]; int(id) < len(p.nodes); id++ {
		n := &p.nodes[id]
		if n.Kind != Object && n.Kind != Array || n.End <= n.Start+1 {
			continue
		}
		end := int(n.End) - 1
		if end >= len(p.text) || p.text[end] != '}' && p.text[end] != ']' {
			continue
		}
		left, alone := p.indent(end)
		if right, _ := p.indent(int(n.Start)); alone && left < right {
			return id
		}
	}
	return p.open[len(p.open)-1]
}

// indent returns how far the line of an offset is indented, and whether only
// blanks stand before the offset on it.
func (p *parser) indent(offset int) (width int, alone bool) {
	start := offset
	for start > 0 && !lineEnd(p.text[start-1]) {
		start--
	}
	for start+width < len(p.text) && (p.text[start+width] == ' ' || p.text[start+width] == '\t') {
		width++
	}
	return width, start+width >= offset
}
