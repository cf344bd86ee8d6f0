package csharp

import (
	"slices"
)

// assigned returns the value that a name gets in its own file or, if it gets
// none there, as a constant of another one. Where it gets several they have to
// be equal.
func (p *Program) assigned(s *Source, name string, depth int) (value string, ok bool) {
	found := s.assignments(name)
	if len(found) > 0 {
		return p.agreed(s, found, depth)
	}
	var in *Source
	for _, other := range p.With(name) {
		constants := slices.DeleteFunc(other.assignments(name), func(i int) bool { return !other.constant(i) })
		if len(constants) > 0 && in != nil {
			return "", false
		}
		if len(constants) > 0 {
			in, found = other, constants
		}
	}
	if in == nil {
		return "", false
	}
	return p.agreed(in, found, depth)
}

func (p *Program) agreed(s *Source, at []int, depth int) (value string, ok bool) {
	for k, i := range at {
		end := s.statementEnd(i)
		if !s.is(end-1, ";") {
			return "", false
		}
		text, known := p.value(s, i, end-1, depth+1)
		if !known || k > 0 && text != value {
			return "", false
		}
		value = text
	}
	return value, true
}

// assignments returns the tokens behind the "=" of each assignment to a name.
func (s *Source) assignments(name string) []int {
	var found []int
	for i := range s.Tokens {
		if s.assigns(i, name) {
			found = append(found, i+2)
		}
	}
	return found
}

func (s *Source) assigns(i int, name string) bool {
	return s.is(i, name) && s.is(i+1, "=") && !s.is(i+2, "=") && !s.is(i+2, ">")
}

// Declared says whether a name is declared with a type: "Type name".
func (s *Source) Declared(kind, name string) bool {
	for i := range s.Tokens {
		if s.is(i, kind) && (s.is(i+1, name) || s.is(i+1, "?") && s.is(i+2, name)) {
			return true
		}
	}
	return false
}

// Assigned says whether a name gets a value in which another name stands.
func (s *Source) Assigned(name, within string) bool {
	for _, at := range s.assignments(name) {
		for i := at; i < s.statementEnd(at); i++ {
			if s.is(i, within) {
				return true
			}
		}
	}
	return false
}

// constant says whether the statement around token i declares a constant.
func (s *Source) constant(i int) bool {
	for j := s.begin(i); j < i; j++ {
		if s.is(j, "const") || s.is(j, "readonly") {
			return true
		}
	}
	return false
}
