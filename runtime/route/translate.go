package route

import (
	"errors"
	"fmt"
	"strings"
)

// translate rewrites a .NET regular expression as one of package regexp with
// the same meaning for the texts that a request can hold, which are ASCII
// without line breaks. What has no counterpart, or another meaning, is refused
// by name.
func translate(pattern string) (string, error) {
	var b strings.Builder
	for at := 0; at < len(pattern); {
		piece, size, err := translateAt(pattern[at:])
		if err != nil {
			return "", err
		}
		b.WriteString(piece)
		at += size
	}
	return b.String(), nil
}

// translateAt translates the construct at the start of text.
func translateAt(text string) (piece string, size int, err error) {
	switch text[0] {
	case '\\':
		return translateEscape(text, `bBAzdDwWsS`)
	case '[':
		return translateClass(text)
	case '(':
		if strings.HasPrefix(text, "(?") {
			return translateGroup(text)
		}
	}
	return text[:1], 1, nil
}

// translateEscape handles a backslash. Classes lists the letters that stand
// for themselves here.
func translateEscape(text, classes string) (string, int, error) {
	if len(text) < 2 {
		return "", 0, errors.New("it ends in a backslash")
	}
	c := text[1]
	switch {
	case strings.IndexByte(classes, c) >= 0, strings.IndexByte("tnrfv", c) >= 0:
		return text[:2], 2, nil
	case c == 'e':
		return `\x1b`, 2, nil
	case c == 'x' && isHex(text, 2, 2):
		return text[:4], 4, nil
	case c == 'u' && isHex(text, 2, 4):
		return `\x{` + text[2:6] + "}", 6, nil
	case c >= '1' && c <= '9', c == 'k':
		return "", 0, fmt.Errorf("%q refers back to a group, which no linear-time matcher can do", text[:2])
	case c < 0x80 && !isLetterOrDigit(c):
		return text[:2], 2, nil
	}
	return "", 0, fmt.Errorf("%q has no counterpart in a linear-time matcher", text[:2])
}

// translateClass handles a set of characters. An opening bracket within it is
// a plain character in .NET and may start a named class in Go.
func translateClass(text string) (string, int, error) {
	var b strings.Builder
	at := 1
	b.WriteString("[")
	if strings.HasPrefix(text[at:], "^") {
		b.WriteString("^")
		at++
	}
	for first := true; at < len(text); first = false {
		switch c := text[at]; {
		case c == ']' && !first:
			return b.String() + "]", at + 1, nil
		case c == '\\':
			piece, size, err := translateEscape(text[at:], "dDwWsS")
			if err != nil {
				return "", 0, err
			}
			b.WriteString(piece)
			at += size
			continue
		case c == '[' && text[at-1] == '-' && !first:
			return "", 0, fmt.Errorf("%q subtracts a class, which has no counterpart in a linear-time matcher", "-[")
		case c == '[' || c == ']':
			b.WriteString(`\`)
		}
		b.WriteByte(text[at])
		at++
	}
	return "", 0, errors.New("a bracket is never closed")
}

// translateGroup handles "(?". The kinds of groups that remain are lookarounds,
// atomic groups, conditions, balancing groups and comments.
func translateGroup(text string) (string, int, error) {
	if strings.HasPrefix(text, "(?:") {
		return text[:3], 3, nil
	}
	if name, _, ok := strings.Cut(strings.TrimPrefix(text, "(?<"), ">"); ok && strings.HasPrefix(text, "(?<") && isWord(name) {
		return text[:4+len(name)], 4 + len(name), nil
	}
	flags := strings.TrimLeft(text[2:], "ims-")
	if size := len(text) - len(flags); size > 2 && flags != "" && (flags[0] == ':' || flags[0] == ')') {
		return text[:size+1], size + 1, nil
	}
	kind := text[:min(3, len(text))]
	if strings.HasPrefix(text, "(?<") {
		kind = text[:min(4, len(text))]
	}
	return "", 0, fmt.Errorf("a group that starts with %q has no counterpart in a linear-time matcher", kind)
}

// checkClasses refuses placeholders inside of a set of characters: Ocelot puts
// the text of the placeholder's pattern there, which then means its characters
// and captures nothing.
func checkClasses(text string) error {
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '[':
			end := classEnd(text, at)
			if strings.Contains(text[at:end], "(?<"+groupName(0)[:len(groupName(0))-1]) {
				return errors.New("a placeholder stands inside of brackets, where it captures nothing")
			}
			at = end - 1
		}
	}
	return nil
}

// classEnd returns the place behind the set of characters that starts at a
// place.
func classEnd(text string, at int) int {
	at++
	if strings.HasPrefix(text[at:], "^") {
		at++
	}
	for first := true; at < len(text); first, at = false, at+1 {
		switch {
		case text[at] == '\\':
			at++
		case text[at] == ']' && !first:
			return at + 1
		}
	}
	return len(text)
}

func isLetterOrDigit(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
