package route

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// byteSet is a set of bytes.
type byteSet [256]bool

const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

// What stands for itself in which place; everything else is encoded. The sets
// are never changed.
var (
	// pathBytes is for PathString.
	pathBytes = setOf(unreserved + "!$&'()*+,;=:@/")
	// uriBytes is for System.Uri.
	uriBytes = setOf(unreserved + "!$&'()*+,;=:@/?[]")
	// queryBytes is for UrlEncoder.Default.
	queryBytes = setOf(unreserved + "!$()*,;@")
	// unreservedBytes are decoded wherever they are encoded.
	unreservedBytes = setOf(unreserved)
)

func setOf(bytes string) (s byteSet) {
	for i := range len(bytes) {
		s[bytes[i]] = true
	}
	return s
}

const hexDigits = "0123456789ABCDEF"

func appendEncoded(to []byte, c byte) []byte {
	return append(to, '%', hexDigits[c>>4], hexDigits[c&15])
}

// appendEscaped encodes a name or a value of a query.
func appendEscaped(to []byte, text string) []byte {
	for i := range len(text) {
		if queryBytes[text[i]] {
			to = append(to, text[i])
		} else {
			to = appendEncoded(to, text[i])
		}
	}
	return to
}

// decodeByte decodes "%XX".
func decodeByte(raw string) (byte, bool) {
	if len(raw) < 3 || raw[0] != '%' {
		return 0, false
	}
	high, ok1 := unhex(raw[1])
	low, ok2 := unhex(raw[2])
	return high<<4 | low, ok1 && ok2
}

// decodeRune decodes the encoded character at the start of raw. Size is the
// length of its encoded form, 0 if there is none.
func decodeRune(raw string) (r rune, size int) {
	var buffer [utf8.UTFMax]byte
	for n := range buffer {
		c, ok := decodeByte(raw[3*n:])
		if !ok {
			return 0, 0
		}
		buffer[n] = c
		if !utf8.FullRune(buffer[:n+1]) {
			continue
		}
		r, width := utf8.DecodeRune(buffer[:n+1])
		if r == utf8.RuneError && width <= 1 {
			return 0, 0
		}
		return r, 3 * (n + 1)
	}
	return 0, 0
}

// unescape decodes as QueryHelpers does: what is no valid UTF-8 stays encoded.
func unescape(text string) string {
	text = strings.ReplaceAll(text, "+", " ")
	if !strings.Contains(text, "%") {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if r, size := decodeRune(text[i:]); size > 0 {
			out = utf8.AppendRune(out, r)
			i += size
		} else {
			out = append(out, text[i])
			i++
		}
	}
	return string(out)
}

// unescapeForm decodes as HttpUtility does: %uXXXX counts, and what is no valid
// UTF-8 becomes U+FFFD.
func unescapeForm(text string) string {
	text = strings.ReplaceAll(text, "+", " ")
	if !strings.Contains(text, "%") {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		switch c, ok := decodeByte(text[i:]); {
		case ok:
			out = append(out, c)
			i += 3
		case strings.HasPrefix(text[i:], "%u") && isHex(text, i+2, 4):
			out = utf8.AppendRune(out, decodeUnit(text[i+2:]))
			i += 6
		default:
			out = append(out, text[i])
			i++
		}
	}
	return strings.ToValidUTF8(string(out), "\ufffd")
}

// decodeUnit reads four hexadecimal digits. Halves of a pair become U+FFFD.
func decodeUnit(text string) rune {
	var r rune
	for i := range 4 {
		digit, _ := unhex(text[i])
		r = r<<4 | rune(digit)
	}
	if utf16.IsSurrogate(r) {
		return utf8.RuneError
	}
	return r
}

// equalNames compares without regard to case.
func equalNames(a, b string) bool {
	return a == b || strings.EqualFold(a, b) && foldName(a) == foldName(b)
}

// foldName maps names that are equal without regard to case to one text. No
// other letter is equal to one of ASCII, as in .NET's ordinal comparison.
func foldName(name string) string {
	return strings.Map(func(r rune) rune {
		if up := unicode.ToUpper(r); up >= utf8.RuneSelf || r < utf8.RuneSelf {
			return up
		}
		return r
	}, name)
}

func isHex(text string, from, n int) bool {
	if len(text) < from+n {
		return false
	}
	for i := from; i < from+n; i++ {
		if _, ok := unhex(text[i]); !ok {
			return false
		}
	}
	return true
}

func unhex(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}
