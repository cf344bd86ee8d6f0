package syntax

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// This file holds what people write where a value belongs.

// noValue reads what stands at pos instead of a value.
func (p *parser) noValue(n name, c byte) ID {
	if p.pos >= len(p.text) || p.giveUp() {
		p.endOfText(false)
		return p.add(Bad, n, p.pos)
	}
	p.stop(valueStart, p.pos)
	if p.conflict() {
		return p.value(n)
	}
	start := p.pos
	switch c {
	case ',', '}', ']':
		p.report(Defect{Start: start, End: start + 1, Message: p.missingValue(n, c), Help: "write a value, or remove the name"})
		if len(p.open) == 0 {
			p.pos++
		}
		return p.add(Bad, n, start)
	case ':', '=':
		for p.pos < len(p.text) && p.text[p.pos] == c {
			p.pos++
		}
		p.report(Defect{
			Start: start, End: p.pos, Message: p.quoted(start, p.pos) + " stands where a value belongs", Help: "remove it",
			Fix: p.replace("remove it", start, p.pos, ""),
		})
		return p.valueAfter(n)
	}
	return p.bareValue(n)
}

// valueAfter reads the value after a sign too many. It does not try twice, so
// that ":=:=:=" does not nest.
func (p *parser) valueAfter(n name) ID {
	switch c := p.next(); c {
	case ':', '=':
		return p.bareValue(n)
	}
	return p.value(n)
}

func (p *parser) missingValue(n name, c byte) string {
	if n.end > 0 {
		return fmt.Sprintf("%s has no value: %q follows instead", p.quoted(int(n.start), int(n.end)), string(rune(c)))
	}
	return fmt.Sprintf("%q stands where a value belongs", string(rune(c)))
}

// badLiteral reads text that begins like true, false or null.
func (p *parser) badLiteral(n name, word string, why reason) ID {
	at := p.pos + 1
	for at < len(p.text) && p.text[at] == word[at-p.pos] {
		at++
	}
	if !p.stopped {
		p.stopAt(why, at, string(p.text[p.pos:]))
	}
	return p.bareValue(n)
}

// longLiteral reads a word that goes on at end after true, false or null.
func (p *parser) longLiteral(n name, end int) ID {
	if len(p.open) == 0 {
		p.stop(afterRoot, end)
	} else {
		p.stop(afterValue, end)
	}
	return p.bareValue(n)
}

// goodNumber notes what .NET has against the number at pos. It says whether
// only what follows it is wrong, and then moves there.
func (p *parser) goodNumber(why reason, at int) bool {
	p.stop(why, at)
	if why != numberEnd && why != exponentOrEnd {
		return false
	}
	if c := p.text[at]; classes[c]&wordPart != 0 || bytes.IndexByte([]byte(".+-'%"), c) >= 0 {
		return false
	}
	p.pos = at
	return true
}

// bareValue reports text without quotes, or in the wrong ones, and moves past
// it.
func (p *parser) bareValue(n name) ID {
	start := p.pos
	if close := closingQuote(p.text[start:]); close != "" {
		return p.wrongQuotes(n, close)
	}
	end := p.bareEnd(start, len(p.open) > 0)
	word := bytes.IndexAny(p.text[start:end], " \t\"")
	if word > 0 {
		if m := explain(string(p.text[start : start+word])); m.message != "" {
			end = start + word
		}
	}
	text := string(p.text[start:end])
	m := explain(text)
	if m.message == "" {
		m = bareText(text)
	}
	d := Defect{Start: start, End: end, Message: fmt.Sprintf(m.message, p.quoted(start, end)), Help: m.help}
	if m.instead != "" {
		d.Fix = p.replace("write "+m.instead, start, end, m.instead)
		d.Fix.Unsafe = m.guess
	}
	p.pos = end
	p.report(d)
	return p.add(Bad, n, start)
}

// bareEnd returns where text without quotes ends: before a comma, a bracket
// that it does not open, a comment, or the end of the line. Commas within
// brackets belong to the text, as in "{a,b}", if they are closed on the line.
// Outside of any container the line is all text.
func (p *parser) bareEnd(start int, inside bool) int {
	end, balanced := p.bareRun(start, inside, 1)
	if !balanced {
		end, _ = p.bareRun(start, inside, 0)
	}
	if end == start { // a line end or a blank of some sort
		_, size := utf8.DecodeRune(p.text[start:])
		return start + size
	}
	return end
}

