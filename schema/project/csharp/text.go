package csharp

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// text reads a string of any form: "a", @"a", $"a{b}", $@"…", """…""",
// $$"""…""". It returns false, and reads nothing, where no string begins.
func (l *lexer) text() bool {
	at, dollars, verbatim := l.at, 0, false
	for ; at < len(l.src) && (l.src[at] == '$' || l.src[at] == '@'); at++ {
		if l.src[at] == '$' {
			dollars++
		} else {
			verbatim = true
		}
	}
	quotes := 0
	for at+quotes < len(l.src) && l.src[at+quotes] == '"' {
		quotes++
	}
	if quotes == 0 {
		return false
	}
	t := textReader{lexer: l, dollars: dollars, verbatim: verbatim, quotes: 1, line: l.line, maybe: l.maybe()}
	if quotes >= 3 && !verbatim {
		t.quotes = quotes
	}
	l.at = at + t.quotes
	t.read()
	return true
}

// textReader reads what stands behind the opening quotes.
type textReader struct {
	*lexer
	dollars, quotes int
	verbatim        bool
	line            int
	maybe           string
	value           strings.Builder
	parts           []Part
}

func (t *textReader) read() {
	closed := false
	for t.at < len(t.src) && !closed {
		c := t.src[t.at]
		switch {
		case c == '"':
			closed = t.quote()
		case c == '\n':
			t.lexer.line++
			t.keep(1)
			closed = t.quotes == 1 && !t.verbatim // never closed: the rest of the file is code again
		case t.dollars > 0 && c == '{' && t.hole():
		case t.dollars > 0 && t.quotes == 1 && (c == '{' || c == '}') && strings.HasPrefix(t.src[t.at+1:], string(c)):
			t.value.WriteByte(c)
			t.at += 2
		case c == '\\' && !t.verbatim && t.quotes == 1:
			t.escape()
		default:
			t.keep(1)
		}
	}
	t.finish()
}

// quote reads quotes, and says whether they close the string.
func (t *textReader) quote() bool {
	if t.verbatim && strings.HasPrefix(t.src[t.at:], `""`) {
		t.value.WriteByte('"')
		t.at += 2
		return false
	}
	if t.quotes == 1 {
		t.at++
		return true
	}
	run := 0
	for t.at+run < len(t.src) && t.src[t.at+run] == '"' {
		run++
	}
	if run < t.quotes {
		t.keep(run)
		return false
	}
	t.keep(run - t.quotes) // quotes in front of the last ones belong to the text
	t.at += t.quotes
	return true
}

func (t *textReader) keep(n int) {
	t.value.WriteString(t.src[t.at : t.at+n])
	t.at += n
}

// hole reads {…}. It returns false where the brace is text.
func (t *textReader) hole() bool {
	braces := 0
	for t.at+braces < len(t.src) && t.src[t.at+braces] == '{' {
		braces++
	}
	switch {
	case t.quotes > 1 && braces < t.dollars, t.quotes == 1 && braces%2 == 0:
		return false
	case t.quotes > 1:
		t.keep(braces - t.dollars)
		t.at += t.dollars
	default:
		for range braces / 2 {
			t.value.WriteByte('{')
		}
		t.at += braces
	}
	t.part(Part{Hole: t.holeTokens()})
	return true
}

// holeTokens reads the expression of a hole, and goes behind its end.
func (t *textReader) holeTokens() []Token {
	l := t.lexer
	outer, depth := l.tokens, l.depth
	l.tokens, l.depth = nil, 0
	if l.nesting++; l.nesting < maxNesting {
		l.run(func(l *lexer) bool {
			c := l.src[l.at]
			return l.depth == 0 && (c == '}' || c == ':' && !strings.HasPrefix(l.src[l.at:], "::") || c == ',')
		})
	}
	l.nesting--
	found := l.tokens
	l.tokens, l.depth = outer, depth
	l.fresh = false
	end := strings.IndexAny(l.src[l.at:], "}\"\n")
	switch {
	case end < 0:
		l.at = len(l.src)
	case l.src[l.at+end] == '}':
		l.at += end
		closing := 1
		if t.quotes > 1 {
			closing = t.dollars
		}
		for ; closing > 0 && l.at < len(l.src) && l.src[l.at] == '}'; closing-- {
			l.at++
		}
	default:
		l.at += end
	}
	return found
}

func (t *textReader) part(p Part) {
	if t.value.Len() > 0 {
		t.parts = append(t.parts, Part{Text: t.value.String()})
		t.value.Reset()
	}
	if p.Hole == nil {
		p.Hole = []Token{}
	}
	t.parts = append(t.parts, p)
}

// escape reads a sequence that begins with a backslash.
func (t *textReader) escape() {
	rest := t.src[t.at:]
	r, _, tail, err := strconv.UnquoteChar(rest, '"')
	if err != nil || len(rest) == len(tail) {
		t.keep(min(2, len(rest)))
		return
	}
	t.value.WriteString(string(utf8.AppendRune(nil, r)))
	t.at += len(rest) - len(tail)
}

func (t *textReader) finish() {
	out := Token{Kind: Text, Line: t.line, Maybe: t.maybe}
	if t.parts == nil {
		out.Text = t.value.String()
		if t.quotes > 1 {
			out.Text = strings.TrimSpace(out.Text)
		}
	} else {
		if t.value.Len() > 0 {
			t.parts = append(t.parts, Part{Text: t.value.String()})
		}
		out.Holes = t.parts
	}
	t.tokens = append(t.tokens, out)
}
