package startup

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
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
