// Package prose words what people read: times, numbers and ratios, and texts
// that fit the columns of a terminal.
//
// It takes values and texts and returns texts, the same ones on every system. It
// knows nothing of gateways.
package prose

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Duration words milliseconds: "90 s", "1.5 s", "500 ms", "1 200 ms".
func Duration(ms int64) string {
	switch {
	case ms != 0 && ms%1000 == 0:
		return Grouped(ms/1000) + " s"
	case ms > 1000 && ms%100 == 0:
		return Grouped(ms/1000) + "." + strconv.FormatInt(ms%1000/100, 10) + " s"
	}
	return Grouped(ms) + " ms"
}

// Grouped prints a number with a space between groups of three digits, from
// four digits on.
func Grouped(n int64) string {
	digits, sign := strconv.FormatInt(n, 10), ""
	if n < 0 {
		digits, sign = digits[1:], "−"
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + " " + digits[i:]
	}
	return sign + digits
}

// Percent words a ratio: "50 %", "12.5 %".
func Percent(ratio float64) string {
	return strconv.FormatFloat(math.Round(ratio*1e6)/1e4, 'f', -1, 64) + " %"
}

// Plural words a count of things: "1 failure", "3 failures".
func Plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Grouped(n) + " " + noun + "s"
}

// Printable replaces what could play tricks on a terminal.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// EscapeMarkdown keeps what people wrote from being read as markup. Code in
// backticks stays code.
func EscapeMarkdown(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "]", `\]`).Replace(text)
}

// Also names things of which the same is true, as the end of a list: "also a, b
// and 3 more". It names at most so many, or all where most is 0; of none it
// returns "".
func Also(names []string, most int) string {
	if len(names) == 0 {
		return ""
	}
	return "also " + List(names, most)
}

// List names things: "a, b and 3 more". It names at most so many, or all where
// most is 0.
func List(names []string, most int) string {
	if more := len(names) - most; most > 0 && more > 0 {
		return strings.Join(names[:most], ", ") + " and " + Grouped(int64(more)) + " more"
	}
	return strings.Join(names, ", ")
}
