package reach

import (
	"encoding/binary"
	"math"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/template"
)

// language is the set of targets that a template takes, as a nondeterministic
// automaton over path and query.
type language struct {
	prog *syntax.Prog
	// whole templates are compared with path and query, others with the path.
	whole bool
}

// newLanguage returns nil for a template that does not start, or whose regular
// expression needs more than an automaton.
func newLanguage(text string, caseSensitive bool) *language {
	pattern, err := template.Pattern(text, template.Options{CaseSensitive: caseSensitive})
	if err != nil {
		return nil
	}
	tree, err := syntax.Parse("(?s)"+pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil
	}
	return &language{prog: prog, whole: strings.Contains(text, "?")}
}

// state is where an automaton is: the instructions before the next character
// in ascending order.
type state struct {
	at []uint32
	// started is false only before the first character.
	started bool
	// all says that everything that may come is taken.
	all bool
}

func (l *language) start() state { return state{at: []uint32{uint32(l.prog.Start)}} }

func (s state) dead() bool { return !s.all && len(s.at) == 0 }

// key appends what is equal for equal states of one automaton only, and begins no
// other key.
func (s state) key(to []byte) []byte {
	const all, end = math.MaxUint32, math.MaxUint32 - 1 // more than a program has
	if s.all {
		return binary.BigEndian.AppendUint32(to, all)
	}
	if s.started {
		to = append(to, 1)
	}
	for _, pc := range s.at {
		to = binary.BigEndian.AppendUint32(to, pc)
	}
	return binary.BigEndian.AppendUint32(to, end)
}

// step returns the state behind a character. A template without a query is
// decided at the first question mark.
func (l *language) step(s state, c byte) state {
	switch {
	case s.all:
		return s
	case c == '?' && !l.whole:
		return state{started: true, all: l.accepts(s)}
	}
	next := state{started: true}
	for pc := range l.closure(s, 0) {
		if in := &l.prog.Inst[pc]; in.Op != syntax.InstMatch && in.MatchRune(rune(c)) && !slices.Contains(next.at, in.Out) {
			next.at = append(next.at, in.Out)
		}
	}
	slices.Sort(next.at)
	return next
}

// accepts says whether the text may end in a state.
func (l *language) accepts(s state) bool {
	if s.all {
		return true
	}
	for pc := range l.closure(s, syntax.EmptyEndText) {
		if l.prog.Inst[pc].Op == syntax.InstMatch {
			return true
		}
	}
	return false
}

// closure yields the instructions that wait for a character or match, reachable
// from a state under the given conditions.
func (l *language) closure(s state, flags syntax.EmptyOp) func(yield func(pc uint32) bool) {
	if !s.started {
		flags |= syntax.EmptyBeginText
	}
	return func(yield func(uint32) bool) {
		seen := make([]bool, len(l.prog.Inst))
		stack := slices.Clone(s.at)
		for len(stack) > 0 {
			pc := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[pc] {
				continue
			}
			seen[pc] = true
			in := &l.prog.Inst[pc]
			switch in.Op {
			case syntax.InstAlt, syntax.InstAltMatch:
				stack = append(stack, in.Out, in.Arg)
			case syntax.InstCapture, syntax.InstNop:
				stack = append(stack, in.Out)
			case syntax.InstEmptyWidth:
				if syntax.EmptyOp(in.Arg)&^flags == 0 {
					stack = append(stack, in.Out)
				}
			case syntax.InstFail:
			default:
				if !yield(pc) {
					return
				}
			}
		}
	}
}

// fits says whether a target is part of the language.
func (l *language) fits(target string) bool {
	s := l.start()
	for i := range len(target) {
		if s = l.step(s, target[i]); s.dead() {
			return false
		}
	}
	return l.accepts(s)
}

// matches returns 1 if an instruction takes a character.
func matches(l *language, pc int, c byte) byte {
	switch in := &l.prog.Inst[pc]; in.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		if in.MatchRune(rune(c)) {
			return 1
		}
	}
	return 0
}
