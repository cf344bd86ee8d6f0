package csharp

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lex returns the tokens of a source. Comments are left out, and so is what
// #if keeps from every compilation.
func Lex(text string) []Token {
	l := lexer{src: strings.TrimPrefix(text, "\ufeff"), line: 1, fresh: true}
	l.run(func(*lexer) bool { return false })
	return l.tokens
}

type lexer struct {
	src    string
	at     int
	line   int
	tokens []Token
	// fresh: nothing but blanks stands before on the line.
	fresh bool
	// regions are the open #if, innermost last.
	regions []region
	defined map[string]bool
	// depth counts the open brackets, for the ends of holes.
	depth int
	// nesting counts the strings whose holes are being read.
	nesting int
}

// maxNesting bounds strings within holes of strings; deeper ones stay opaque.
const maxNesting = 16

// run reads tokens until stop says so or the text ends.
func (l *lexer) run(stop func(*lexer) bool) {
	for l.at < len(l.src) && !stop(l) {
		c := l.src[l.at]
		switch {
		case c == '\n':
			l.line++
			l.at++
			l.fresh = true
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.at++
		case c == '#' && l.fresh && l.nesting == 0:
			l.directive()
		case strings.HasPrefix(l.src[l.at:], "//"):
			l.skipLine()
		case strings.HasPrefix(l.src[l.at:], "/*"):
			l.skipComment()
		default:
			l.fresh = false
			l.token(c)
		}
	}
}

func (l *lexer) token(c byte) {
	switch {
	case c == '"' || c == '@' || c == '$':
		if !l.text() {
			l.name()
		}
	case c == '\'':
		l.char()
	case c >= '0' && c <= '9':
		l.number()
	default:
		l.name()
	}
}

// name reads a name, or one piece of punctuation where there is none.
func (l *lexer) name() {
	start := l.at
	if l.src[start] == '@' {
		start++
	}
	end := start
	for end < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[end:])
		if r != '_' && !unicode.IsLetter(r) && (end == start || !unicode.IsDigit(r)) {
			break
		}
		end += size
	}
	if end > start {
		l.add(Token{Kind: Ident, Text: l.src[start:end]})
		l.at = end
		return
	}
	l.punct()
}

func (l *lexer) punct() {
	size := 1
	switch two := l.src[l.at:min(l.at+2, len(l.src))]; two {
	case "=>", "?.", "??", "::", "&&", "||":
		size = 2
	default:
		_, size = utf8.DecodeRuneInString(l.src[l.at:])
	}
	text := l.src[l.at : l.at+size]
	switch text {
	case "(", "[", "{":
		l.depth++
	case ")", "]", "}":
		l.depth--
	}
	l.add(Token{Kind: Punct, Text: text})
	l.at += size
}

func (l *lexer) number() {
	start := l.at
	for l.at < len(l.src) {
		c := l.src[l.at]
		digit := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		point := c == '.' && l.at+1 < len(l.src) && l.src[l.at+1] >= '0' && l.src[l.at+1] <= '9'
		if !digit && !point {
			break
		}
		l.at++
	}
	l.add(Token{Kind: Number, Text: l.src[start:l.at]})
}

// char reads a character. An apostrophe that no other closes on the line is
// punctuation.
func (l *lexer) char() {
	for i := l.at + 1; i < len(l.src) && l.src[i] != '\n'; i++ {
		switch l.src[i] {
		case '\\':
			i++
		case '\'':
			l.add(Token{Kind: Char, Text: l.src[l.at+1 : i]})
			l.at = i + 1
			return
		}
	}
	l.punct()
}

func (l *lexer) add(t Token) {
	t.Line, t.Maybe = l.line, l.maybe()
	l.tokens = append(l.tokens, t)
}

func (l *lexer) skipLine() {
	end := strings.IndexByte(l.src[l.at:], '\n')
	if end < 0 {
		end = len(l.src) - l.at
	}
	l.at += end
}

func (l *lexer) skipComment() {
	end := strings.Index(l.src[l.at+2:], "*/")
	if end < 0 {
		end = len(l.src) - l.at - 4
	}
	next := max(l.at+2+end+2, l.at+2)
	l.line += strings.Count(l.src[l.at:next], "\n")
	l.at = next
}
