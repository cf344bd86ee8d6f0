package startup

// maxSubtractions bounds the recursion; .NET ends its process on deeper sets.
const maxSubtractions = 500

// set reads a set after its opening bracket, up to the closing one. A closing
// bracket that comes first is a literal, and -[…] at the end subtracts a set.
func (p *regexParser) set(pass pass, depth int) {
	if depth > maxSubtractions {
		p.fail("sets in square brackets are nested too deep")
		return
	}
	if p.has(0, '^') {
		p.at++
	}
	var low rune
	ranged := false // low and a minus sign have been read
	for first := true; !p.end(); first = false {
		c, escaped, class := p.setMember()
		switch {
		case class:
			if ranged && pass == checking {
				p.fail("a class of characters ends a range in a set")
			}
		case c == ']' && !escaped && !first:
			return
		case escaped && c == '-':
			if ranged && pass == checking {
				p.ordered(low, c)
				ranged = false
			}
		case ranged:
			ranged = false
			if pass == counting {
				break
			}
			if c == '[' && !escaped && !first {
				p.subtract(pass, depth)
				break
			}
			p.ordered(low, c)
		case p.has(0, '-') && p.at+1 < len(p.text) && p.peek(1) != ']':
			low, ranged = c, true
			p.at++
		case c == '-' && !escaped && !first && p.has(0, '['):
			p.at++
			p.subtract(pass, depth)
		}
	}
	p.fail("a set in square brackets is never closed")
}

// setMember reads one character of a set; class says that it is a class of
// them, such as \d, and escaped that it stood behind a backslash.
func (p *regexParser) setMember() (c rune, escaped, class bool) {
	if c = p.take(); c != '\\' || p.end() {
		return c, false, false
	}
	switch c = p.peek(0); c {
	case 'D', 'd', 'S', 's', 'W', 'w':
		p.at++
		return c, true, true
	case 'p', 'P':
		p.at++
		p.property(c)
		return c, true, true
	case '-':
		p.at++
		return c, true, false
	}
	return p.charEscape(), true, false
}

// subtract reads a subtracted set, which has to be the last thing in its set.
func (p *regexParser) subtract(pass pass, depth int) {
	p.set(pass, depth+1)
	if pass == checking && !p.end() && p.peek(0) != ']' {
		p.fail("a subtracted set is not the last thing in a set")
	}
}

func (p *regexParser) ordered(low, high rune) {
	if low > high {
		p.fail("the range %c-%c is in reverse order", low, high)
	}
}
