package syntax

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// This file holds what is wrong inside strings and comments.

// badEscape reports the backslash at i, unless its string has a defect already
// (ok is false). It returns false.
func (p *parser) badEscape(i int, ok bool) bool {
	if i+1 >= len(p.text) {
		return ok // the string is open, which is said at its end
	}
	why, at := afterBackslash, i+1
	if p.text[at] == 'u' {
		why = afterU
		for at++; at < len(p.text) && at < i+6 && classes[p.text[at]]&hexDigit != 0; at++ {
		}
		if at == len(p.text) {
			return ok
		}
	}
	p.stop(why, at)
	if !ok {
		return false
	}
	_, size := utf8.DecodeRune(p.text[at:])
	if lineEnd(p.text[at]) {
		size = 0
	}
	escape := p.quoted(i, at+size)
	d := Defect{Start: i, End: at + size, Message: escape + " is not an escape that JSON knows", Help: `write "\\" for a backslash`}
	if why == afterU {
		d.Message = escape + ` is cut short: four hexadecimal digits must follow "\u"`
	} else {
		d.Fix = p.replace("write the backslash twice", i, i+1, `\\`)
		d.Fix.Unsafe = true
	}
	p.report(d)
	return false
}

// surrogate reports an escape that stands for half a character, once for its
// string. It returns the length of the escape with its other half. Whatever
// else is wrong in the string is reported too: .NET decodes it only when the
// whole text is JSON.
func (p *parser) surrogate(i int, ok bool) (size int, good bool) {
	first, _ := unit(p.text[i:])
	if !utf16.IsSurrogate(first) {
		return 6, ok
	}
	second, pair := unit(p.text[i+6:])
	switch {
	case pair && utf16.DecodeRune(first, second) != utf8.RuneError:
		return 12, ok
	case !ok || p.halved:
		return 6, ok
	}
	p.halved = true
	net := "Cannot read incomplete UTF-16 JSON text as string with missing low surrogate."
	if first >= 0xDC00 || pair {
		if first < 0xDC00 {
			first = second
		}
		net = fmt.Sprintf("Cannot read invalid UTF-16 JSON text as string. Invalid surrogate value: '0x%02X'.", first)
	}
	p.report(Defect{
		Start: i, End: i + 6, Phase: Unescaping, Net: net,
		Message: p.quoted(i, i+6) + " is half a character: characters above U+FFFF take two such escapes, a high and a low one",
		Help:    "write the character itself, or both halves",
	})
	return 6, true
}

// controlInString reports the control character at i in the string that
// starts at start. It returns where to read on, and whether the string ends
// there because its closing quote is missing.
func (p *parser) controlInString(start, i int, ok bool) (next int, ended, good bool) {
	p.stop(inString, i)
	c := p.text[i]
	if !lineEnd(c) {
		if ok {
			p.controlCharacter(i)
		}
		return i + 1, false, false
	}
	if !p.stringGoesOn(i) {
		end := start + len(bytes.TrimRight(p.text[start:i], " \t"))
		if p.text[end-1] == ',' {
			end--
		}
		p.pos = max(end, start+1)
		if ok {
			p.report(p.openStringDefect(start, p.pos))
		}
		return i, true, false
	}
	next = i + 1
	if c == '\r' && next < len(p.text) && p.text[next] == '\n' {
		next++
	}
	if ok {
		p.report(Defect{
			Start: i, End: next,
			Message: "this string goes on in the next line: a line break inside of a string is written \"\\n\"",
			Help:    "write the string on one line",
		})
	}
	return next, false, false
}

func (p *parser) controlCharacter(i int) {
	escape := fmt.Sprintf(`\u%04x`, p.text[i])
	what := fmt.Sprintf("control character U+%04X", p.text[i])
	switch p.text[i] {
	case '\t':
		escape, what = `\t`, "tab"
	case '\b':
		escape = `\b`
	case '\f':
		escape = `\f`
	}
	p.report(Defect{
		Start: i, End: i + 1,
		Message: fmt.Sprintf("a %s stands inside of a string: JSON wants it written \"%s\"", what, escape),
		Help:    fmt.Sprintf("write %s, or a space", escape),
		Fix:     p.replace("write "+escape, i, i+1, escape),
	})
}

// stringGoesOn guesses whether a string with a line break at i is meant to
// have one. It is not where the next line begins with a quote or a bracket, as
// lines of JSON do; then the closing quote has been forgotten.
func (p *parser) stringGoesOn(i int) bool {
	const far = 4096
	rest := bytes.TrimLeft(p.text[i:min(len(p.text), i+far)], " \t\r\n")
	if len(rest) == 0 || bytes.IndexByte([]byte(`"{}[]/,`), rest[0]) >= 0 {
		return false
	}
	quote := bytes.IndexByte(rest, '"')
	if quote < 0 || bytes.ContainsAny(rest[:quote], "{}") {
		return false
	}
	rest = bytes.TrimLeft(rest[quote+1:], " \t")
	return len(rest) > 0 && bytes.IndexByte([]byte(",}]:\r\n"), rest[0]) >= 0
}

// openString reports a string that lacks its closing quote on the last line.
func (p *parser) openString(start int) {
	p.stop(stringAtEnd, len(p.text))
	p.pos = len(p.text)
	p.report(p.openStringDefect(start, p.pos))
	p.quiet = true
}

func (p *parser) openStringDefect(start, end int) Defect {
	return Defect{Start: start, End: end, Message: "the string that starts here has no closing quote", Help: `write a " after it`}
}

// cutName moves back to the colon in a name that has no closing quote.
func (p *parser) cutName(start int) {
	text := p.text[start:p.pos]
	if len(text) > 1 && text[len(text)-1] == '"' {
		return
	}
	if i := bytes.IndexByte(text, ':'); i > 0 {
		p.pos = start + i
	}
}

// openComment reports a /* without */.
func (p *parser) openComment() {
	p.stop(commentAtEnd, p.pos)
	p.report(Defect{Start: p.pos, End: p.pos + 2, Message: `the comment that starts here has no end: "*/" is missing`, Help: `write */ after it`})
	p.quiet = true
}

// separatorInComment reports U+2028 or U+2029, which .NET refuses to take as
// part of a // comment because other programs end the line there.
func (p *parser) separatorInComment(comment []byte) {
	p.stop(lineSeparator, p.pos)
	i := bytes.Index(comment, []byte("\u2028"))
	if j := bytes.Index(comment, []byte("\u2029")); i < 0 || j >= 0 && j < i {
		i = j
	}
	p.report(Defect{
		Start: p.pos + i, End: p.pos + i + len("\u2028"),
		Message: "the comment contains an invisible line separator (U+2028 or U+2029), which .NET refuses",
		Help:    "delete the character",
		Fix:     p.replace("delete the line separator", p.pos+i, p.pos+i+len("\u2028"), ""),
	})
}
