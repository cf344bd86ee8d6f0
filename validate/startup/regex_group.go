package startup

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

func (p *regexParser) group() (quantifiable bool, err error) {
	quantifiable = true
	if p.skip("?") {
		done := false
		if quantifiable, done, err = p.groupKind(); err != nil || done {
			return quantifiable, err
		}
	}
	if err := p.alternatives(); err != nil {
		return false, err
	}
	if !p.skip(")") {
		return false, errors.New("a parenthesis is never closed")
	}
	return quantifiable, nil
}

// groupKind reads what follows "(?"; done says that the group has no body.
func (p *regexParser) groupKind() (quantifiable, done bool, err error) {
	for _, kind := range []string{":", "=", "!", ">", "<=", "<!"} {
		if p.skip(kind) {
			return true, false, nil
		}
	}
	if p.skip("#") {
		end := strings.IndexByte(p.text[p.at:], ')')
		if end < 0 {
			return false, true, errors.New("a comment is never closed")
		}
		p.at += end + 1
		return false, true, nil
	}
	if p.peek("<") || p.peek("'") {
		name, closed := groupName(p.text[p.at:])
		if !closed {
			return false, true, errors.New("the name of a group is never closed")
		}
		p.at += len(name) + 2
		return true, false, p.checkName(name)
	}
	if p.skip("(") { // a condition: a group of its own, whose parenthesis is open now
		if err := p.alternatives(); err != nil {
			return false, true, err
		}
		if !p.skip(")") {
			return false, true, errors.New("a parenthesis is never closed")
		}
		return true, false, nil
	}
	return p.inlineOptions()
}

// checkName follows the rules for <name> and the balancing <name-other>.
func (p *regexParser) checkName(name string) error {
	first, other, balancing := strings.Cut(name, "-")
	if !isGroupName(first) && !(balancing && first == "") {
		return fmt.Errorf("%q is not the name of a group: it begins with a letter or a digit", name)
	}
	if balancing && !p.knows(other) {
		return fmt.Errorf("%q refers to the group %q, which does not exist", name, other)
	}
	return nil
}

func isGroupName(s string) bool {
	if s == "" {
		return false
	}
	if s[0] >= '0' && s[0] <= '9' {
		return strings.Trim(s, "0123456789") == ""
	}
	return strings.TrimFunc(s, isWord) == ""
}

func (p *regexParser) knows(group string) bool {
	if n, err := strconv.Atoi(group); err == nil {
		return n <= p.numbers+len(p.names) || p.names[group]
	}
	return p.names[group]
}

// inlineOptions reads (?i) and (?i:…).
func (p *regexParser) inlineOptions() (quantifiable, done bool, err error) {
	for p.more() && strings.ContainsRune("imnsxIMNSX-+", rune(p.text[p.at])) {
		p.at++
	}
	switch {
	case p.skip(")"):
		return false, true, nil
	case p.skip(":"):
		return true, false, nil
	}
	return false, true, errors.New(`a group begins with "(?" and no kind of group that is known`)
}

// groupName returns what stands between the brackets of <name> or 'name'.
func groupName(s string) (string, bool) {
	if s == "" || strings.HasPrefix(s, "<=") || strings.HasPrefix(s, "<!") {
		return "", false
	}
	end := map[byte]string{'<': ">", '\'': "'"}[s[0]]
	if end == "" {
		return "", false
	}
	name, _, closed := strings.Cut(s[1:], end)
	return name, closed
}
