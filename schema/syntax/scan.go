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
	digit
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
	set(wordPart, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$")
	set(hexDigit, "0123456789abcdefABCDEF")
	set(digit, "0123456789")
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
func zeroBytes(w uint64) uint64 { return (w - ones) &^ w & highs }

// next moves to the next byte that belongs to neither white space nor a
// comment and returns it; 0 at the end of the text.
func (p *parser) next() byte {
	text, i := p.text, p.pos
	for i < len(text) {
		c := text[i]
		if classes[c]&blank == 0 {
			p.pos = i
			if c != '/' || !p.comment() {
				return c
			}
			i = p.pos
			continue
		}
		i++
		// Indentation comes in runs of spaces.
		for i+8 <= len(text) {
			other := binary.LittleEndian.Uint64(text[i:]) ^ ones*' '
			if other != 0 {
				i += bits.TrailingZeros64(other) / 8
				break
			}
			i += 8
		}
	}
	p.pos = i
	return 0
}

// nextBlank is next without comments: what may stand between a name and its
// colon.
func (p *parser) nextBlank() byte {
	for ; p.pos < len(p.text); p.pos++ {
		if c := p.text[p.pos]; classes[c]&blank == 0 {
			return c
		}
	}
	return 0
}

// comment moves past the comment at the slash; false if it is not one.
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

// lineComment moves past a // comment, which ends before a line feed or a
// carriage return.
func (p *parser) lineComment(rest []byte) {
	if lf := bytes.IndexByte(rest, '\n'); lf >= 0 {
		rest = rest[:lf]
	}
	if cr := bytes.IndexByte(rest, '\r'); cr >= 0 {
		rest = rest[:cr]
	}
	if bytes.Contains(rest, []byte("\u2028")) || bytes.Contains(rest, []byte("\u2029")) {
		p.separatorInComment(rest)
	}
	p.pos += len(rest)
}

// str moves past the string whose opening quote is at pos. It returns Escaped
// where the string has a backslash; ok is false where it has a defect, which
// has then been reported.
func (p *parser) str() (flags Flags, ok bool) {
	start, i := p.pos, p.pos+1
	for ok = true; ; {
		i = plainText(p.text, i)
		if i == len(p.text) {
			p.openString(start)
			return flags, false
		}
		switch c := p.text[i]; c {
		case '"':
			p.pos = i + 1
			return flags, ok && (flags == 0 || !p.halved)
		case '\\':
			if flags == 0 {
				flags, p.halved = Escaped, false
			}
			var size int
			size, ok = p.escape(i, ok)
			i = min(i+size, len(p.text))
		default:
			var ended bool
			if i, ended, ok = p.controlInString(start, i, ok); ended {
				return flags, false
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

// escape reads the escape at i and returns its length. ok says that its string
// has been sound so far.
func (p *parser) escape(i int, ok bool) (size int, good bool) {
	rest := p.text[i+1:]
	if len(rest) == 0 {
		return 1, ok
	}
	switch rest[0] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, ok
	case 'u':
		if _, full := unit(p.text[i:]); full {
			return p.surrogate(i, ok)
		}
	}
	return 1, p.badEscape(i, ok)
}

// number moves past the number at pos. If Utf8JsonReader takes it for none,
// number returns why and where, in the order in which that reader looks.
func (p *parser) number() (why reason, at int) {
	text, i := p.text, p.pos
	if text[i] == '-' {
		i++
		if why := p.wantDigit(i, signDigit); why != noReason {
			return why, i
		}
	}
	why = numberEnd
	if text[i] == '0' {
		i++
		if i < len(text) && classes[text[i]]&digit != 0 {
			return leadingZero, i
		}
	} else {
		i = p.digits(i)
	}
	if i < len(text) && text[i] == '.' {
		i++
		if why := p.wantDigit(i, pointDigit); why != noReason {
			return why, i
		}
		i, why = p.digits(i), exponentOrEnd
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		if why := p.wantDigit(i, signDigit); why != noReason {
			return why, i
		}
		i, why = p.digits(i), numberEnd
	}
	if i < len(text) && classes[text[i]]&delimiter == 0 {
		return why, i
	}
	if i == len(text) && len(p.open) > 0 {
		p.stop(numberEnd, i) // .NET misses the delimiter before the bracket
	}
	p.pos = i
	return noReason, i
}

func (p *parser) digits(i int) int {
	for i < len(p.text) && classes[p.text[i]]&digit != 0 {
		i++
	}
	return i
}

func (p *parser) wantDigit(i int, why reason) reason {
	switch {
	case i >= len(p.text):
		return digitAtEnd
	case classes[p.text[i]]&digit == 0:
		return why
	}
	return noReason
}
