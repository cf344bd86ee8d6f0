package expr

import (
	"fmt"
	"strconv"
	"strings"
)

// number scans a number as Go does and reports one that oxy refuses. oxy reads
// a whole number with strconv.Atoi, so it knows decimal digits only (010 is
// ten, though Go refuses 08 before), and a fraction with strconv.ParseFloat.
func (s *scanner) number(rest string) token {
	size, kind := measure(rest)
	suffix := prefixLen(rest[size:], isNameRune)
	t := s.token(kind, size+suffix)
	message, help := "", ""
	switch text := rest[:size]; {
	case suffix > 0:
		message = fmt.Sprintf("%q is not a number", rest[:size+suffix])
		help = adviseSuffix(text, rest[size:size+suffix])
	case kind == tokFraction:
		message, help = checkFraction(text)
	default:
		message, help = checkWhole(text)
	}
	if message != "" {
		s.errs.add(t.span, message, help)
		t.kind = tokBad
	}
	return t
}

func checkFraction(text string) (message, help string) {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return "", ""
	}
	return fmt.Sprintf("%q is not a number that an expression can hold", text), "write a number such as 0.30"
}

func checkWhole(text string) (message, help string) {
	octal := len(text) > 1 && text[0] == '0' && strings.ContainsAny(text, "89")
	if _, err := strconv.Atoi(text); err == nil && !octal {
		return "", ""
	}
	base, plain := 0, strings.ReplaceAll(text, "_", "")
	if octal {
		base = 10
	}
	value, err := strconv.ParseInt(plain, base, 64)
	if err != nil {
		return fmt.Sprintf("%q is not a number that an expression can hold", text), "write a smaller whole number"
	}
	return fmt.Sprintf("%q is not a plain decimal number", text), fmt.Sprintf("write %d instead of %s", value, text)
}

// adviseSuffix says what to write for a number with a unit.
func adviseSuffix(number, suffix string) string {
	value, err := strconv.ParseFloat(number, 64)
	switch {
	case err == nil && suffix == "ms":
		return fmt.Sprintf("write %.0f: latencies are in milliseconds", value)
	case err == nil && suffix == "s":
		return fmt.Sprintf("write %.0f: latencies are in milliseconds", value*1000)
	default:
		return "write the number alone"
	}
}

// measure returns the length of the number at the start of s and its form.
func measure(s string) (int, tokenKind) {
	digits, exponent := "0123456789_", "eE"
	n := 0
	if len(s) > 1 && s[0] == '0' {
		switch s[1] {
		case 'x', 'X':
			digits, exponent, n = "0123456789abcdefABCDEF_", "pP", 2
		case 'b', 'B', 'o', 'O':
			exponent, n = "", 2
		}
	}
	kind := tokWhole
	n += spanOf(s[n:], digits)
	if strings.HasPrefix(s[n:], ".") {
		kind = tokFraction
		n++
		n += spanOf(s[n:], digits)
	}
	if n < len(s) && strings.IndexByte(exponent, s[n]) >= 0 {
		kind = tokFraction
		n++
		if n < len(s) && (s[n] == '+' || s[n] == '-') {
			n++
		}
		n += spanOf(s[n:], "0123456789_")
	}
	return n, kind
}

// spanOf returns how many bytes at the start of s are in set.
func spanOf(s, set string) int { return len(s) - len(strings.TrimLeft(s, set)) }
