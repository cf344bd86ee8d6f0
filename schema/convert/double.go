package convert

import (
	"math"
	"strconv"
	"strings"
)

// Double converts as DoubleConverter does: NumberStyles.Float under the
// invariant culture. There is no hexadecimal and no group separator; what is
// too large becomes an infinity; NaN and Infinity are read in any letter case.
func Double(text string) (value float64, ok bool) {
	text = strings.TrimFunc(text, isBlank)
	if end := decimalEnd(text); end > 0 && onlyEnd(text[end:]) {
		value, err := strconv.ParseFloat(text[:end], 64)
		return value, err == nil || math.IsInf(value, 0)
	}
	return specialDouble(text)
}

// decimalEnd returns the length of the longest decimal number at the start of
// a text; 0 if there is none. An exponent counts only with digits.
func decimalEnd(text string) int {
	i := 0
	if i < len(text) && (text[i] == '+' || text[i] == '-') {
		i++
	}
	start := i
	i = skipDigits(text, i)
	digits := i - start
	if i < len(text) && text[i] == '.' {
		fraction := skipDigits(text, i+1)
		digits += fraction - i - 1
		i = fraction
	}
	if digits == 0 {
		return 0
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		exponent := i + 1
		if exponent < len(text) && (text[exponent] == '+' || text[exponent] == '-') {
			exponent++
		}
		if end := skipDigits(text, exponent); end > exponent {
			i = end
		}
	}
	return i
}

func skipDigits(text string, i int) int {
	for i < len(text) && text[i]-'0' <= 9 {
		i++
	}
	return i
}

func specialDouble(text string) (value float64, ok bool) {
	unsigned := strings.TrimPrefix(text, "+")
	if unsigned == text {
		unsigned = strings.TrimPrefix(text, "-")
	}
	switch {
	case asciiEqualFold(unsigned, "nan"):
		return math.NaN(), true
	case !asciiEqualFold(unsigned, "infinity"):
		return 0, false
	case text[0] == '-':
		return math.Inf(-1), true
	}
	return math.Inf(1), true
}

// FormatDouble prints a number as .NET does by default: the shortest digits that
// read back, with an exponent below 1E-05 and from 1E+17 on.
func FormatDouble(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	text := strconv.FormatFloat(f, 'E', -1, 64)
	_, digits, _ := strings.Cut(text, "E")
	if exponent, err := strconv.Atoi(digits); f == 0 || err == nil && -5 < exponent && exponent < 17 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return text
}
