package newtonsoft

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/convert"
)

// number is a value of JsonToken Integer or Float.
type number struct {
	// big is set for integers that need more than 64 bits.
	big     *big.Int
	integer int64
	float   float64
	kind    numberKind
	// plain says that the text is the number as it is written again.
	plain bool
}

type numberKind uint8

const (
	int64Number numberKind = iota
	bigNumber
	floatNumber
)

// netType is the .NET type that the value has in the program.
func (n number) netType() string {
	return [...]string{"System.Int64", "System.Numerics.BigInteger", "System.Double"}[n.kind]
}

// String returns the number as the program writes it again: integers in
// decimal, everything else as the shortest double with a decimal point.
func (n number) String() string {
	switch n.kind {
	case int64Number:
		return strconv.FormatInt(n.integer, 10)
	case bigNumber:
		return n.big.String()
	}
	return formatDouble(n.float)
}

// maxIntegerLength is the longest text that is read as an integer.
const maxIntegerLength = 380

func (r *reader) readNumberValue() error {
	start := r.pos
	if err := r.skipNumber(); err != nil {
		return err
	}
	r.start, r.end = start, r.pos
	r.valueRead()
	if n, ok := plainInteger(r.text[start:r.pos]); ok {
		r.num, r.token = n, integer
		return nil
	}
	digits := string(r.text[start:r.pos])
	n, ok := parseNumber(digits)
	if !ok {
		if len(digits) > maxIntegerLength && allDigits(strings.TrimPrefix(digits, "-")) {
			return r.fail("JSON integer %s is too large to parse.", digits)
		}
		return r.failNumber(digits, "number")
	}
	r.num, r.token = n, integer
	if n.kind == floatNumber {
		r.token = float
	}
	return nil
}

// plainInteger reads the integers that most files have: positive, decimal,
// well within 64 bits.
func plainInteger(digits []byte) (number, bool) {
	if len(digits) > 18 || digits[0] == '0' && len(digits) > 1 {
		return number{}, false
	}
	n := number{plain: true}
	for _, c := range digits {
		if !isDigit(c) {
			return number{}, false
		}
		n.integer = n.integer*10 + int64(c-'0')
	}
	return n, len(digits) > 0
}

// failNumber is the exception for a number that is none of the wanted kind; a
// hexadecimal or octal one has the converter's exception inside.
func (r *reader) failNumber(digits, wanted string) error {
	message := "Input string '" + digits + "' is not a valid " + wanted + "."
	if !based(digits) {
		return r.failAs(readerException, message, nil)
	}
	bits := 64
	if wanted == "integer" {
		bits = 32
	}
	return r.failAs(readerException, message, basedFailure(digits, bits))
}

// basedFailure is what .NET's Convert says about a hexadecimal or octal number.
func basedFailure(digits string, bits int) *Error {
	valid, base := "01234567", 8
	if digits[1] == 'x' || digits[1] == 'X' {
		digits, valid, base = digits[2:], "0123456789abcdefABCDEF", 16
	}
	rest := strings.TrimLeft(digits, valid)
	if _, err := strconv.ParseUint(digits[:len(digits)-len(rest)], base, bits); errors.Is(err, strconv.ErrRange) {
		return &Error{Type: "System.OverflowException", Message: fmt.Sprintf("Value was either too large or too small for a UInt%d.", bits)}
	}
	if rest == digits {
		return &Error{Type: formatException, Message: "Could not find any recognizable digits."}
	}
	return &Error{Type: formatException, Message: "Additional non-parsable characters are at the end of the string."}
}

const formatException = "System.FormatException"

// skipNumber steps over everything that could belong to a number of any base.
func (r *reader) skipNumber() error {
	for {
		c := r.at(0)
		switch {
		case c == 0:
			r.has(0)
			return nil
		case '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'f', c|0x20 == 'x', c == '-', c == '+', c == '.':
			r.pos++
		case c == ',' || c == '}' || c == ']' || c == ')' || c == '/' || r.blank() > 0:
			return nil
		default:
			return r.fail("Unexpected character encountered while parsing number: %s.", r.char())
		}
	}
}

// parseNumber reads hexadecimal, octal and decimal numbers.
func parseNumber(s string) (number, bool) {
	if based(s) {
		n, ok := parseBased(s, 64)
		return number{integer: n}, ok
	}
	if allDigits(strings.TrimPrefix(s, "-")) {
		return parseInteger(s)
	}
	f, ok := parseDouble(s)
	return number{float: f, kind: floatNumber}, ok
}

// based says whether a number is not decimal: 0x… is hexadecimal, any other
// leading zero octal.
func based(s string) bool {
	return len(s) > 1 && s[0] == '0' && s[1] != '.' && s[1] != 'e' && s[1] != 'E'
}

// parseBased reads a hexadecimal or octal number as two's complement of the
// given width.
func parseBased(s string, bits int) (int64, bool) {
	base := 8
	if len(s) > 1 && (s[1] == 'x' || s[1] == 'X') {
		s, base = s[2:], 16
	}
	if s == "" || s[0] == '+' {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, bits)
	if err != nil {
		return 0, false
	}
	if bits == 32 {
		return int64(int32(uint32(n))), true
	}
	return int64(n), true
}

func parseInteger(s string) (number, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return number{integer: n}, true
	}
	if len(s) > maxIntegerLength {
		return number{}, false
	}
	n, ok := new(big.Int).SetString(s, 10)
	return number{big: n, kind: bigNumber}, ok
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// parseDouble reads a decimal number as .NET's double.TryParse does: a number
// that is too large is infinite.
func parseDouble(s string) (float64, bool) {
	if strings.Trim(s, "+-.eE0123456789") != "" || s == "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// formatDouble writes a number as .NET does, and so that it is recognisable as no
// integer.
func formatDouble(f float64) string {
	text := convert.FormatDouble(f)
	if strings.ContainsAny(text, ".EINn") {
		return text
	}
	return text + ".0"
}

// readSymbol reads NaN, Infinity or -Infinity.
func (r *reader) readSymbol(word string) error {
	matched, err := r.match(word)
	if err != nil {
		return err
	}
	if !matched {
		return r.fail("Error parsing %s value.", word)
	}
	r.end = r.pos
	f, _ := parseSymbol(word)
	r.num = number{float: f, kind: floatNumber}
	r.set(float)
	return nil
}
