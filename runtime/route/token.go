package route

import (
	"slices"
	"strings"
)

// kind is what a token takes of a text.
type kind uint8

const (
	literal    kind = iota // its text
	anyChar                // one character: an unescaped dot
	segment                // [^/]+
	rest                   // .*
	some                   // .+
	part                   // [^/|&]*, in the path with ampersands; see template.values
	tail                   // [^&]*, in the path with ampersands
	queryStart             // the place of "?" in a template; expanded before use
)

// token is one step of a pattern.
type token struct {
	text string // of a literal
	slot int32  // where the value of a placeholder is kept
	kind kind
	// sure says that only the longest value can lead to success, so nothing
	// shorter is tried.
	sure bool
	// order counts the tokens before that are not sure.
	order int16
}

// least is the length of the shortest value.
func (k kind) least() int {
	if k == segment || k == some {
		return 1
	}
	return 0
}

// pattern is a sequence of tokens.
type pattern struct {
	tokens []token
	// open patterns may leave a rest of the text over.
	open bool
	// fold compares without regard to the case of ASCII letters.
	fold bool
	// unsure is the number of tokens that may have to try shorter values.
	unsure int
}

func newPattern(tokens []token, fold, open bool) pattern {
	p := pattern{tokens: join(tokens), fold: fold, open: open}
	for i := range p.tokens {
		t := &p.tokens[i]
		switch {
		case t.kind == literal || t.kind == anyChar:
			continue
		case i+1 == len(p.tokens):
			t.sure = true
		case p.tokens[i+1].kind == literal:
			t.sure = p.tokens[i+1].text[0] == '/' && (t.kind == segment || t.kind == part)
		}
		t.order = int16(p.unsure)
		if !t.sure {
			p.unsure++
		}
	}
	return p
}

// join merges neighbouring literals and leaves out empty ones.
func join(tokens []token) []token {
	out := make([]token, 0, min(len(tokens), 8))
	for i := 0; i < len(tokens); {
		from := i
		size := 0
		for i < len(tokens) && tokens[i].kind == literal {
			size += len(tokens[i].text)
			i++
		}
		switch {
		case i == from:
			out = append(out, tokens[i])
			i++
		case size > 0:
			out = append(out, token{kind: literal, text: concat(tokens[from:i], size)})
		}
	}
	return slices.Clip(out)
}

func concat(literals []token, size int) string {
	if len(literals) == 1 {
		return literals[0].text
	}
	var b strings.Builder
	b.Grow(size)
	for _, t := range literals {
		b.WriteString(t.text)
	}
	return b.String()
}

// suffix returns the fixed text at the end of every text that p fits.
func (p *pattern) suffix() string {
	if n := len(p.tokens); n > 0 && !p.open && p.tokens[n-1].kind == literal {
		return p.tokens[n-1].text
	}
	return ""
}

// hasAt reports whether want stands in text at a place.
func hasAt(text string, at int, want string, fold bool) bool {
	if len(text)-at < len(want) {
		return false
	}
	got := text[at : at+len(want)]
	return got == want || fold && strings.EqualFold(got, want)
}
