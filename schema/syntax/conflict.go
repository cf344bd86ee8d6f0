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

// conflict moves past conflict markers at pos and reports each beginning of a
// conflict, or the first marker. Of the sides of a conflict only the first is
// read. It returns false if there is no marker.
func (p *parser) conflict() bool {
	first := p.pos
	for {
		m := p.conflictAt(p.pos)
		if m == noMarker {
			return p.pos > first
		}
		start := p.pos
		p.skipLine()
		if m == ours || !p.conflicts {
			p.conflicts = true
			p.report(Defect{
				Start: start, End: p.pos, Message: "a merge conflict is not resolved: " + p.quoted(start, p.pos) + " is a mark that git has left",
				Help: "keep one of the two sides and remove the marks",
			})
		}
		if m == theirs || m == base {
			p.skipSide()
		}
		p.next()
	}
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
