package syntax

import (
	"regexp"
	"strings"
)

// mistake describes text that is no JSON value but looks like one.
type mistake struct {
	// message has one %s for the quoted text.
	message, help string
	// instead is what was probably meant; "" where that is unknown. guess
	// says that it may not mean the same.
	instead string
	guess   bool
}

// words are values of other languages.
var words = map[string]string{"true": "true", "false": "false", "null": "null", "none": "null", "nil": "null", "undefined": "null"}

// shapes are numbers that JSON does not know, most particular first.
var shapes = []struct {
	pattern *regexp.Regexp
	mistake mistake
}{
	{regexp.MustCompile(`^[-+]?(NaN|Infinity|inf|∞)$`), mistake{message: "%s is not a number in JSON", help: "write a number"}},
	{regexp.MustCompile(`^[-+]?0[xX][0-9a-fA-F_]+$`), mistake{message: "%s is hexadecimal: JSON knows only decimal numbers", help: `write the number in decimal, or as a string; .NET reads "0x1F" as 31`}},
	{regexp.MustCompile(`^[-+]?0[0-9]+(\.[0-9]+)?$`), mistake{message: "%s begins with a zero: JSON allows none before other digits", help: "remove the leading zero"}},
	{regexp.MustCompile(`^\+[0-9]+(\.[0-9]+)?$`), mistake{message: "%s begins with a plus: JSON allows none", help: "remove the plus"}},
	{regexp.MustCompile(`^[-+]?\.[0-9]+$`), mistake{message: "%s begins with a point: a digit must stand before it", help: "write a 0 before the point"}},
	{regexp.MustCompile(`^[-+]?[0-9]+\.$`), mistake{message: "%s ends in a point: a digit must follow it", help: "remove the point"}},
	{regexp.MustCompile(`^[-+]?[0-9.]+[eE][-+]?$`), mistake{message: "%s has no exponent: a digit must follow the e", help: "write the number out"}},
	{regexp.MustCompile(`^[-+]?[0-9]{1,3}([_'][0-9]{3})+$`), mistake{message: "%s has separators between its digits: JSON allows none", help: "write the digits without separators"}},
	{regexp.MustCompile(`^[-+]?[0-9]+(\.[0-9]+)?[a-zA-Z%]+$`), mistake{message: "%s is a number with a unit: JSON knows only plain numbers", help: "write the number without a unit"}},
	{regexp.MustCompile(`^[-+]+$`), mistake{message: "%s is not a number: a digit must follow", help: "write a number"}},
}

// explain recognises text that stands for a value in some other language. The
// message is empty for any other text.
func explain(text string) mistake {
	if word, ok := words[strings.ToLower(text)]; ok && word != text {
		return mistake{message: "%s is not a JSON value: did you mean " + word + "?", help: "write " + word, instead: word}
	}
	for _, s := range shapes {
		if s.pattern.MatchString(text) {
			m := s.mistake
			m.instead, m.guess = plainNumber(text)
			return m
		}
	}
	return mistake{}
}

// plainNumber writes a decimal number as JSON does; "" if it cannot.
func plainNumber(text string) (plain string, guess bool) {
	plain = strings.TrimPrefix(text, "+")
	sign := ""
	if rest, ok := strings.CutPrefix(plain, "-"); ok {
		sign, plain = "-", rest
	}
	plain = strings.NewReplacer("_", "", "'", "").Replace(plain)
	// Leading zeros mean octal to some readers, so removing them is a guess.
	trimmed := strings.TrimLeft(plain, "0")
	guess = len(trimmed) < len(plain) && trimmed != ""
	if trimmed == "" || trimmed[0] == '.' {
		trimmed = "0" + trimmed
		guess = guess && len(plain) > len(trimmed)
	}
	trimmed = strings.TrimSuffix(trimmed, ".")
	if strings.Trim(trimmed, "0123456789.") != "" {
		return "", false
	}
	return sign + trimmed, guess
}

// bareText describes text that lacks its quotes.
func bareText(text string) mistake {
	m := mistake{message: "%s is not a JSON value: text takes double quotes", help: "put it in double quotes"}
	if strings.HasPrefix(text, "#") {
		return mistake{message: "%s stands where a value belongs: comments begin with //", help: "write // instead of #"}
	}
	inner := strings.TrimSuffix(text, `"`)
	if !strings.ContainsAny(inner, "\"\\") && isText(inner) {
		m.instead, m.guess = `"`+inner+`"`, true
	}
	return m
}

// isText says whether quotes make sense around a text.
func isText(text string) bool {
	for _, r := range text {
		if r < ' ' || r == '\uFFFD' {
			return false
		}
	}
	return text != ""
}
