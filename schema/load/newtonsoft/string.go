package newtonsoft

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// readStringValue reads a string that stands where a value is expected. One
// that looks like a date is a date from then on.
func (r *reader) readStringValue(quote byte) error {
	start := r.pos
	if err := r.readString(quote); err != nil {
		return err
	}
	r.start, r.end = start, r.pos
	r.valueRead()
	r.token = text
	moment, isDate, failure := parseDate(r.str.text())
	if failure != nil {
		return failure
	}
	if isDate {
		r.token, r.moment = date, moment
	}
	return nil
}

// readString reads a quoted string and checks its escapes.
func (r *reader) readString(quote byte) error {
	r.pos++
	s := str{quote: quote}
	start := r.pos
	for {
		for r.pos < len(r.text) && !stops(r.text[r.pos], quote) {
			r.pos++
		}
		if r.pos == len(r.text) {
			r.ended = true
			return r.fail("Unterminated string. Expected delimiter: %c.", quote)
		}
		switch r.at(0) {
		case '\\':
			s.escaped = true
			if err := r.readEscape(&s); err != nil {
				return err
			}
		case '\r', '\n':
			r.skipBlank()
		default:
			s.raw = r.text[start:r.pos]
			r.pos++
			r.str = s
			return nil
		}
	}
}

// stops says whether a character of a string needs a look.
func stops(c, quote byte) bool { return c == quote || c == '\\' || c == '\n' || c == '\r' }

// readEscape checks an escape sequence and steps over it.
func (r *reader) readEscape(s *str) error {
	r.pos++
	if !r.has(0) {
		return r.fail("Unterminated string. Expected delimiter: %c.", s.quote)
	}
	c := r.char()
	switch r.at(0) {
	case 'b', 't', 'n', 'f', 'r', '\\', '"', '/':
		r.pos++
	case '\'':
		s.odd = true
		r.pos++
	case 'u':
		r.pos++
		return r.readUnicode(s)
	default:
		r.pos += r.width()
		return r.fail("Bad JSON escape sequence: \\%s.", c)
	}
	return nil
}

func (r *reader) readUnicode(s *str) error {
	unit, err := r.readHex()
	if err != nil {
		return err
	}
	for utf16.IsSurrogate(rune(unit)) {
		if unit >= 0xDC00 || !r.has(2) || r.at(0) != '\\' || r.at(1) != 'u' {
			s.odd = true
			return nil
		}
		r.pos += 2
		if unit, err = r.readHex(); err != nil {
			return err
		}
		if 0xDC00 <= unit && unit <= 0xDFFF {
			return nil
		}
		s.odd = true
	}
	return nil
}

func (r *reader) readHex() (uint16, error) {
	if !r.has(4) {
		return 0, r.fail("Unexpected end while parsing unicode character.")
	}
	unit, ok := hex4(r.text[r.pos:])
	if !ok {
		return 0, r.fail("Invalid Unicode escape sequence: \\u%s.", firstUnits(r.text[r.pos:], 4))
	}
	r.pos += 4
	return unit, nil
}

// hex4 reads four hexadecimal digits.
func hex4(b []byte) (uint16, bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return 0, false
		}
	}
	unit, err := strconv.ParseUint(string(b[:4]), 16, 16)
	return uint16(unit), err == nil
}

// firstUnits returns the first n UTF-16 units of a text, as whole characters.
func firstUnits(b []byte, n int) []byte {
	end := 0
	for n > 0 && end < len(b) {
		c, size := utf8.DecodeRune(b[end:])
		end += size
		n--
		if c > 0xFFFF {
			n--
		}
	}
	return b[:end]
}

// text returns what the string says. Without escapes it is a view into the
// file, which never changes.
func (s str) text() string {
	if !s.escaped {
		return unsafe.String(unsafe.SliceData(s.raw), len(s.raw))
	}
	out := make([]byte, 0, len(s.raw))
	for b := s.raw; len(b) > 0; {
		n := bytes.IndexByte(b, '\\')
		if n < 0 {
			return string(append(out, b...))
		}
		out = append(out, b[:n]...)
		b = b[n+1:]
		if b[0] == 'u' {
			out, b = appendUnicode(out, b[1:])
			continue
		}
		out = append(out, escapes(b[0]))
		b = b[1:]
	}
	return string(out)
}

func escapes(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 't':
		return '\t'
	case 'n':
		return '\n'
	case 'f':
		return '\f'
	case 'r':
		return '\r'
	}
	return c
}

// appendUnicode appends the character of the four hexadecimal digits at the
// start of b, with the second half of a pair if one follows. A half without
// its other half becomes U+FFFD.
func appendUnicode(out, b []byte) (written, rest []byte) {
	unit, _ := hex4(b)
	b = b[4:]
	char := rune(unit)
	if utf16.IsSurrogate(char) {
		char = utf8.RuneError
		if len(b) >= 6 && b[0] == '\\' && b[1] == 'u' {
			low, _ := hex4(b[2:])
			if pair := utf16.DecodeRune(rune(unit), rune(low)); pair != utf8.RuneError {
				char, b = pair, b[6:]
			}
		}
	}
	return utf8.AppendRune(out, char), b
}
