package syntax

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape decodes the backslash escapes of a string's inner text. What is no
// escape, and half a surrogate pair, becomes U+FFFD: Parse has reported it.
func unescape(inner []byte) []byte {
	out := make([]byte, 0, len(inner))
	for {
		i := bytes.IndexByte(inner, '\\')
		if i < 0 {
			return append(out, inner...)
		}
		out = append(out, inner[:i]...)
		r, size := unescapeOne(inner[i:])
		out = utf8.AppendRune(out, r)
		inner = inner[i+size:]
	}
}

// unescapeOne decodes the escape at the start of b.
func unescapeOne(b []byte) (r rune, size int) {
	if len(b) < 2 {
		return utf8.RuneError, len(b)
	}
	switch c := b[1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		return unescapeUnit(b)
	}
	return utf8.RuneError, 1
}

// unescapeUnit decodes \uXXXX, or two of them that are a surrogate pair.
func unescapeUnit(b []byte) (r rune, size int) {
	r, ok := unit(b)
	if !ok {
		return utf8.RuneError, 2
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	low, ok := unit(b[6:])
	if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
		return pair, 12
	}
	return utf8.RuneError, 6
}

// unit returns the UTF-16 unit that \uXXXX at the start of b stands for.
func unit(b []byte) (u rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		switch {
		case classes[c]&hexDigit == 0:
			return 0, false
		case c <= '9':
			u = u<<4 | rune(c-'0')
		default:
			u = u<<4 | rune(c|0x20-'a'+10)
		}
	}
	return u, true
}
