package startup

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// checkRegex says why .NET refuses a regular expression; nil if it takes it.
// It follows RegexParser without options, for the patterns that templates turn
// into; it decides acceptance only and builds nothing. Go's own parser cannot
// stand in: it refuses look-around and back references, and takes `a**`.
func checkRegex(pattern string) error {
	p := regexParser{text: pattern}
	p.collectGroups()
	if err := p.alternatives(); err != nil {
		return err
	}
	if p.more() {
		return errors.New("a parenthesis is closed that was never opened")
	}
	return nil
}

type regexParser struct {
	text    string
	at      int
	numbers int             // capturing groups without a name
	names   map[string]bool // of the groups that have one
	depth   int
}

// maxDepth bounds the recursion; .NET ends its process on deeper patterns.
const maxDepth = 500

func (p *regexParser) more() bool { return p.at < len(p.text) }

func (p *regexParser) peek(s string) bool { return strings.HasPrefix(p.text[p.at:], s) }

func (p *regexParser) skip(s string) bool {
	if p.peek(s) {
		p.at += len(s)
		return true
	}
	return false
}

// collectGroups finds the groups beforehand, since a reference may come before
// its group.
func (p *regexParser) collectGroups() {
	p.names = map[string]bool{}
	for i := 0; i < len(p.text); i++ {
		switch p.text[i] {
		case '\\':
			i++
		case '[':
			if end := setEnd(p.text, i); end > 0 {
				i = end
			}
		case '(':
			rest := p.text[i+1:]
			if !strings.HasPrefix(rest, "?") {
				p.numbers++
			} else if name, ok := groupName(rest[1:]); ok {
				name, _, _ = strings.Cut(name, "-")
				p.names[name] = true
			}
		}
	}
}

// alternatives reads up to the end or an unmatched closing parenthesis.
func (p *regexParser) alternatives() error {
	if p.depth++; p.depth > maxDepth {
		return errors.New("parentheses are nested too deep")
	}
	defer func() { p.depth-- }()
	quantifiable := false
	for p.more() && p.text[p.at] != ')' {
		if p.skip("|") {
			quantifiable = false
			continue
		}
		if n := p.quantifier(); n > 0 {
			if err := p.quantify(n, quantifiable); err != nil {
				return err
			}
			quantifiable = false
			continue
		}
		var err error
		if quantifiable, err = p.atom(); err != nil {
			return err
		}
	}
	return nil
}

// quantifier returns the length of the quantifier at the cursor; 0 if none. A
// brace that does not hold a count is a literal.
func (p *regexParser) quantifier() int {
	if !p.more() {
		return 0
	}
	switch p.text[p.at] {
	case '*', '+', '?':
		return 1
	case '{':
		body, _, closed := strings.Cut(p.text[p.at+1:], "}")
		low, high, ranged := strings.Cut(body, ",")
		if closed && isCount(low) && (!ranged || high == "" || isCount(high)) {
			return len(body) + 2
		}
	}
	return 0
}

func isCount(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func (p *regexParser) quantify(length int, quantifiable bool) error {
	text := p.text[p.at : p.at+length]
	if !quantifiable {
		return fmt.Errorf("the quantifier %q follows nothing that it could repeat", text)
	}
	if low, high, ranged := strings.Cut(strings.Trim(text, "{}"), ","); ranged && high != "" {
		least, _ := strconv.ParseInt(low, 10, 64)
		if most, err := strconv.ParseInt(high, 10, 64); err == nil && least > most {
			return fmt.Errorf("the quantifier %q counts backwards", text)
		}
	}
	p.at += length
	p.skip("?") // lazy
	if n := p.quantifier(); n > 0 {
		return fmt.Errorf("the quantifier %q repeats a quantifier", p.text[p.at:p.at+n])
	}
	return nil
}

// atom reads one element and says whether a quantifier may follow it.
func (p *regexParser) atom() (quantifiable bool, err error) {
	switch {
	case p.skip("("):
		return p.group()
	case p.peek("["):
		end := setEnd(p.text, p.at)
		if end < 0 {
			return false, errors.New("a set in square brackets is never closed")
		}
		err := checkSet(p.text[p.at+1 : end])
		p.at = end + 1
		return true, err
	case p.skip(`\`):
		return true, p.escape()
	}
	_, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	return true, nil
}
