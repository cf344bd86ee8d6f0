package syntax

func (p *parser) container(kind Kind, n name) ID {
	id := p.add(kind, n, p.pos)
	if len(p.open) == maxDepth {
		return p.tooDeep(id)
	}
	p.open = append(p.open, id)
	p.pos++
	if kind == Object {
		p.members(id, 0)
	} else {
		p.elements(id)
	}
	p.nodes[id].End = uint32(p.pos)
	p.open = p.open[:len(p.open)-1]
	return id
}

// members reads an object's members after the child last, and its closing
// brace.
func (p *parser) members(id, last ID) {
	outer := p.names.enter()
	for comma := false; ; comma = true {
		n, out := p.name(id, comma)
		for out == again {
			n, out = p.name(id, comma)
		}
		if out == closed {
			break
		}
		p.names.add(p, n)
		child := p.member(n)
		p.link(id, last, child)
		last = child
		if p.separator(id, '}') == closed {
			break
		}
	}
	if p.names.leave(p, outer, id) {
		p.nodes[id].Flags |= Irregular
		p.irregular = true
	}
}

// member reads a colon and the value after a name.
func (p *parser) member(n name) ID {
	if p.nextBlank() == ':' {
		p.pos++
		return p.value(n)
	}
	return p.noColon(n)
}

// elements reads an array's elements and its closing bracket.
func (p *parser) elements(id ID) {
	var last ID
	for comma := false; ; comma = true {
		out := p.element(id, comma)
		for out == again {
			out = p.element(id, comma)
		}
		if out == closed {
			return
		}
		if p.ahead != nil {
			if child := p.join(); child != 0 {
				p.link(id, last, child)
				return
			}
		}
		child := p.value(name{})
		p.link(id, last, child)
		last = child
		if p.splits {
			p.begin(child)
		}
		if p.separator(id, ']') == closed {
			return
		}
	}
}

// element looks for an element, or the closing bracket.
func (p *parser) element(id ID, comma bool) outcome {
	switch c := p.next(); c {
	case ']':
		p.pos++
		return closed
	case 0, ',', '}', '<', '|', '=', '>':
		return p.noElement(id, c, comma)
	}
	return proceed
}

// separator reads what follows a value in a container: a comma, or end, which
// closes it.
func (p *parser) separator(id ID, end byte) outcome {
	for {
		switch c := p.next(); c {
		case ',':
			p.pos++
			return proceed
		case end:
			p.pos++
			return closed
		default:
			if out := p.noSeparator(id, c); out != again {
				return out
			}
		}
	}
}
