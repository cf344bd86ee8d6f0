package startup

import "unicode/utf16"

// countCaptures finds the groups beforehand, since a reference may come before
// its group. Groups with a name get the numbers that are left.
func (p *regexParser) countCaptures() {
	p.numbers, p.names = map[int]bool{0: true}, map[string]bool{}
	unnamed := 0
	for !p.end() {
		switch p.take() {
		case '\\':
			p.escape(counting)
		case '#':
			if p.mode.spaced {
				p.at--
				p.blanks()
			}
		case '[':
			p.set(counting, 0)
		case ')':
			if n := len(p.saved); n > 0 {
				p.mode, p.saved = p.saved[n-1], p.saved[:n-1]
			}
		case '(':
			if p.has(0, '?') && p.has(1, '#') {
				p.at--
				p.blanks()
				p.condition = false
				break
			}
			unnamed = p.countGroup(unnamed)
		}
	}
	p.condition = false
	next := unnamed + 1
	for range p.names {
		for p.numbers[next] {
			next++
		}
		p.numbers[next] = true
	}
}

// countGroup looks at what follows an opening parenthesis, and returns how many
// groups without a name there are so far.
func (p *regexParser) countGroup(unnamed int) int {
	condition := p.condition
	p.condition = false
	p.saved = append(p.saved, p.mode)
	if !p.has(0, '?') {
		if !p.mode.explicit && !condition {
			unnamed++
			p.numbers[unnamed] = true
		}
		return unnamed
	}
	p.at++
	if (p.has(0, '<') || p.has(0, '\'')) && p.at+1 < len(p.text) {
		p.at++
		p.countName()
		return unnamed
	}
	p.options()
	switch {
	case p.has(0, ')'):
		p.at++
		p.saved = p.saved[:len(p.saved)-1]
	case p.has(0, '('):
		p.condition = true
	}
	return unnamed
}

func (p *regexParser) countName() {
	start := p.at
	switch c := p.peek(0); {
	case c >= '1' && c <= '9':
		p.numbers[p.decimal()] = true
	case c != '0' && isWord(c):
		for !p.end() && isWord(p.peek(0)) {
			p.at++
		}
		p.names[string(utf16.Decode(p.text[start:p.at]))] = true
	}
}
