package syntax

import "bytes"

// This file looks at the shape of the text: lines, indentation and brackets.

// widest is how far into a line its indentation is looked for. The lines of a
// file in which it means something are shorter.
const widest = 1000

// indent returns the number of blanks at the start of the line of an offset,
// and whether nothing else stands before the offset.
func (p *parser) indent(offset int) (blanks int, first bool) {
	start := offset
	for start > 0 && !lineEnd(p.text[start-1]) {
		if start--; offset-start > widest {
			return widest, false
		}
	}
	for start+blanks < offset && (p.text[start+blanks] == ' ' || p.text[start+blanks] == '\t') {
		blanks++
	}
	return blanks, start+blanks == offset
}

func (p *parser) sameLine(a, b int) bool { return !bytes.ContainsAny(p.text[a:b], "\r\n") }

// patience is how many nodes of a file crooked looks at in all.
const patience = 10_000_000

// crooked returns, of the objects and arrays from first on, the one that is
// closed first by a bracket which stands alone at an indentation that does not
// fit the line of the opening one. misfit compares the two.
func (p *parser) crooked(first ID, misfit func(open, close int) bool) (found ID, ok bool) {
	if p.looked += len(p.nodes) - int(first); p.looked > patience {
		return 0, false
	}
	for id := first; int(id) < len(p.nodes); id++ {
		n := &p.nodes[id]
		if n.Kind != Object && n.Kind != Array || n.End <= n.Start+1 || ok && n.End > p.nodes[found].End {
			continue
		}
		closer := int(n.End) - 1
		if p.text[closer] != '}' && p.text[closer] != ']' {
			continue
		}
		at, alone := p.indent(closer)
		if from, _ := p.indent(int(n.Start)); alone && misfit(from, at) {
			found, ok = id, true
		}
	}
	return found, ok
}

func closesLeft(open, close int) bool  { return close < open }
func closesRight(open, close int) bool { return close > open }

// skipString returns the last byte of the string at i, at most the line's.
func (p *parser) skipString(i int) int {
	for i++; i < len(p.text) && p.text[i] != '"' && !lineEnd(p.text[i]); i++ {
		if p.text[i] == '\\' {
			i++
		}
	}
	return i
}
