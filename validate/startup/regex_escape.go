package startup

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape reads what follows a backslash outside of a set.
func (p *regexParser) escape() error {
	if !p.more() {
		return errors.New("a backslash stands at the end")
	}
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	switch {
	case r == 'k':
		name, closed := groupName(p.text[p.at+1:])
		if !closed || !p.knows(name) {
			return fmt.Errorf(`"\k" refers to the group %q, which does not exist`, name)
		}
		p.at += len(name) + 3
		return nil
	case r >= '1' && r <= '9':
		return p.backReference()
	}
	p.at += size
	return checkEscape(r, p.text[p.at:])
}

func (p *regexParser) backReference() error {
	digits := p.text[p.at : len(p.text)-len(strings.TrimLeft(p.text[p.at:], "0123456789"))]
	p.at += len(digits)
	n, err := strconv.Atoi(digits)
	if err == nil && (n <= p.numbers+len(p.names) || len(digits) > 1) {
		return nil // two digits and more are an octal character where no such group exists
	}
	return fmt.Errorf(`"\%s" refers to group %s, which does not exist`, digits, digits)
}

// checkEscape checks an escape of one letter and what has to follow it.
func checkEscape(r rune, rest string) error {
	hex := map[rune]int{'x': 2, 'u': 4}[r]
	switch {
	case hex > 0:
		if len(rest) < hex || strings.Trim(rest[:hex], "0123456789abcdefABCDEF") != "" {
			return fmt.Errorf(`"\%c" wants %d hexadecimal digits`, r, hex)
		}
	case r == 'c':
		if rest == "" || !isASCIILetter(rune(rest[0])) && !strings.ContainsRune(`@[\]^_`, rune(rest[0])) {
			return errors.New(`"\c" wants a letter`)
		}
	case r == 'p' || r == 'P':
		name, _, closed := strings.Cut(strings.TrimPrefix(rest, "{"), "}")
		if !strings.HasPrefix(rest, "{") || !closed || unicode.Categories[name] == nil && !strings.HasPrefix(name, "Is") {
			return fmt.Errorf(`"\%c" wants the name of a category in braces`, r)
		}
	case isWord(r) && !strings.ContainsRune("AbBGZzwWsSdDaefnrtv0", r):
		return fmt.Errorf(`the escape "\%c" is not known`, r)
	}
	return nil
}

// setEnd returns the index of the bracket that closes the set opened at start;
// -1 if none does. A closing bracket that comes first is a literal, and
// -[…] subtracts a set.
func setEnd(s string, start int) int {
	i := start + 1
	if i < len(s) && s[i] == '^' {
		i++
	}
	for first := true; i < len(s); i, first = i+1, false {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == ']' && !first:
			return i
		case s[i] == '-' && !first && strings.HasPrefix(s[i+1:], "["):
			if i = setEnd(s, i+1); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// checkSet refuses ranges in reverse order and escapes that are not known.
func checkSet(body string) error {
	var low rune = -1
	runes := []rune(strings.TrimPrefix(body, "^"))
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		if r == '\\' && i+1 < len(runes) {
			i++
			if err := checkEscape(runes[i], string(runes[i+1:])); err != nil {
				return err
			}
			low = -1
			continue
		}
		if r == '-' && low >= 0 && i+1 < len(runes) && runes[i+1] != '[' && runes[i+1] != '\\' {
			if i++; runes[i] < low {
				return fmt.Errorf("the range %c-%c is in reverse order", low, runes[i])
			}
			low = -1
			continue
		}
		low = r
	}
	return nil
}
