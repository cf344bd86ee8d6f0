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

func decode(raw []byte) (text []byte, enc Encoding, invalid []int) {
	body := raw
	for _, m := range marks {
		if bytes.HasPrefix(raw, []byte(m.mark)) {
			enc, body = m.enc, raw[len(m.mark):]
			break
		}
	}
	switch enc {
	case UTF16LE:
		text, invalid = decodeUTF16(body, binary.LittleEndian)
	case UTF16BE:
		text, invalid = decodeUTF16(body, binary.BigEndian)
	case UTF32LE:
		text, invalid = decodeUTF32(body, binary.LittleEndian)
	case UTF32BE:
		text, invalid = decodeUTF32(body, binary.BigEndian)
	default:
		text, invalid = decodeUTF8(body)
	}
	return text, enc, invalid
}

// decodeUTF8 returns body itself when it is valid, so that a large file is not
// copied. Invalid bytes are replaced by maximal subparts, as .NET does: one
// U+FFFD for a truncated sequence, one for each byte that cannot start one.
func decodeUTF8(body []byte) (text []byte, invalid []int) {
	if utf8.Valid(body) {
		return body, nil
	}
	text = make([]byte, 0, len(body)+16)
	for len(body) > 0 {
		r, size := utf8.DecodeRune(body)
		if r == utf8.RuneError && size == 1 {
			size = maximalSubpart(body)
			invalid = append(invalid, len(text))
		}
		if r == utf8.RuneError {
			text = utf8.AppendRune(text, utf8.RuneError)
		} else {
			text = append(text, body[:size]...)
		}
		body = body[size:]
	}
	return text, invalid
}

// maximalSubpart returns how many bytes at the start of b one replacement
// character stands for (Unicode 3.9, "substitution of maximal subparts").
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

func decodeUTF16(body []byte, order binary.ByteOrder) (text []byte, invalid []int) {
	text = make([]byte, 0, len(body))
	for len(body) >= 2 {
		r, size := rune(order.Uint16(body)), 2
		if utf16.IsSurrogate(r) {
			pair := utf8.RuneError
			if len(body) >= 4 {
				pair = utf16.DecodeRune(r, rune(order.Uint16(body[2:])))
			}
			if pair == utf8.RuneError {
				invalid = append(invalid, len(text))
			} else {
				size = 4
			}
			r = pair
		}
		text = utf8.AppendRune(text, r)
		body = body[size:]
	}
	return appendTruncated(text, invalid, body)
}

func decodeUTF32(body []byte, order binary.ByteOrder) (text []byte, invalid []int) {
	text = make([]byte, 0, len(body)/2)
	for len(body) >= 4 {
		r := rune(order.Uint32(body))
		if !utf8.ValidRune(r) {
			invalid = append(invalid, len(text))
			r = utf8.RuneError
		}
		text = utf8.AppendRune(text, r)
		body = body[4:]
	}
	return appendTruncated(text, invalid, body)
}

func appendTruncated(text []byte, invalid []int, rest []byte) ([]byte, []int) {
	if len(rest) == 0 {
		return text, invalid
	}
	return utf8.AppendRune(text, utf8.RuneError), append(invalid, len(text))
}
