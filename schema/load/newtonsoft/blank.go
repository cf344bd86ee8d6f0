package newtonsoft

import (
	"unicode"
	"unicode/utf8"

	"github.com/margay-dev/margay/schema/syntax"
)

// blank returns the width of the blank at the current position; 0 if there is
// none. What counts is .NET's char.IsWhiteSpace, line ends included.
func (r *reader) blank() int {
	c := r.at(0)
	if c < utf8.RuneSelf {
		if c == ' ' || '\t' <= c && c <= '\r' {
			return 1
		}
		return 0
	}
	if char, size := utf8.DecodeRune(r.text[r.pos:]); unicode.IsSpace(char) {
		return size
	}
	return 0
}

// skipBlank steps over one blank and counts lines.
func (r *reader) skipBlank() bool {
	n := r.blank()
	if n == 0 {
		return false
	}
	switch r.at(0) {
	case '\r':
		r.carriageReturn()
	case '\n':
		r.lineFeed()
	default:
		r.pos += n
	}
	return true
}

// skipBlanks steps over blanks and NUL characters.
func (r *reader) skipBlanks() {
	for {
		switch {
		case r.at(0) == 0:
			if !r.has(0) {
				return
			}
			r.pos++
		case !r.skipBlank():
			return
		}
	}
}

func (r *reader) lineFeed() {
	r.pos++
	r.line++
	r.lineStart = r.pos
}

// carriageReturn steps over a line end. The real reader looks one character
// too far for the line feed, so "\r\n" at the very end counts as two lines.
func (r *reader) carriageReturn() {
	r.pos++
	if r.has(1) && r.at(0) == '\n' {
		r.pos++
	}
	r.line++
	r.lineStart = r.pos
}

// width is the width of the character at the current position.
func (r *reader) width() int {
	if r.pos >= len(r.text) {
		return 0
	}
	_, size := utf8.DecodeRune(r.text[r.pos:])
	return size
}

// char is the character at the current position as messages quote it: NUL at
// the end of the text, and of a pair of UTF-16 units only the first, which
// becomes U+FFFD when a message is written.
func (r *reader) char() string {
	if r.pos >= len(r.text) {
		return "\x00"
	}
	c, _ := utf8.DecodeRune(r.text[r.pos:])
	if c > 0xFFFF {
		c = utf8.RuneError
	}
	return string(c)
}

// identifier says whether the current character can stand in a name without
// quotes.
func (r *reader) identifier() bool {
	c := r.at(0)
	if c < utf8.RuneSelf {
		return c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	char, _ := utf8.DecodeRune(r.text[r.pos:])
	return char <= 0xFFFF && (unicode.IsLetter(char) || unicode.Is(unicode.Nd, char))
}

// numeric says whether the current character is a number of any script.
func (r *reader) numeric() bool {
	c := r.at(0)
	if c < utf8.RuneSelf {
		return '0' <= c && c <= '9'
	}
	char, _ := utf8.DecodeRune(r.text[r.pos:])
	return char <= 0xFFFF && unicode.IsNumber(char)
}

type keep bool

const (
	keepComment keep = true
	dropComment keep = false
)

// readComment reads a comment. A kept one becomes the current token.
func (r *reader) readComment(kept keep) error {
	start := r.pos
	r.pos++
	if !r.has(1) {
		return r.fail("Unexpected end while parsing comment.")
	}
	block := r.at(0) == '*'
	if !block && r.at(0) != '/' {
		return r.fail("Error parsing comment. Expected: *, got %s.", r.char())
	}
	r.pos++
	if err := r.skipComment(block); err != nil {
		return err
	}
	r.comments = append(r.comments, syntax.Comment{Start: uint32(start), End: uint32(r.pos)})
	if kept {
		r.start, r.end = start, r.pos
		r.set(comment)
	}
	return nil
}

func (r *reader) skipComment(block bool) error {
	for {
		switch c := r.at(0); {
		case c == 0 && !r.has(0):
			if block {
				return r.fail("Unexpected end while parsing comment.")
			}
			return nil
		case c == '*' && block:
			r.pos++
			if r.has(0) && r.at(0) == '/' {
				r.pos++
				return nil
			}
		case c == '\r' || c == '\n':
			if !block {
				return nil
			}
			r.skipBlank()
		default:
			r.pos++
		}
	}
}
