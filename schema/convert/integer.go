package convert

import (
	"math"
	"strings"
	"unicode"
)

// Int32 converts as Int32Converter does: blanks around are ignored; decimal
// digits with a sign, or hexadecimal digits after 0x, &h or # that are read as
// 32-bit two's complement ("0xFFFFFFFF" is -1).
func Int32(text string) (value int32, ok bool) {
	if n, ok := shortDecimal(text); ok {
		return n, true
	}
	n, failure := integer(text, 32)
	return int32(n), failure == fine
}

// Int64 converts as Int64Converter does; see Int32.
func Int64(text string) (value int64, ok bool) {
	if n, ok := shortDecimal(text); ok {
		return int64(n), true
	}
	n, failure := integer(text, 64)
	return n, failure == fine
}

// shortDecimal reads one to nine plain digits, which is what nearly every
// configuration writes.
func shortDecimal(text string) (value int32, ok bool) {
	if len(text) == 0 || len(text) > 9 {
		return 0, false
	}
	for i := range len(text) {
		digit := text[i] - '0'
		if digit > 9 {
			return 0, false
		}
		value = value*10 + int32(digit)
	}
	return value, true
}

// A failure is why a text is no integer: one for each message of .NET.
type failure uint8

const (
	fine failure = iota
	empty
	malformed
	tooLarge
	hexEmpty
	hexNegative
	hexNoDigits
	hexRest
	hexTooLarge
)

func integer(text string, bits int) (int64, failure) {
	text = strings.TrimFunc(text, isBlank)
	if text == "" {
		return 0, empty
	}
	if digits, ok := hexadecimal(text); ok {
		return parseHex(digits, bits)
	}
	return parseDecimal(text, bits)
}

func hexadecimal(text string) (digits string, ok bool) {
	if text[0] == '#' {
		return text[1:], true
	}
	if len(text) >= 2 && (text[0] == '0' && text[1]|0x20 == 'x' || text[0] == '&' && text[1]|0x20 == 'h') {
		return text[2:], true
	}
	return "", false
}

// parseHex reads what follows a hexadecimal prefix. As in .NET's ParseNumbers,
// a plus sign and one further 0x may follow.
func parseHex(text string, bits int) (int64, failure) {
	if text == "" {
		return 0, hexEmpty
	}
	switch text[0] {
	case '-':
		return 0, hexNegative
	case '+':
		text = text[1:]
	}
	if len(text) >= 2 && text[0] == '0' && text[1]|0x20 == 'x' {
		text = text[2:]
	}
	var n uint64
	i := 0
	for ; i < len(text); i++ {
		digit, ok := hexDigit(text[i])
		if !ok {
			break
		}
		if n>>(bits-4) != 0 {
			return 0, hexTooLarge
		}
		n = n<<4 | uint64(digit)
	}
	switch {
	case i == 0:
		return 0, hexNoDigits
	case i < len(text):
		return 0, hexRest
	case bits == 32:
		return int64(int32(uint32(n))), fine
	}
	return int64(n), fine
}

func hexDigit(c byte) (digit byte, ok bool) {
	if digit = c - '0'; digit <= 9 {
		return digit, true
	}
	if digit = c | 0x20 - 'a'; digit <= 5 {
		return digit + 10, true
	}
	return 0, false
}

// parseDecimal reads a sign and digits, which blanks and then NUL characters
// may follow.
func parseDecimal(text string, bits int) (int64, failure) {
	negative := text[0] == '-'
	if negative || text[0] == '+' {
		text = text[1:]
	}
	limit := uint64(math.MaxInt64)
	if bits == 32 {
		limit = math.MaxInt32
	}
	if negative {
		limit++
	}
	var n uint64
	large := false
	i := 0
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		digit := uint64(text[i] - '0')
		if n > (limit-digit)/10 {
			large = true
			continue
		}
		n = n*10 + digit
	}
	switch {
	case i == 0 || !onlyEnd(text[i:]):
		return 0, malformed
	case large:
		return 0, tooLarge
	case negative:
		return -int64(n), fine
	}
	return int64(n), fine
}

// onlyEnd says whether a text is what may follow a number: ASCII blanks, then
// NUL characters.
func onlyEnd(text string) bool {
	return strings.Trim(strings.TrimLeft(text, " \t\n\v\f\r"), "\x00") == ""
}

// isBlank is Char.IsWhiteSpace, which is Unicode's White_Space.
func isBlank(c rune) bool { return unicode.IsSpace(c) }
