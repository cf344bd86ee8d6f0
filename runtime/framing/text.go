package framing

import "encoding/binary"

// tokens are the bytes of a token (RFC 9110, section 5.6.2).
var tokens = func() (set [256]bool) {
	for c := '0'; c <= '9'; c++ {
		set[c] = true
	}
	for c := 'a'; c <= 'z'; c++ {
		set[c], set[c-'a'+'A'] = true, true
	}
	for _, c := range "!#$%&'*+-.^_`|~" {
		set[c] = true
	}
	return set
}()

// tokenEnd returns how many bytes of b, from its start, are those of a token.
func tokenEnd(b []byte) int {
	for i, c := range b {
		if !tokens[c] {
			return i
		}
	}
	return len(b)
}

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// clean reports whether the bytes of a value are those of RFC 9110, section
// 5.5: visible, beyond ASCII, spaces or tabs. Eight are looked at together, as
// most of a head is values.
func clean(b []byte) bool {
	for len(b) >= 8 {
		w := binary.LittleEndian.Uint64(b)
		low := (w - ones*0x20) & ^w   // top bit: below a space (or behind such a byte)
		del := (w ^ ones*0x7f) - ones // top bit: DEL (or behind one), if w has none
		if (low|del&^w)&tops != 0 && !cleanBytes(b[:8]) {
			return false
		}
		b = b[8:]
	}
	return cleanBytes(b)
}

func cleanBytes(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// visible reports whether the bytes of a target are neither controls nor spaces.
func visible(b []byte) bool {
	for _, c := range b {
		if c <= ' ' || c == 0x7f {
			return false
		}
	}
	return len(b) > 0
}

// trim takes spaces and tabs away at both ends.
func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}

// is reports whether b is a word of lower-case letters and hyphens, in whatever
// case.
func is(b []byte, word string) bool {
	if len(b) != len(word) {
		return false
	}
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}
