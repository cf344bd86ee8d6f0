package startup

import (
	"fmt"
	"unicode/utf16"
)

// checkRegex says why .NET refuses a regular expression; nil if it takes it.
// It follows RegexParser without options, for the patterns that templates turn
// into; it decides acceptance only and builds nothing. Go's own parser cannot
// stand in: it refuses look-around and back references, and takes `a**`.
func checkRegex(pattern string) error {
	p := regexParser{text: utf16.Encode([]rune(pattern))}
	p.countCaptures()
	if p.err != nil {
		return p.err
	}
	p.at, p.mode, p.saved = 0, regexMode{}, nil
	p.scan()
	return p.err
}

// regexParser reads UTF-16 units, as .NET does: a character above U+FFFF is two
// of them, even in a set.
type regexParser struct {
	text []uint16
	at   int
	// err is the first thing that is wrong; then nothing is left to read.
	err error
	// numbers and names are the groups of the whole pattern.
	numbers map[int]bool
	names   map[string]bool

	mode  regexMode
	saved []regexMode // at the opening of each open group
	// groups are the open groups, innermost last.
	groups []regexGroup
	// condition says that the next parenthesis opens the condition of (?(…)…).
	condition bool
}

// regexMode are the inline options that change what is accepted.
type regexMode struct {
	spaced   bool // x: blanks and # comments are skipped
	explicit bool // n: a group without a name captures nothing
}

// regexGroup is an open group. One with a condition has at most one sign between
// alternatives. Where the condition is an expression, it comes first, and is due
// until then.
type regexGroup struct {
	conditional, expression, due bool
	branches                     int
}

func (p *regexParser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.at = len(p.text)
}

func (p *regexParser) end() bool { return p.at >= len(p.text) }

// peek returns the unit at an offset from the cursor; 0 beyond the end.
func (p *regexParser) peek(offset int) rune {
	if i := p.at + offset; i < len(p.text) {
		return rune(p.text[i])
	}
	return 0
}

// has says whether there is a unit at an offset, and which it is.
func (p *regexParser) has(offset int, c rune) bool {
	return p.at+offset < len(p.text) && p.peek(offset) == c
}

func (p *regexParser) take() rune {
	c := p.peek(0)
	p.at++
	return c
}

// scan reads the whole pattern.
func (p *regexParser) scan() {
	after := false // a quantifier has just been read
	for !p.end() {
		repeated := after
		unit := p.literals()
		if unit {
			repeated = false
		}
		if p.end() {
			break
		}
		after = p.element(unit, repeated)
	}
	if len(p.groups) > 0 {
		p.fail("a parenthesis is never closed")
	}
}

// literals moves past characters without a meaning, and past comments. It says
// whether there were any, so that a quantifier may follow.
func (p *regexParser) literals() (some bool) {
	p.blanks()
	start := p.at
	for !p.end() && p.literal() {
		p.at++
	}
	some = p.at > start
	p.blanks()
	return some
}

func (p *regexParser) literal() bool {
	switch c := p.peek(0); c {
	case '\\', '*', '+', '?', '|', '[', '(', ')', '^', '$', '.':
		return false
	case '{':
		return p.quantifier() == 0
	case '#', ' ', '\t', '\n', '\f', '\r':
		return !p.mode.spaced
	}
	return true
}

// element reads what has a meaning, and the quantifier behind it. unit says that
// a quantifier can stand here, repeated that one has just been read. It returns
// whether it ends with a quantifier.
func (p *regexParser) element(unit, repeated bool) (quantified bool) {
	switch c := p.peek(0); c {
	case '(':
		p.at++
		p.openGroup()
		return false
	case '|':
		p.at++
		p.branch()
		return false
	case ')':
		p.at++
		if !p.closeGroup() {
			return false
		}
	case '[':
		p.at++
		p.set(checking, 0)
	case '\\':
		p.at++
		p.escape(checking)
	case '^', '$', '.':
		p.at++
	default:
		if p.quantifier() == 0 {
			return false // a literal that begins after a comment
		}
		if !unit {
			p.misplaced(repeated)
			return false
		}
	}
	p.blanks()
	n := p.quantifier()
	if n > 0 {
		p.quantify(n)
	}
	return n > 0
}

func (p *regexParser) misplaced(repeated bool) {
	n := p.quantifier()
	text := string(utf16.Decode(p.text[p.at : p.at+n]))
	if repeated {
		p.fail("the quantifier %q repeats a quantifier", text)
		return
	}
	p.fail("the quantifier %q follows nothing that it could repeat", text)
}

// quantifier returns the length of the quantifier at the cursor; 0 if none. A
// brace that does not hold a count is a literal.
func (p *regexParser) quantifier() int {
	switch p.peek(0) {
	case '*', '+', '?':
		return 1
	case '{':
		n := 1 + p.digits(1)
		if n == 1 {
			return 0
		}
		if p.has(n, ',') {
			n++
			n += p.digits(n)
		}
		if p.has(n, '}') {
			return n + 1
		}
	}
	return 0
}

// digits counts the digits from an offset on.
func (p *regexParser) digits(offset int) int {
	n := 0
	for isDigit(p.peek(offset + n)) {
		n++
	}
	return n
}

// quantify reads a quantifier of a length.
func (p *regexParser) quantify(length int) {
	text := string(utf16.Decode(p.text[p.at : p.at+length]))
	end := p.at + length
	if p.take() == '{' {
		least := p.decimal()
		if p.peek(0) == ',' && isDigit(p.peek(1)) {
			p.at++
			if most := p.decimal(); p.err == nil && least > most {
				p.fail("the quantifier %q counts backwards", text)
			}
		}
	}
	if p.err != nil {
		return
	}
	p.at = end
	p.blanks()
	if p.has(0, '?') {
		p.at++ // lazy
	}
}

// decimal reads digits, which have to fit into 32 bits.
func (p *regexParser) decimal() int {
	n := 0
	for isDigit(p.peek(0)) {
		n = n*10 + int(p.take()-'0')
		if n > 1<<31-1 {
			p.fail("a number is larger than 2147483647")
			return 0
		}
	}
	return n
}

// blanks moves past comments, and in the mode x past blanks.
func (p *regexParser) blanks() {
	for {
		switch c := p.peek(0); {
		case p.has(0, '(') && p.has(1, '?') && p.has(2, '#'):
			for !p.end() && p.peek(0) != ')' {
				p.at++
			}
			if p.end() {
				p.fail("a comment is never closed")
				return
			}
			p.at++
		case p.mode.spaced && c == '#':
			for !p.end() && p.peek(0) != '\n' {
				p.at++
			}
		case p.mode.spaced && (c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'):
			p.at++
		default:
			return
		}
	}
}

func isDigit(c rune) bool { return c >= '0' && c <= '9' }
