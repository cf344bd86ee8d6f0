// Package ordinal compares names as .NET's OrdinalIgnoreCase does: by the
// simple upper case of every character, whatever the culture.
//
// É equals é and Σ equals both σ and ς; U+212A (the Kelvin sign) does not equal k,
// nor İ i, nor ß SS, because no character outside of ASCII has an upper case
// inside of it (recorded: cases keys.* of load.jsonl).
package ordinal

import (
	"cmp"
	"unicode"
	"unicode/utf8"
)

// Upper returns the simple upper case of a character.
func Upper(c rune) rune {
	if c < utf8.RuneSelf {
		if 'a' <= c && c <= 'z' {
			return c - ('a' - 'A')
		}
		return c
	}
	if up := unicode.ToUpper(c); up >= utf8.RuneSelf {
		return up
	}
	return c
}

// Equal says whether two names are the same without regard to case.
func Equal(a, b string) bool {
	for i := 0; i < len(a) && i < len(b); i++ {
		x, y := a[i], b[i]
		if x >= utf8.RuneSelf || y >= utf8.RuneSelf {
			return Compare(a[i:], b[i:]) == 0
		}
		if x != y && Upper(rune(x)) != Upper(rune(y)) {
			return false
		}
	}
	return len(a) == len(b)
}

// Compare orders two names by their upper-cased UTF-16 units, as .NET sorts
// keys and NTFS sorts file names.
func Compare(a, b string) int {
	for a != "" && b != "" {
		x, n := utf8.DecodeRuneInString(a)
		y, m := utf8.DecodeRuneInString(b)
		if c := cmp.Compare(unit(Upper(x)), unit(Upper(y))); c != 0 {
			return c
		}
		a, b = a[n:], b[m:]
	}
	return cmp.Compare(len(a), len(b))
}

// unit returns a number that orders characters as their UTF-16 units are
// ordered: pairs begin with a unit below those of U+E000 and above.
func unit(c rune) rune {
	if c >= 0xE000 && c <= 0xFFFF {
		return c + 0x110000
	}
	return c
}

// Hash returns equal numbers for names that are Equal.
func Hash(name string) uint32 {
	const offset, prime = 2166136261, 16777619
	h := uint32(offset)
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c >= utf8.RuneSelf {
			return hashRunes(h, name[i:])
		}
		h = (h ^ uint32(Upper(rune(c)))) * prime
	}
	return h
}

func hashRunes(h uint32, name string) uint32 {
	for _, c := range name {
		h = (h ^ uint32(Upper(c))) * 16777619
	}
	return h
}
