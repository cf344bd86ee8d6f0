package startup

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

// pass says what reads an escape or a set: the search for groups beforehand,
// which refuses less, or the parser itself.
type pass uint8

const (
	counting pass = iota
	checking
)

// escape reads what follows a backslash outside of a set.
func (p *regexParser) escape(pass pass) {
	if p.end() {
		if pass == checking {
			p.fail("a backslash stands at the end")
		}
		return
	}
	switch c := p.peek(0); {
	case strings.ContainsRune("bBAGZzwWsSdD", c):
		p.at++
	case c == 'p' || c == 'P':
		p.at++
		if pass == checking {
			p.property(c)
		}
	case c == 'k', c == '<', c == '\'':
		p.namedReference(pass)
	case c >= '1' && c <= '9':
		p.numberedReference(pass)
	default:
		p.charEscape()
	}
}

// namedReference reads \k<name>, or \<name> of old; what is neither is a
// character of its own.
func (p *regexParser) namedReference(pass pass) {
	start, needed := p.at, p.peek(0) == 'k'
	if needed {
		p.at++
	}
	open := p.peek(0)
	p.at++
	if needed && (open != '<' && open != '\'' || p.end()) {
		p.fail(`"\k" is not followed by the name of a group, as in \k<name>`)
		return
	}
	end := '>'
	if open == '\'' {
		end = open
	}
	name, known := p.groupName()
	if name != "" && p.has(0, end) {
		p.at++
		if pass == checking && !known {
			p.fail("a reference names the group %q, which does not exist", name)
		}
		return
	}
	if p.err == nil {
		p.at = start
		p.charEscape()
	}
}

// groupName reads a number or a name and says whether a group has it.
func (p *regexParser) groupName() (name string, known bool) {
	start := p.at
	if isDigit(p.peek(0)) {
		n := p.decimal()
		known = p.numbers[n]
	} else {
		for !p.end() && isWord(p.peek(0)) {
			p.at++
		}
		known = p.names[string(utf16.Decode(p.text[start:p.at]))]
	}
	return string(utf16.Decode(p.text[start:p.at])), known
}

// numberedReference reads \1; two digits and more are an octal character where
// no such group exists.
func (p *regexParser) numberedReference(pass pass) {
	start := p.at
	n := p.decimal()
	switch {
	case p.err != nil || pass == counting || p.numbers[n]:
	case n <= 9:
		p.fail(`"\%d" refers to group %d, which does not exist`, n, n)
	default:
		p.at = start
		p.charEscape()
	}
}

// charEscape reads an escape that stands for one character and returns it.
func (p *regexParser) charEscape() rune {
	switch c := p.take(); {
	case c >= '0' && c <= '7':
		p.at--
		n := rune(0)
		for i := 0; i < 3 && p.peek(0) >= '0' && p.peek(0) <= '7'; i++ {
			n = n*8 + p.take() - '0'
		}
		return n & 0xFF
	case c == 'x':
		return p.hex(c, 2)
	case c == 'u':
		return p.hex(c, 4)
	case c == 'c':
		return p.control()
	case strings.ContainsRune("abefnrtv", c):
		return map[rune]rune{'a': '\a', 'b': '\b', 'e': 0x1B, 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}[c]
	case isWord(c):
		p.fail(`the escape "\%c" is not known`, c)
		return 0
	default:
		return c
	}
}

func (p *regexParser) hex(letter rune, count int) (n rune) {
	for range count {
		digit := strings.IndexRune("0123456789abcdef", unicode.ToLower(p.peek(0)))
		if p.end() || digit < 0 || p.peek(0) > 'f' {
			p.fail(`"\%c" wants %d hexadecimal digits`, letter, count)
			return 0
		}
		n = n<<4 | rune(digit)
		p.at++
	}
	return n
}

// control reads the letter of \cA.
func (p *regexParser) control() rune {
	if p.end() {
		p.fail(`"\c" wants a letter`)
		return 0
	}
	c := p.take()
	if c >= 'a' && c <= 'z' {
		c -= 'a' - 'A'
	}
	if c < '@' || c >= '@'+' ' {
		p.fail(`"\c" wants a letter`)
		return 0
	}
	return c - '@'
}

// property reads the {Name} of \p{Name}: a general category, or a block, which
// is taken for known.
func (p *regexParser) property(letter rune) {
	start := p.at + 1
	closed := false
	if p.has(0, '{') {
		for p.at++; !p.end() && (isWord(p.peek(0)) || p.peek(0) == '-'); p.at++ {
		}
		closed = p.has(0, '}')
	}
	if closed {
		name := string(utf16.Decode(p.text[start:p.at]))
		closed = unicode.Categories[name] != nil && name != "LC" || name == "Cn" || strings.HasPrefix(name, "Is") && len(name) > 2
	}
	if !closed {
		p.fail(`"\%c" wants the name of a category in braces`, letter)
		return
	}
	p.at++
}
