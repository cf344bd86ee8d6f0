package reach

import (
	"bytes"
	"slices"
)

// mostStates bounds a search. Templates need some dozens of states; only
// contrived ones get here.
const mostStates = 20_000

// outside returns the shortest target that l takes and none of the others.
// Without one, ok is false, and target is empty unless the search was given up.
func outside(l *language, others []*language) (target string, ok bool) {
	return common([]*language{l}, others)
}

// common returns the shortest target that all of takers take and none of the
// others. Without one, ok is false, and target is empty unless the search was
// given up.
func common(takers, others []*language) (target string, ok bool) {
	all := slices.Concat(takers, others)
	s := search{all: all, takers: len(takers), alphabet: alphabet(all), seen: map[string]bool{}}
	first := place{states: make([]state, len(all))}
	for i, l := range all {
		first.states[i] = l.start()
	}
	s.queue = append(s.queue, s.after(first, -1, '/'))
	for at := 0; at < len(s.queue); at++ {
		p := &s.queue[at]
		switch {
		case s.dead(p):
			continue
		case s.isOutside(p):
			return s.text(at), true
		case len(s.queue) > mostStates:
			return "given up", false
		}
		for _, c := range s.alphabet {
			s.visit(s.after(s.queue[at], at, c))
		}
	}
	return "", false
}

// search is a walk through the product of automata, breadth first.
type search struct {
	// all are the languages of takers, so many, and then those of the others.
	all      []*language
	takers   int
	alphabet []byte
	queue    []place
	seen     map[string]bool
	key      []byte
}

// place is where the automata are after one text.
type place struct {
	states []state // one for each language
	parent int
	c      byte
}

func (s *search) after(p place, at int, c byte) place {
	next := place{states: make([]state, len(p.states)), parent: at, c: c}
	for i, l := range s.all {
		next.states[i] = l.step(p.states[i], c)
	}
	return next
}

// dead says whether one of the takers takes nothing behind a place.
func (s *search) dead(p *place) bool {
	return slices.ContainsFunc(p.states[:s.takers], state.dead)
}

// visit queues a place unless it has been seen, or nothing behind it can be
// outside of the others.
func (s *search) visit(p place) {
	s.key = s.key[:0]
	for i, st := range p.states {
		if i >= s.takers && st.all {
			return
		}
		s.key = st.key(s.key)
	}
	if s.dead(&p) || s.seen[string(s.key)] {
		return
	}
	s.seen[string(s.key)] = true
	s.queue = append(s.queue, p)
}

func (s *search) isOutside(p *place) bool {
	for i, l := range s.all {
		if l.accepts(p.states[i]) != (i < s.takers) {
			return false
		}
	}
	return true
}

// text returns the characters on the way to a place.
func (s *search) text(at int) string {
	var b []byte
	for ; at >= 0; at = s.queue[at].parent {
		b = append(b, s.queue[at].c)
	}
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

// pathCharacters are the characters of an encoded path, ordinary ones first. A
// percent sign comes only with two hexadecimal digits, which no template asks
// for unless it holds one itself.
const pathCharacters = "xabcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~!$&'()*+,;=:@/%"

// alphabet returns one character of every class that the automata tell apart.
func alphabet(all []*language) []byte {
	whole := false
	var classes, signatures [][]byte
	for i := range len(pathCharacters) {
		c := pathCharacters[i]
		var signature []byte
		for _, o := range all {
			whole = whole || o.whole
			for pc := range o.prog.Inst {
				signature = append(signature, matches(o, pc, c))
			}
		}
		if !containsBytes(signatures, signature) {
			signatures = append(signatures, signature)
			classes = append(classes, []byte{c})
		}
	}
	out := bytes.Join(classes, nil)
	if whole {
		out = append(out, '?')
	}
	return out
}

func containsBytes(list [][]byte, b []byte) bool {
	for _, o := range list {
		if bytes.Equal(o, b) {
			return true
		}
	}
	return false
}
