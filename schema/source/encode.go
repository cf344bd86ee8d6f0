package source

import (
	"encoding/binary"
	"unicode/utf16"
)

// Encode returns a UTF-8 text in the encoding, byte order mark included: the
// opposite of NewFile for a text without invalid bytes.
func (e Encoding) Encode(text []byte) []byte {
	out := []byte(e.Mark())
	switch e {
	case UTF16LE:
		return appendUTF16(out, text, binary.LittleEndian)
	case UTF16BE:
		return appendUTF16(out, text, binary.BigEndian)
	case UTF32LE:
		return appendUTF32(out, text, binary.LittleEndian)
	case UTF32BE:
		return appendUTF32(out, text, binary.BigEndian)
	}
	return append(out, text...)
}

func appendUTF16(out, text []byte, order binary.AppendByteOrder) []byte {
	for _, r := range string(text) {
		if high, low := utf16.EncodeRune(r); high != '\uFFFD' {
			out = order.AppendUint16(order.AppendUint16(out, uint16(high)), uint16(low))
			continue
		}
		out = order.AppendUint16(out, uint16(r))
	}
	return out
}

func appendUTF32(out, text []byte, order binary.AppendByteOrder) []byte {
	for _, r := range string(text) {
		out = order.AppendUint32(out, uint32(r))
	}
	return out
}
