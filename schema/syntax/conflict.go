package syntax

import "bytes"

// marker is a line that git leaves in a file with an unresolved merge.
type marker uint8

const (
	noMarker marker = iota
	ours
	base
	theirs
	end
)

var markers = [...]string{ours: "<<<<<<<", base: "|||||||", theirs: "=======", end: ">>>>>>>"}

// conflictAt returns the marker whose line begins at an offset.
func (p *parser) conflictAt(offset int) marker {
	if offset > 0 && !lineEnd(p.text[offset-1]) {
		return noMarker
	}
	for m := ours; m <= end; m++ {
		if bytes.HasPrefix(p.text[offset:], []byte(markers[m])) {
			return m
		}
	}
	return noMarker
}

// conflict moves past conflict markers at pos and reports the first of them.
// Of the two sides of a conflict only the first is read; false if there is no
// marker.
func (p *parser) conflict() bool {
	first := p.conflictAt(p.pos)
	if first == noMarker {
		return false
	}
	start := p.pos
	p.skipLine()
	lineStop := p.pos
	if first == theirs || first == base {
		p.skipSide()
	}
	for p.next(); p.pos < len(p.text) && p.conflictAt(p.pos) == end; p.next() {
		p.skipLine()
	}
	if first == ours || !p.conflicts {
		p.report(Defect{
			Start: start, End: lineStop, Message: "a merge conflict is not resolved: " + p.quoted(start, lineStop) + " is a mark that git has left",
			Help: "keep one of the two sides and remove the marks",
		})
	}
	p.conflicts = true
	return true
}

// skipSide moves to the line after the end of a conflict.
func (p *parser) skipSide() {
	for p.pos < len(p.text) {
		p.skipLineEnd()
		m := p.conflictAt(min(p.pos, len(p.text)))
		p.skipLine()
		if m == end {
			return
		}
	}
}

func (p *parser) skipLine() {
	if i := bytes.IndexAny(p.text[p.pos:], "\r\n"); i >= 0 {
		p.pos += i
		return
	}
	p.pos = len(p.text)
}

func (p *parser) skipLineEnd() {
	if p.pos < len(p.text) && lineEnd(p.text[p.pos]) {
		p.pos++
	}
}
