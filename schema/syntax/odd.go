package syntax

import (
	"github.com/margay-dev/margay/schema/diag"
)

// colon reads what stands between a name and its value when it is not a colon
// at once. It says whether a value may follow.
func (p *parser) colon(n name) bool {
	for p.pos < len(p.text) && classes[p.text[p.pos]]&blank != 0 {
		p.pos++
	}
	if rest := p.text[p.pos:]; len(rest) > 1 && rest[0] == '/' && (rest[1] == '/' || rest[1] == '*') {
		p.commentBeforeColon()
	}
	end := int(n.end)
	if p.pos == len(p.text) {
		p.stop(colonAtEnd, p.pos)
		return false
	}
	c := p.text[p.pos]
	if c == ':' {
		p.pos++
		return true
	}
	p.stop(colonMissing, p.pos)
	switch c {
	case '=':
		p.report(Defect{Start: p.pos, End: p.pos + 1, Message: `"=" stands where a colon belongs`, Help: "write a colon", Fix: p.replace("write a colon", p.pos, p.pos+1, ":")})
		p.pos++
		return true
	case ',', '}', ']':
		p.report(Defect{Start: int(n.start), End: end, Message: p.quoted(int(n.start), end) + " has no value", Help: "write a colon and a value behind it"})
		return false
	}
	p.report(Defect{Start: end, End: end, Message: "a colon is missing behind " + p.quoted(int(n.start), end), Help: "write a colon", Fix: p.replace("insert a colon", end, end, ":")})
	return true
}

func (p *parser) commentBeforeColon() {
	p.stop(colonMissing, p.pos)
	start := p.pos
	first := len(p.comments)
	p.blanks()
	if first < len(p.comments) {
		p.report(Defect{Start: start, End: int(p.comments[first].End), Message: "a comment stands between a name and its colon, which .NET refuses", Help: "move the comment behind the colon"})
	}
}

// oddName reads what stands in an object where a name in quotes belongs. ok
// says that a member follows under the name.
func (p *parser) oddName(id ID) (n name, ok bool) {
	start := p.pos
	p.stop(nameStart, start)
	switch c := p.text[start]; {
	case c == ',':
		p.extraComma(id)
		return name{}, false
	case c == ']':
		p.wrongCloser(id)
		return name{}, false
	case c == ':':
		p.report(Defect{Start: start, End: start + 1, Message: "a name is missing before the colon", Help: "write the name in quotes"})
		return name{start: uint32(start), end: uint32(start)}, true
	case c == '{' || c == '[':
		p.namelessValue()
		return name{}, false
	case p.conflict():
		return name{}, false
	case c == '\'':
		p.singleQuotes()
		return name{start: uint32(start), end: uint32(p.pos)}, true
	case classes[c]&wordPart != 0:
		return p.bareName(start)
	}
	p.unexpected("")
	return name{}, false
}

// bareName reads a name without quotes.
func (p *parser) bareName(start int) (n name, ok bool) {
	p.pos = p.wordEnd(start)
	end := p.pos
	d := Defect{Start: start, End: end, Message: p.quoted(start, end) + " stands where a name in quotes belongs"}
	p.blanks()
	if ok = p.pos < len(p.text) && (p.text[p.pos] == ':' || p.text[p.pos] == '='); ok {
		d.Message = "the name " + p.quoted(start, end) + " has no quotes"
		d.Help = "put it in quotes"
		d.Fix = p.replace("put the name in quotes", start, end, `"`+string(p.text[start:end])+`"`)
	}
	p.report(d)
	return name{start: uint32(start), end: uint32(end)}, ok
}

// namelessValue skips a value that stands in an object without a name.
func (p *parser) namelessValue() {
	start := p.pos
	p.report(Defect{Start: start, End: start + 1, Message: "a value stands here without a name", Help: "write a name in quotes and a colon before it"})
	p.value(name{})
	p.blanks()
	if p.pos < len(p.text) && p.text[p.pos] == ',' {
		p.pos++
	}
}

