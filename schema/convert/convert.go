// Package convert turns the text of a configuration value into a scalar as the
// type converters of .NET 10 do under the invariant culture, and says in .NET's
// own words why a text does not convert.
//
// It takes one text and returns one value. It knows nothing about files, names
// or null: what null and "" mean to a nullable member is the binder's business.
package convert

import "strings"

// Exception is a .NET exception as a log shows it.
type Exception struct {
	// Type is the full name of its class: "System.FormatException".
	Type    string
	Message string
	Inner   *Exception
}

// Bool converts "true" and "false" in any letter case. BooleanConverter trims
// blanks, Boolean.Parse then blanks and NUL characters.
func Bool(text string) (value, ok bool) {
	switch text {
	case "True", "true":
		return true, true
	case "False", "false":
		return false, true
	}
	switch word := trimBool(text); {
	case asciiEqualFold(word, "true"):
		return true, true
	case asciiEqualFold(word, "false"):
		return false, true
	}
	return false, false
}

func trimBool(text string) string {
	return strings.TrimFunc(text, func(c rune) bool { return c == 0 || isBlank(c) })
}

// asciiEqualFold compares without regard to the case of ASCII letters only:
// .NET does not take "falſe" for false.
func asciiEqualFold(text, lower string) bool {
	if len(text) != len(lower) {
		return false
	}
	for i := range len(text) {
		if text[i]|0x20 != lower[i] {
			return false
		}
	}
	return true
}

// Char converts a text to a single UTF-16 unit, returned as text. A text of
// several characters is trimmed first, and what is empty then is NUL.
func Char(text string) (value string, ok bool) {
	if units(text) > 1 {
		text = strings.TrimFunc(text, isBlank)
	}
	switch units(text) {
	case 0:
		return "\x00", true
	case 1:
		return text, true
	}
	return "", false
}

// units returns the number of UTF-16 units of a text.
func units(text string) int {
	n := 0
	for _, c := range text {
		n++
		if c > 0xFFFF {
			n++
		}
	}
	return n
}
