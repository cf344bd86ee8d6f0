package plan

import (
	"fmt"
	"strings"
)

// Problem is one reason to refuse a plan.
type Problem struct {
	// Path is the place in the plan: "routes[3].breaker.kind"; empty is the
	// plan as a whole.
	Path string
	// Reason says what is there and what was expected.
	Reason string
}

// String returns "PATH: REASON".
func (p Problem) String() string {
	if p.Path == "" {
		return p.Reason
	}
	return p.Path + ": " + p.Reason
}

// InvalidError refuses a plan. It holds the problems that were found, in the
// order of the plan.
type InvalidError struct {
	Problems []Problem
}

// shownProblems is how many problems the text of an InvalidError spells out.
const shownProblems = 20

// Error returns the problems, one a line; of very many, the first ones.
func (e *InvalidError) Error() string {
	if len(e.Problems) == 1 {
		return "invalid plan: " + e.Problems[0].String()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "invalid plan, %d problems:", len(e.Problems))
	for _, p := range e.Problems[:min(shownProblems, len(e.Problems))] {
		b.WriteString("\n  " + p.String())
	}
	if more := len(e.Problems) - shownProblems; more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	return b.String()
}

// maxProblems bounds the list: a hostile file of a million defects needs no
// million explanations.
const maxProblems = 1000

func addProblem(list []Problem, at *place, format string, args ...any) []Problem {
	if len(list) >= maxProblems {
		return list
	}
	return append(list, Problem{Path: at.String(), Reason: fmt.Sprintf(format, args...)})
}

// place is a position in a plan. The path is put together only when something
// is wrong there.
type place struct {
	up    *place
	name  string // a member's name; empty for an element
	index int    // of an element
}

func (at *place) member(name string) *place { return &place{up: at, name: name} }
func (at *place) element(i int) *place      { return &place{up: at, index: i} }

func (at *place) String() string {
	switch {
	case at == nil:
		return ""
	case at.name == "":
		return fmt.Sprintf("%s[%d]", at.up, at.index)
	case at.up == nil:
		return at.name
	default:
		return at.up.String() + "." + at.name
	}
}
