package startup

import (
	"strings"
	"unicode/utf16"
)

// openGroup reads what follows an opening parenthesis, up to the body of the
// group, or all of (?i).
func (p *regexParser) openGroup() {
	outer := p.mode
	if p.end() || p.peek(0) != '?' || p.has(1, ')') {
		p.condition = false
		p.enter(outer, regexGroup{})
		return
	}
	p.at++
	switch c := p.take(); c {
	case ':', '=', '!', '>':
		p.enter(outer, regexGroup{})
	case '<', '\'':
		if c == '<' && (p.has(0, '=') || p.has(0, '!')) {
			p.at++
		} else {
			p.nameOfGroup(c)
		}
		p.enter(outer, regexGroup{})
	case '(':
		p.enter(outer, p.conditionOfGroup())
	default:
		p.at--
		p.inlineOptions(outer)
	}
}

func (p *regexParser) enter(outer regexMode, g regexGroup) {
	p.saved, p.groups = append(p.saved, outer), append(p.groups, g)
}

// branch reads the sign between alternatives.
func (p *regexParser) branch() {
	if n := len(p.groups); n > 0 {
		p.groups[n-1].branches++
	}
}

// closeGroup ends the innermost group. It is false for the condition of
// another group, which no quantifier may follow.
func (p *regexParser) closeGroup() bool {
	n := len(p.groups) - 1
	if n < 0 {
		p.fail("a parenthesis is closed that was never opened")
		return false
	}
	if g := p.groups[n]; g.conditional && g.branches > 1 {
		p.fail("a group with a condition has more than two alternatives")
		return false
	}
	p.mode, p.saved, p.groups = p.saved[n], p.saved[:n], p.groups[:n]
	if n > 0 && p.groups[n-1].due {
		p.groups[n-1].due = false
		return false
	}
	return true
}

// nameOfGroup follows the rules for <name> and the balancing <name-other>.
func (p *regexParser) nameOfGroup(open rune) {
	start, end := p.at, '>'
	if open == '\'' {
		end = open
	}
	first := p.peek(0)
	name, known := "", false
	if !p.end() && first != '-' {
		name, known = p.groupName()
	}
	switch {
	case p.err != nil:
		return
	case name == "" && first != '-', !p.end() && !p.has(0, end) && !p.has(0, '-'),
		isDigit(first) && (!known || strings.Trim(name, "0") == ""):
		p.badName(start)
		return
	}
	if p.has(0, '-') && p.at+1 < len(p.text) {
		p.at++
		other, known := p.groupName()
		switch {
		case p.err != nil:
		case other == "" || !p.end() && !p.has(0, end):
			p.badName(start)
		case !known:
			p.fail("%q refers to the group %q, which does not exist", string(utf16.Decode(p.text[start:p.at])), other)
		}
	}
	if p.err == nil && p.take() != end {
		p.fail("the name of a group is never closed")
	}
}

func (p *regexParser) badName(start int) {
	end := min(max(p.at, start+1), len(p.text))
	p.fail("%q is not the name of a group: it begins with a letter or a digit above 0", string(utf16.Decode(p.text[min(start, end):end])))
}

// conditionOfGroup reads a condition that refers to a group; any other one is
// an expression, whose parenthesis is read again as that of a group.
func (p *regexParser) conditionOfGroup() regexGroup {
	start := p.at
	name, known := "", false
	if !p.end() {
		number := isDigit(p.peek(0))
		name, known = p.groupName()
		closed := p.has(0, ')')
		if p.err == nil && number && (!closed || !known) {
			p.fail("a condition refers to group %s, which does not exist", name)
		}
		if name != "" && known && closed {
			p.at++
			return regexGroup{conditional: true}
		}
	}
	if p.err != nil {
		return regexGroup{}
	}
	p.at, p.condition = start-1, true
	if p.has(1, '?') {
		switch {
		case p.has(2, '#'):
			p.fail("a comment stands in place of a condition")
		case p.has(2, '\''), p.has(2, '<') && p.at+3 < len(p.text) && !p.has(3, '!') && !p.has(3, '='):
			p.fail("a condition has a name")
		}
	}
	return regexGroup{conditional: true, expression: true, due: true}
}

// inlineOptions reads (?i) and (?i:…), for which there is no place right inside of
// a group whose condition is an expression.
func (p *regexParser) inlineOptions(outer regexMode) {
	if n := len(p.groups); n == 0 || !p.groups[n-1].expression {
		p.options()
	}
	if !p.end() {
		switch p.take() {
		case ')':
			return
		case ':':
			p.enter(outer, regexGroup{})
			return
		}
	}
	p.fail(`a group begins with "(?" and no kind of group that is known`)
}

// options reads the letters of inline options.
func (p *regexParser) options() {
	for off := false; ; p.at++ {
		switch p.peek(0) {
		case '-':
			off = true
		case '+':
			off = false
		case 'x', 'X':
			p.mode.spaced = !off
		case 'n', 'N':
			p.mode.explicit = !off
		case 'i', 'I', 'm', 'M', 's', 'S':
		default:
			return
		}
	}
}
