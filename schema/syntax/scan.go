package syntax

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// class says what a byte is to the scanner.
type class uint8

const (
	blank    class = 1 << iota // space, tab, line feed, carriage return
	wordPart                   // part of a word, such as a name without quotes
	hexDigit
	delimiter // may stand behind a number
)

// classes is the class of every byte. Bytes above 0x7F are parts of words: a
// name in any script is one word.
var classes = func() (t [256]class) {
	set := func(c class, bytes string) {
		for i := range len(bytes) {
			t[bytes[i]] |= c
		}
	}
	set(blank|delimiter, " \t\r\n")
	set(delimiter, ",}]/")
	set(wordPart, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$.+-%@#")
	set(hexDigit, "0123456789abcdefABCDEF")
	for c := 0x80; c < 256; c++ {
		t[c] |= wordPart
	}
	return t
}()

// Eight bytes are looked at in one word: ones times a byte is that byte in
// every place, highs are the top bits.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// zeroBytes marks the bytes of w that are zero by their top bit. Above the
// first zero byte there may be false marks.
func zeroBytes(w uint64) uint64 { return (w - ones) & ^w & highs }

// blanks skips white space and comments.
func (p *parser) blanks() {
	for {
		text, i := p.text, p.pos
		for i < len(text) && classes[text[i]]&blank != 0 {
			i++
			// Indentation comes in runs of spaces.
			for i+8 <= len(text) && binary.LittleEndian.Uint64(text[i:]) == ones*' ' {
				i += 8
			}
		}
		p.pos = i
		if i == len(text) || text[i] != '/' || !p.comment() {
			return
		}
	}
}

// comment reads the comment at the cursor, if there is one.
func (p *parser) comment() bool {
	start := p.pos
	if start+1 == len(p.text) {
		return false
	}
	switch p.text[start+1] {
	case '/':
		p.lineComment(p.text[start:])
	case '*':
		end := bytes.Index(p.text[start+2:], []byte("*/"))
		if end < 0 {
			p.openComment()
			p.pos = len(p.text)
			break
		}
		p.pos = start + 2 + end + 2
	default:
		return false
	}
	p.comments = append(p.comments, Comment{uint32(start), uint32(p.pos)})
	return true
}

// lineComment reads a // comment, which ends before a line feed or a carriage
// return.
func (p *parser) lineComment(rest []byte) {
	end := bytes.IndexByte(rest, '\n')
	if end < 0 {
		end = len(rest)
	}
	if cr := bytes.IndexByte(rest[:end], '\r'); cr >= 0 {
		end = cr
	}
	if c := rest[:end]; bytes.Contains(c, []byte("\u2028")) || bytes.Contains(c, []byte("\u2029")) {
		p.separatorInComment(c)
	}
	p.pos += end
}

// quotedText reads a string with its quotes. It says whether there is an
// escape in it, and whether it is sound; if not, a defect has been reported.
func (p *parser) quotedText() (escaped, ok bool) {
	start, i := p.pos, p.pos+1
	for ok = true; ; {
		i = plainText(p.text, i)
		if i == len(p.text) {
			p.openString(start)
			return escaped, false
		}
		switch c := p.text[i]; {
		case c == '"':
			p.pos = i + 1
			return escaped, ok
		case c == '\\':
			escaped = true
			var size int
			size, ok = p.escape(start, i, ok)
			i = min(i+size, len(p.text))
		default:
			var ended bool
			if i, ended, ok = p.controlInString(start, i, ok); ended {
				return escaped, ok
			}
		}
	}
}

// plainText returns the offset of the first quote, backslash or control
// character from i on, or the length of the text.
func plainText(text []byte, i int) int {
	for i+8 <= len(text) {
		w := binary.LittleEndian.Uint64(text[i:])
		odd := zeroBytes(w^ones*'"') | zeroBytes(w^ones*'\\') | (w-ones*' ')&^w&highs
		if odd != 0 {
			return i + bits.TrailingZeros64(odd)/8
		}
		i += 8
	}
	for i < len(text) && text[i] >= ' ' && text[i] != '"' && text[i] != '\\' {
		i++
	}
	return i
}

// escape reads the escape at i of the string that starts at start and returns
// its length.
func (p *parser) escape(start, i int, ok bool) (size int, good bool) {
	if i+1 < len(p.text) {
		switch p.text[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			return 2, ok
		case 'u':
			if _, whole := unit(p.text[i:]); whole {
				return p.surrogate(i, ok)
			}
		}
	}
	good = p.badEscape(start, i, ok)
	if i+1 < len(p.text) && (lineEnd(p.text[i+1]) || p.text[i+1] >= 0x80) {
		return 1, good
	}
	return 2, good
}
