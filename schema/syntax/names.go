package syntax

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// This file holds what people write where a member's name or its colon
// belongs.

// noName reads what stands at pos instead of a name. comma says that a comma
// has just been read.
func (p *parser) noName(id ID, c byte, comma bool) (name, outcome) {
	if p.pos >= len(p.text) || p.giveUp() {
		p.endOfText(comma)
		return name{}, closed
	}
	p.stop(nameStart, p.pos)
	if p.conflict() {
		return name{}, again
	}
	start := p.pos
	switch c {
	case ',':
		p.extraCommas(comma)
		return name{}, again
	case ']':
		return name{}, p.wrongCloser(id, ']')
	case '#':
		p.hashComment()
		return name{}, again
	case '{', '[':
		if p.endsBefore(id, c) {
			return name{}, p.endBefore(id, p.pos)
		}
		return name{}, p.nameless(id, c)
	case ':':
		return name{}, p.nameless(id, c)
	}
	if n, ok := p.bareName(start); ok {
		return n, proceed
	}
	p.unexpected("a name in double quotes or a closing brace")
	return name{}, p.rejoin(id)
}

// extraCommas reports commas that follow no member or element.
func (p *parser) extraCommas(comma bool) {
	start, end := p.pos, p.pos
	for p.next() == ',' {
		p.pos++
		end = p.pos
	}
	d := Defect{Start: start, End: end, Message: "two commas follow one another", Help: "remove one", Fix: p.replace("remove the comma", start, end, "")}
	if !comma {
		d.Message = "a comma stands before the first member or element"
		d.Help = "remove it"
	}
	p.report(d)
}

// hashComment moves past a comment of the wrong sort.
func (p *parser) hashComment() {
	start := p.pos
	end := len(p.text)
	if i := bytes.IndexAny(p.text[start:], "\r\n"); i >= 0 {
		end = start + i
	}
	p.pos = end
	p.report(Defect{
		Start: start, End: start + 1, Message: `"#" begins no comment in JSON: comments begin with //`,
		Help: "write // instead of #", Fix: p.replace("write //", start, start+1, "//"),
	})
}

// nameless moves past a value that has no name.
func (p *parser) nameless(id ID, c byte) outcome {
	start := p.pos
	if c == ':' {
		p.report(Defect{Start: start, End: start + 1, Message: "the name before this colon is missing", Help: `write the name in double quotes`})
		p.pos++
	} else if p.namelessIn != id {
		p.namelessIn = id
		what := map[byte]string{'{': "object", '[': "array"}[c]
		p.report(Defect{
			Start: start, End: start + 1, Help: "give it a name, or put the list in [ ]",
			Message: fmt.Sprintf("an %s without a name stands in the %s: every member of an object has a name", what, p.title(id)),
			Related: p.opening(id),
		})
	}
	p.value(name{})
	return p.rejoin(id)
}

// rejoin goes on after something that has been skipped in an object.
func (p *parser) rejoin(id ID) outcome {
	if p.separator(id, '}') == closed {
		return closed
	}
	return again
}

// bareName reads a name without quotes or in the wrong ones; ok is false if
// no colon follows it.
func (p *parser) bareName(start int) (n name, ok bool) {
	from, to, end := start, start, start
	quotes := closingQuote(p.text[start:])
	if quotes != "" {
		from, to, end = p.quotedEnd(start, quotes)
	} else {
		end = p.bareNameEnd(start)
		to = end
		if end < len(p.text) && p.text[end] == '"' {
			end++ // only the opening quote is missing
		}
	}
	p.pos = end
	if c := p.nextBlank(); from == to || c != ':' && c != '=' {
		p.pos = start
		return name{}, false
	}
	p.pos = end
	if quotes != "" {
		p.reportQuotes(start, end, from, to)
	} else {
		d := Defect{Start: start, End: end, Message: p.quoted(from, to) + " is a name without quotes: JSON wants names in double quotes", Help: "put it in double quotes"}
		if end > to {
			d.Message = p.quoted(from, to) + " has no opening quote"
		}
		if !bytes.ContainsAny(p.text[from:to], `"\`) {
			d.Fix = p.replace("put the name in double quotes", start, end, `"`+string(p.text[from:to])+`"`)
		}
		p.report(d)
	}
	return name{start: uint32(from), end: uint32(to)}, true
}

func (p *parser) bareNameEnd(start int) int {
	end := start
	for end < len(p.text) {
		r, size := utf8.DecodeRune(p.text[end:])
		if r < ' ' || bytes.ContainsRune([]byte(` :="',{}[]`), r) {
			break
		}
		end += size
	}
	return end
}

// noColon reads what follows a name that has no colon after it.
func (p *parser) noColon(n name) ID {
	if p.pos >= len(p.text) || p.giveUp() {
		p.stop(colonAtEnd, len(p.text))
		p.endOfText(false)
		return p.add(Bad, n, p.pos)
	}
	p.stop(colonMissing, p.pos)
	start, c := p.pos, p.text[p.pos]
	if c == '/' && p.comment() {
		p.report(Defect{
			Start: start, End: p.pos, Message: "a comment stands between a name and its colon, where .NET allows none",
			Help: "move the comment behind the colon",
		})
		if p.next() == ':' {
			p.pos++
			return p.value(n)
		}
		return p.add(Bad, n, p.pos)
	}
	if at, ok := p.colonInName(n); ok {
		p.report(p.openStringDefect(int(n.start), at))
		n.end = uint32(at)
		p.pos = at + 1
		return p.value(n)
	}
	return p.notColon(n, c)
}

// colonInName finds the colon in `"Timeout: "` of `"Timeout: "5s"`.
func (p *parser) colonInName(n name) (at int, ok bool) {
	text := p.text[n.start:n.end]
	if len(text) < 3 || text[len(text)-1] != '"' || classes[p.text[p.pos]]&wordPart == 0 {
		return 0, false
	}
	inner := bytes.TrimRight(text[:len(text)-1], " \t")
	if len(inner) < 3 || inner[len(inner)-1] != ':' {
		return 0, false
	}
	return int(n.start) + len(inner) - 1, true
}

func (p *parser) notColon(n name, c byte) ID {
	start, quoted := p.pos, p.quoted(int(n.start), int(n.end))
	switch c {
	case '=', '-', '>':
		for p.pos < len(p.text) && bytes.IndexByte([]byte("=->:"), p.text[p.pos]) >= 0 {
			p.pos++
		}
		p.report(Defect{
			Start: start, End: p.pos, Message: fmt.Sprintf("%s stands between the name %s and its value: a colon belongs there", p.quoted(start, p.pos), quoted),
			Help: "write a colon", Fix: p.replace("write a colon", start, p.pos, ":"),
		})
		return p.valueAfter(n)
	case ',', '}', ']':
		if id := p.open[len(p.open)-1]; p.valuelessIn != id {
			p.valuelessIn = id
			p.report(Defect{Start: int(n.start), End: int(n.end), Message: quoted + " has no value", Help: "write a colon and a value after it, or put the list in [ ]"})
		}
		return p.add(Bad, n, start)
	case '"', '{', '[', 't', 'f', 'n', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		at := int(n.end)
		p.report(Defect{Start: at, End: at, Message: "a colon is missing after " + quoted, Help: "write a colon", Fix: p.replace("write a colon", at, at, ":")})
		return p.value(n)
	}
	end := p.bareEnd(start, true)
	p.pos = end
	p.report(Defect{Start: start, End: end, Message: fmt.Sprintf("%s follows the name %s: a colon belongs there", p.quoted(start, end), quoted), Help: "write a colon and a value"})
	return p.add(Bad, n, start)
}
