package source

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// Encoding is how the bytes of a file were written. The zero value is UTF-8
// without a byte order mark.
type Encoding uint8

// The encodings that a byte order mark announces.
const (
	UTF8 Encoding = iota
	UTF8BOM
	UTF16LE
	UTF16BE
	UTF32LE
	UTF32BE
)

// marks in the order in which .NET's StreamReader looks for them: the mark of
// UTF-32LE begins with that of UTF-16LE, so it comes first.
var marks = [...]struct {
	enc  Encoding
	mark string
}{
	{UTF8BOM, "\xEF\xBB\xBF"},
	{UTF32LE, "\xFF\xFE\x00\x00"},
	{UTF32BE, "\x00\x00\xFE\xFF"},
	{UTF16LE, "\xFF\xFE"},
	{UTF16BE, "\xFE\xFF"},
}

// Mark returns the byte order mark of the encoding; "" for UTF8.
func (e Encoding) Mark() string {
	for _, m := range marks {
		if m.enc == e {
			return m.mark
		}
	}
	return ""
}

// String returns the encoding's usual name.
func (e Encoding) String() string {
	return [...]string{"UTF-8", "UTF-8 with BOM", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"}[e]
}

// IsUTF8 says whether the encoding is UTF-8, with a mark or without.
func (e Encoding) IsUTF8() bool { return e <= UTF8BOM }

// decode returns the text of raw bytes. It returns the bytes themselves when
// they are valid UTF-8, so that a large file is not copied.
func decode(raw []byte) (text []byte, enc Encoding, invalid []int) {
	body := raw
	for _, m := range marks {
		if bytes.HasPrefix(raw, []byte(m.mark)) {
			enc, body = m.enc, raw[len(m.mark):]
			break
		}
	}
	if enc <= UTF8BOM && utf8.Valid(body) {
		return body, enc, nil
	}
	text = make([]byte, 0, len(body)+16)
	for len(body) > 0 {
		r, size, ok := enc.next(body)
		if !ok {
			invalid = append(invalid, len(text))
		}
		text = utf8.AppendRune(text, r)
		body = body[size:]
	}
	return text, enc, invalid
}

// next decodes the first character of body, which is not empty. Bytes that
// are not valid count as one U+FFFD; ok is false for them.
func (e Encoding) next(body []byte) (r rune, size int, ok bool) {
	switch e {
	case UTF16LE:
		return nextUTF16(body, binary.LittleEndian)
	case UTF16BE:
		return nextUTF16(body, binary.BigEndian)
	case UTF32LE:
		return nextUTF32(body, binary.LittleEndian)
	case UTF32BE:
		return nextUTF32(body, binary.BigEndian)
	}
	r, size = utf8.DecodeRune(body)
	if r == utf8.RuneError && size == 1 {
		return r, maximalSubpart(body), false
	}
	return r, size, true
}

func nextUTF16(body []byte, order binary.ByteOrder) (r rune, size int, ok bool) {
	if len(body) < 2 {
		return utf8.RuneError, len(body), false
	}
	r = rune(order.Uint16(body))
	if !utf16.IsSurrogate(r) {
		return r, 2, true
	}
	if len(body) >= 4 {
		if pair := utf16.DecodeRune(r, rune(order.Uint16(body[2:]))); pair != utf8.RuneError {
			return pair, 4, true
		}
	}
	return utf8.RuneError, 2, false
}

func nextUTF32(body []byte, order binary.ByteOrder) (r rune, size int, ok bool) {
	if len(body) < 4 {
		return utf8.RuneError, len(body), false
	}
	if r = rune(order.Uint32(body)); !utf8.ValidRune(r) {
		return utf8.RuneError, 4, false
	}
	return r, 4, true
}

// maximalSubpart returns how many bytes at the start of b one replacement
// character stands for, as in .NET (Unicode 3.9, "substitution of maximal
// subparts"): a truncated sequence, or a byte that cannot start one.
func maximalSubpart(b []byte) int {
	low, high, need := byte(0x80), byte(0xBF), 0
	switch c := b[0]; {
	case c >= 0xC2 && c <= 0xDF:
		need = 1
	case c >= 0xE0 && c <= 0xEF:
		need = 2
		if c == 0xE0 {
			low = 0xA0
		} else if c == 0xED {
			high = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		need = 3
		if c == 0xF0 {
			low = 0x90
		} else if c == 0xF4 {
			high = 0x8F
		}
	}
	n := 1
	for n <= need && n < len(b) && b[n] >= low && b[n] <= high {
		low, high = 0x80, 0xBF
		n++
	}
	return n
}
