package syntax

import (
	"bytes"
	"fmt"
	"strings"
)

// literal reads true, false or null; whatever else stands there is reported.
func (p *parser) literal() Kind {
	start := p.pos
	switch rest := p.text[start:]; rest[0] {
	case 't':
		return p.exactly(True, "true", notTrue)
	case 'f':
		return p.exactly(False, "false", notFalse)
	case 'n':
		return p.exactly(Null, "null", notNull)
	case ',', '}', ']':
		p.stop(valueStart, start)
		p.report(Defect{Start: start, End: start + 1, Message: "a value is missing before " + p.here(), Help: "write the value, or remove the name"})
		return Bad
	}
	p.stop(valueStart, start)
	p.oddValue()
	return Bad
}

// exactly reads one of the three words.
func (p *parser) exactly(kind Kind, word string, why reason) Kind {
	rest := p.text[p.pos:]
	if !bytes.HasPrefix(rest, []byte(word)) {
		same := 1
		for same < len(rest) && rest[same] == word[same] {
			same++
		}
		p.stopAt(why, p.pos+same, string(rest))
		p.oddValue()
		return Bad
	}
	if end := p.pos + len(word); end == len(p.text) || classes[p.text[end]]&wordPart == 0 {
		p.pos = end
		return kind
	}
	if why = afterValue; len(p.open) == 0 {
		why = afterRoot
	}
	p.stop(why, p.pos+len(word))
	p.oddValue()
	return Bad
}

// oddValue reports what stands where a value belongs and moves behind it.
func (p *parser) oddValue() {
	if p.conflict() {
		return
	}
	start := p.pos
	if p.text[start] == '\'' {
		p.singleQuotes()
		return
	}
	if p.text[start] == '`' {
		p.unexpected(`JSON's quotes are "`)
		return
	}
	p.pos = p.wordEnd(start)
	if p.pos == start {
		p.unexpected("")
		return
	}
	if c := p.text[start]; c == '+' || c == '.' {
		p.oddNumber(start)
		return
	}
	p.oddWord(start)
}

// spellings are words of other languages for JSON's three words.
var spellings = map[string]string{
	"true": "true", "false": "false", "null": "null", "yes": "true", "no": "false", "on": "true", "off": "false",
	"none": "null", "nil": "null", "undefined": "null",
}

func (p *parser) oddWord(start int) {
	word := string(p.text[start:p.pos])
	d := Defect{Start: start, End: p.pos, Message: p.quoted(start, p.pos) + " is not a value: text stands in quotes"}
	switch meant, known := spellings[strings.ToLower(word)]; {
	case known:
		d.Message = fmt.Sprintf("%s is not a word of JSON", p.quoted(start, p.pos))
		d.Help = "write " + meant
		if strings.EqualFold(word, meant) {
			d.Message += ", which knows true, false and null in small letters"
			d.Fix = p.replace("write "+meant, start, p.pos, meant)
		}
	case word == "NaN" || word == "Infinity":
		d.Message = fmt.Sprintf("%s is not a number in JSON", p.quoted(start, p.pos))
		d.Help = fmt.Sprintf("write %q in quotes: .NET reads that as the number", word)
	default:
		d.Help = `put it in quotes: "` + word + `"`
		d.Fix = p.replace("put it in quotes", start, p.pos, `"`+word+`"`)
		d.Fix.Unsafe = true
	}
	p.report(d)
}

// singleQuotes reports a text in single quotes and moves behind it.
func (p *parser) singleQuotes() {
	start := p.pos
	rest := p.text[start+1:]
	if line := bytes.IndexAny(rest, "\r\n"); line >= 0 {
		rest = rest[:line]
	}
	end := bytes.IndexByte(rest, '\'')
	if end < 0 {
		p.unexpected(`JSON's quotes are "`)
		return
	}
	p.pos = start + 1 + end + 1
	d := Defect{Start: start, End: p.pos, Message: "text stands in single quotes, where JSON wants double ones"}
	if inner := string(rest[:end]); !strings.ContainsAny(inner, `"\`) {
		d.Help = `write "` + inner + `"`
		d.Fix = p.replace("use double quotes", start, p.pos, `"`+inner+`"`)
	}
	p.report(d)
}

// unexpected reports the character at the cursor and moves behind it.
func (p *parser) unexpected(hint string) {
	start := p.pos
	message := p.here() + " does not belong here"
	_, size := firstRune(p.text[start:])
	p.pos = start + size
	p.report(Defect{Start: start, End: p.pos, Message: message, Help: hint})
}

// conflict reports the mark of a merge that git could not finish, and moves to
// the next line.
func (p *parser) conflict() bool {
	if p.pos > 0 && !lineEnd(p.text[p.pos-1]) {
		return false
	}
	rest := p.text[p.pos:]
	for _, mark := range []string{"<<<<<<<", "=======", ">>>>>>>", "|||||||"} {
		if !bytes.HasPrefix(rest, []byte(mark)) {
			continue
		}
		start := p.pos
		if end := bytes.IndexAny(rest, "\r\n"); end >= 0 {
			rest = rest[:end]
		}
		p.pos += len(rest)
		p.report(Defect{Start: start, End: p.pos, Message: "a conflict of a merge is not resolved: " + p.quoted(start, p.pos),
			Help: "keep one of both sides and delete the marks of git"})
		return true
	}
	return false
}
