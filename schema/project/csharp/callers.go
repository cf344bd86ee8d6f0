package csharp

import "fmt"

// called says why it is not certain that a method runs. One that is static and
// extends nothing is called by its class or by its bare name; a word of the same
// name behind something else is another method.
func (p *Program) called(s *Source, m *Method, depth int) string {
	otherwise := fmt.Sprintf("in %s, which nothing here calls", m.Name)
	class := s.class(m.At)
	if !m.Static || class == "" || s.is(s.behindGenerics(m.At+1)+1, "this") {
		return p.used(s, m.Name, otherwise, depth)
	}
	for _, other := range p.With(m.Name) {
		for j := range other.Tokens {
			if !other.is(j, m.Name) || other.declaration(j) || (other.is(j-1, ".") || other.is(j-1, "?.")) && !other.names(j-2, class) {
				continue
			}
			why := p.doubt(other, j, depth+1)
			if why == "" {
				return ""
			}
			otherwise = why
		}
	}
	return otherwise
}

// names says whether a token is a class, or another name that the file gives it:
// using Name = Some.Class;
func (s *Source) names(i int, class string) bool {
	if s.is(i, class) {
		return true
	}
	for j := range s.Tokens {
		if !s.is(j, "using") || !s.is(j+2, "=") || !s.isKind(i, Ident) || !s.is(j+1, s.Tokens[i].Text) {
			continue
		}
		if end := s.statementEnd(j); s.is(end-2, class) {
			return true
		}
	}
	return false
}

// extension says why it is not certain that an extension method runs which has
// the name of a framework's method: something calls it without a lambda, which
// those take.
func (p *Program) extension(s *Source, m *Method, depth int) string {
	otherwise := fmt.Sprintf("in %s, which nothing here calls", m.Name)
	for _, call := range p.Calls(m.Name) {
		if len(call.Args) > 0 && call.Lambda(call.Args[0]) || call.Source == s && m.Start <= call.At && call.At < m.End {
			continue
		}
		why := p.doubt(call.Source, call.At, depth+1)
		if why == "" {
			return ""
		}
		otherwise = why
	}
	return otherwise
}

// local says why it is not certain that a function outside of all classes runs
// which has the name of a framework's method: its own file calls it by its bare
// name.
func (p *Program) local(s *Source, m *Method, depth int) string {
	otherwise := fmt.Sprintf("in %s, which nothing here calls", m.Name)
	for j := range s.Tokens {
		if !s.is(j, m.Name) || j == m.At || s.is(j-1, ".") || s.is(j-1, "?.") || m.Start <= j && j < m.End {
			continue
		}
		why := p.doubt(s, j, depth+1)
		if why == "" {
			return ""
		}
		otherwise = why
	}
	return otherwise
}

// used says whether a name is surely used somewhere else than where it is
// declared; otherwise returns why not.
func (p *Program) used(s *Source, name, otherwise string, depth int) string {
	if name == "" {
		return otherwise
	}
	for _, other := range p.With(name) {
		for j := range other.Tokens {
			if !other.is(j, name) || other.declaration(j) {
				continue
			}
			if why := p.doubt(other, j, depth+1); why != "" {
				otherwise = why
				continue
			}
			return ""
		}
	}
	return otherwise
}
