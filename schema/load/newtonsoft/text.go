package newtonsoft

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/margay-dev/margay/schema/convert"
)

// blanks are what .NET's number parsers trim; NUL is dropped at the end only.
const blanks = " \t\n\v\f\r"

// parseInt reads an integer as int.TryParse and long.TryParse do.
func parseInt(s string, bits int) (int64, bool) {
	s = strings.Trim(strings.TrimRight(s, "\x00"), blanks)
	n, err := strconv.ParseInt(s, 10, bits)
	return n, err == nil && !strings.Contains(s, "_")
}

// parseDoubleText reads a double as double.TryParse does when it allows commas
// between the digits before the point.
func parseDoubleText(s string) (float64, bool) {
	if strings.IndexFunc(s, func(c rune) bool { return c >= utf8.RuneSelf }) >= 0 {
		return 0, false
	}
	whole, rest := s, ""
	if i := strings.IndexAny(s, ".eE"); i >= 0 {
		whole, rest = s[:i], s[i:]
	}
	if first := strings.IndexAny(whole, "0123456789"); first >= 0 {
		whole = whole[:first] + strings.ReplaceAll(whole[first:], ",", "")
	}
	return convert.Double(whole + rest)
}

// parseSymbol returns the value of NaN, Infinity and -Infinity.
func parseSymbol(word string) (float64, bool) {
	switch word {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	return 0, false
}

// parseBool reads a bool as bool.TryParse does.
func parseBool(s string) (truth, ok bool) { return convert.Bool(s) }