// extraComma reports a comma that has nothing before it.
func (p *parser) extraComma(id ID) {
	start := p.pos
	p.pos++
	d := Defect{Start: start, End: p.pos, Message: "there is one comma too many", Help: "remove it", Fix: p.replace("remove the comma", start, p.pos, "")}
	if before := p.after(start); before == int(p.nodes[id].Start)+1 {
		d.Message = "the " + p.title(id) + " begins with a comma"
	}
	p.report(d)
}

// oddElement reads what stands in an array where a value belongs.
func (p *parser) oddElement(c byte) {
	p.stop(valueStart, p.pos)
	id := p.open[len(p.open)-1]
	switch c {
	case ',':
		p.extraComma(id)
	case '}':
		p.wrongCloser(id)
	default:
		p.unexpected("an array holds values without names")
	}
}

// oddSeparator reads what stands behind a value where a comma belongs. It says
// whether the next member or element follows; after is the end of the value.
func (p *parser) oddSeparator(id ID, after int) (next bool) {
	start, c := p.pos, p.text[p.pos]
	if c == '}' || c == ']' {
		p.stop(noOpening, start)
		p.wrongCloser(id)
		return false
	}
	p.stop(afterValue, start)
	switch {
	case p.conflict():
		return false
	case c == ';':
		p.report(Defect{Start: start, End: start + 1, Message: "a semicolon stands where a comma belongs", Help: "write a comma", Fix: p.replace("write a comma", start, start+1, ",")})
		p.pos++
		return true
	case p.startsNext(id):
		p.report(Defect{Start: after, End: after, Message: "a comma is missing here", Help: "write a comma", Fix: p.replace("insert a comma", after, after, ","),
			Related: []diag.Related{{Span: p.span(start, start+1), Message: "the next one starts here"}}})
		return true
	case c == '"' || c == '{' || c == '[':
		p.secondValue()
		return false
	case classes[c]&wordPart != 0 && c != '+':
		p.pos = p.wordEnd(start)
		p.report(Defect{Start: start, End: p.pos, Message: p.quoted(start, p.pos) + " follows a value", Help: "write a comma between them, or remove it"})
		return false
	}
	p.unexpected("a comma or a closing bracket belongs here")
	return false
}

// secondValue skips a value that directly follows another.
func (p *parser) secondValue() {
	start := p.pos
	p.report(Defect{Start: start, End: start + 1, Message: "a second value follows, without a name", Help: "a name has one value: remove one of both"})
	p.value(name{})
}

// startsNext guesses whether the next member or element starts at the cursor.
func (p *parser) startsNext(id ID) bool {
	c := p.text[p.pos]
	if p.nodes[id].Kind == Array {
		return c == '"' || c == '{' || c == '[' || c == '-' || isDigit(c)
	}
	i := p.pos
	switch {
	case c == '"':
		i = plainText(p.text, i+1)
		if i == len(p.text) || p.text[i] != '"' {
			return false
		}
		i++
	case classes[c]&wordPart != 0:
		i = p.wordEnd(i)
	default:
		return false
	}
	for i < len(p.text) && classes[p.text[i]]&blank != 0 {
		i++
	}
	return i < len(p.text) && p.text[i] == ':'
}

// wrongCloser reads a closing bracket of the other kind. If it closes a
// container further out, the inner one lacks its own bracket and ends here;
// otherwise the bracket is one too many.
func (p *parser) wrongCloser(id ID) {
	start := p.pos
	opener, want := Object, "]"
	if p.text[start] == ']' {
		opener, want = Array, "}"
	}
	for _, outer := range p.open[:len(p.open)-1] {
		if p.nodes[outer].Kind == opener {
			n := &p.nodes[id]
			p.leaving = id
			p.report(Defect{Start: start, End: start + 1, Message: "the " + p.title(id) + " is not closed before " + p.here(), Help: "write " + want + " before it",
				Related: []diag.Related{{Span: p.span(int(n.Start), int(n.Start)+1), Message: "it starts here"}}})
			return
		}
	}
	p.pos++
	p.report(Defect{Start: start, End: p.pos, Message: p.quoted(start, p.pos) + " closes nothing", Help: "remove it, or write " + want})
}

// closedFromOutside says, once, that a container ends at a bracket which is
// not its own.
func (p *parser) closedFromOutside(id ID) bool {
	if p.leaving != id {
		return p.giveUp()
	}
	p.leaving = 0
	return true
}