// bareRun is bareEnd for brackets that count so much; balanced says whether
// all have been closed.
func (p *parser) bareRun(start int, inside bool, bracket int) (end int, balanced bool) {
	depth := 0
	end = start
	for i := start; i < len(p.text) && !lineEnd(p.text[i]); i++ {
		c := p.text[i]
		switch c {
		case '{', '[':
			depth += bracket
		case '}', ']':
			depth--
		}
		if i > start && (inside && (c == ',' && depth <= 0 || depth < 0) || p.commentAt(i)) {
			break
		}
		if c != ' ' && c != '\t' {
			end = i + 1
		}
	}
	return end, depth <= 0
}

// commentAt says whether a comment begins at i, behind a blank: the slashes of
// "http://" begin none.
func (p *parser) commentAt(i int) bool {
	return p.text[i] == '/' && classes[p.text[i-1]]&blank != 0 && i+1 < len(p.text) && (p.text[i+1] == '/' || p.text[i+1] == '*')
}

// closingQuote returns what closes a text that begins with a quotation mark
// other than JSON's; "" if it begins with none.
func closingQuote(text []byte) string {
	for _, pair := range [...][2]string{{"'", "'"}, {"`", "`"}, {"“", "”"}, {"”", "”"}, {"„", "“"}, {"‘", "’"}, {"’", "’"}, {"«", "»"}} {
		if bytes.HasPrefix(text, []byte(pair[0])) {
			return pair[1]
		}
	}
	return ""
}

// quotedEnd returns the end of the text in foreign quotes at start, on the
// same line; without a closing quote it is the end of bare text.
func (p *parser) quotedEnd(start int, close string) (innerStart, innerEnd, end int) {
	_, size := utf8.DecodeRune(p.text[start:])
	innerStart = start + size
	line := p.text[innerStart:]
	if i := bytes.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	if i := bytes.Index(line, []byte(close)); i >= 0 {
		return innerStart, innerStart + i, innerStart + i + len(close)
	}
	end = max(p.bareEnd(start, true), innerStart)
	return innerStart, end, end
}

func (p *parser) wrongQuotes(n name, close string) ID {
	start := p.pos
	from, to, end := p.quotedEnd(start, close)
	p.reportQuotes(start, end, from, to)
	p.pos = end
	return p.add(Bad, n, start)
}

// reportQuotes reports text[start:end] as text in foreign quotes, with the
// inner text[from:to].
func (p *parser) reportQuotes(start, end, from, to int) {
	d := Defect{
		Start: start, End: end, Help: `use double quotes`,
		Message: fmt.Sprintf("%s is in the wrong quotes: JSON knows only double ones", string(p.text[start:from])+p.bareQuoted(from, to)+string(p.text[to:end])),
	}
	if inner := string(p.text[from:to]); !strings.ContainsAny(inner, `"\`) {
		d.Fix = p.replace("use double quotes", start, end, `"`+inner+`"`)
	}
	p.report(d)
}

func (p *parser) bareQuoted(start, end int) string {
	return strings.TrimSuffix(strings.TrimPrefix(p.quoted(start, end), `"`), `"`)
}

// tooDeep moves past an object or array that stands deeper than .NET goes.
func (p *parser) tooDeep(id ID) ID {
	why, what := objectDepth, "object"
	if p.nodes[id].Kind == Array {
		why, what = arrayDepth, "array"
	}
	start := p.pos
	p.stop(why, start)
	p.skipBalanced()
	p.report(Defect{
		Start: start, End: start + 1,
		Message: fmt.Sprintf("this %s is nested too deeply: .NET reads %d levels", what, maxDepth),
		Help:    "nest less deeply",
	})
	n := &p.nodes[id]
	n.Kind, n.End = Bad, uint32(p.pos)
	return id
}

// skipBalanced moves past a bracket and everything up to its counterpart.
func (p *parser) skipBalanced() {
	depth := 0
	for {
		switch c := p.next(); c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			p.str()
			continue
		case 0:
			if p.pos >= len(p.text) {
				return
			}
		}
		p.pos++
		if depth <= 0 {
			return
		}
	}
}
