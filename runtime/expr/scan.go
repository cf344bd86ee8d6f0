package expr

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a half-open range of bytes.
type span struct{ start, end int }

func (s span) to(other span) span { return span{s.start, other.end} }

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokNewline
	tokName
	tokWhole
	tokFraction
	tokOpen
	tokClose
	tokComma
	tokEllipsis
	tokOperator
	// tokBad stands for an operand that was reported already.
	tokBad
	// tokOther is anything that no expression contains. Some of it is still
	// understood, for the sake of a good message.
	tokOther
)

type token struct {
	span
	kind tokenKind
	op   operator // of a tokOperator
}

// scanner cuts the text into tokens by Go's rules. A mistake in the text of a
// single token goes to errs.
type scanner struct {
	text string
	pos  int
	// operand is set after a token that may end an expression: a line break
	// that follows does end it.
	operand bool
	errs    Errors
}

// byteOrderMark may stand at the very beginning, as in a Go source file.
const byteOrderMark = "\ufeff"

func newScanner(text string) scanner {
	s := scanner{text: text}
	if strings.HasPrefix(text, byteOrderMark) {
		s.pos = len(byteOrderMark)
	}
	s.checkBytes()
	return s
}

// checkBytes reports the first byte that Go allows nowhere, not even in a
// comment.
func (s *scanner) checkBytes() {
	for i, r := range s.text[s.pos:] {
		at := s.pos + i
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(s.text[at:])
		}
		if r == 0 || r == '\ufeff' || r == utf8.RuneError && size == 1 {
			s.errs.add(span{at, at + size},
				fmt.Sprintf("the expression contains the byte 0x%02x, which is not text", s.text[at]), "remove it")
			return
		}
	}
}

// next returns the next token. At the end of the text it is tokEOF, again and
// again.
func (s *scanner) next() token {
	if broke := s.skipBlank(); broke >= 0 {
		s.operand = false
		return token{span: span{broke, broke + 1}, kind: tokNewline}
	}
	t := s.scan()
	s.pos = t.end
	switch t.kind {
	case tokName, tokWhole, tokFraction, tokBad, tokClose:
		s.operand = true
	default:
		s.operand = false
	}
	return t
}

// skipBlank skips blanks and comments. It stops at a line break that ends the
// expression and returns its offset, else -1.
func (s *scanner) skipBlank() int {
	for s.pos < len(s.text) {
		start := s.pos
		switch rest := s.text[s.pos:]; {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\n':
			s.pos++
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			s.pos += n
		case strings.HasPrefix(rest, "/*"):
			s.pos += s.blockComment(rest)
		default:
			return -1
		}
		if n := strings.IndexByte(s.text[start:s.pos], '\n'); n >= 0 && s.operand {
			return start + n
		}
	}
	return -1
}

func (s *scanner) blockComment(rest string) int {
	n := strings.Index(rest[2:], "*/")
	if n < 0 {
		s.errs.add(span{s.pos, s.pos + 2}, "the comment is never closed", `add "*/" after it`)
		return len(rest)
	}
	return n + len("/*") + len("*/")
}

func (s *scanner) scan() token {
	if s.pos == len(s.text) {
		return s.token(tokEOF, 0)
	}
	rest := s.text[s.pos:]
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case isLetter(r):
		return s.token(tokName, prefixLen(rest, isNameRune))
	case isDigit(rest[0]) || r == '.' && len(rest) > 1 && isDigit(rest[1]):
		return s.number(rest)
	case r == '(':
		return s.token(tokOpen, 1)
	case r == ')':
		return s.token(tokClose, 1)
	case r == ',':
		return s.token(tokComma, 1)
	case strings.HasPrefix(rest, "..."):
		return s.token(tokEllipsis, 3)
	case r == '"' || r == '\'' || r == '`':
		return s.token(tokOther, quotedLen(rest))
	}
	return s.symbol(rest, size)
}

// symbol returns an operator or tokOther. What other languages write for an
// operator stays in one piece.
func (s *scanner) symbol(rest string, size int) token {
	for _, f := range foreignOperators {
		if strings.HasPrefix(rest, f.text) {
			return s.token(tokOther, len(f.text))
		}
	}
	best, found := opOr, 0
	for op, text := range operatorTexts {
		if len(text) > found && strings.HasPrefix(rest, text) {
			best, found = operator(op), len(text)
		}
	}
	if found == 0 {
		return s.token(tokOther, size)
	}
	t := s.token(tokOperator, found)
	t.op = best
	return t
}

func (s *scanner) token(kind tokenKind, size int) token {
	return token{span: span{s.pos, s.pos + size}, kind: kind}
}

// quotedLen returns the length of a quoted text, up to the end of the line if
// the closing quote is missing. No expression contains one.
func quotedLen(rest string) int {
	end := strings.IndexByte(rest, '\n')
	if end < 0 {
		end = len(rest)
	}
	if n := strings.IndexByte(rest[1:end], rest[0]); n >= 0 {
		return n + 2
	}
	return end
}

func prefixLen(s string, in func(rune) bool) int {
	if n := strings.IndexFunc(s, func(r rune) bool { return !in(r) }); n >= 0 {
		return n
	}
	return len(s)
}

func isLetter(r rune) bool   { return r == '_' || unicode.IsLetter(r) }
func isNameRune(r rune) bool { return isLetter(r) || unicode.IsDigit(r) }
func isDigit(b byte) bool    { return '0' <= b && b <= '9' }
