package csharp

import (
	"fmt"
	"strings"
)

// Program is the sources of one application. The zero value has none. A file is
// read when something in it is asked for.
type Program struct {
	// Known are values of constants from outside, by their last two names:
	// "JwtBearerDefaults.AuthenticationScheme".
	Known map[string]string

	names, texts []string
	maybe        map[string]string
	read         map[int]*Source
}

// Add adds a file.
func (p *Program) Add(name, text string) {
	p.names, p.texts = append(p.names, name), append(p.texts, text)
}

// AddMaybe adds a file that is not surely compiled; why says on what it depends.
func (p *Program) AddMaybe(name, text, why string) {
	if p.maybe == nil {
		p.maybe = map[string]string{}
	}
	p.maybe[name] = why
	p.Add(name, text)
}

// Len returns how many files there are.
func (p *Program) Len() int { return len(p.names) }

// With returns the files that hold one of the words, in the order in which they
// were added.
func (p *Program) With(words ...string) []*Source {
	var found []*Source
	for i, text := range p.texts {
		for _, word := range words {
			if strings.Contains(text, word) {
				found = append(found, p.source(i))
				break
			}
		}
	}
	return found
}

func (p *Program) source(i int) *Source {
	if p.read == nil {
		p.read = map[int]*Source{}
	}
	if p.read[i] == nil {
		p.read[i] = Read(p.names[i], p.texts[i])
	}
	return p.read[i]
}

// Calls returns the calls of the given names in all files.
func (p *Program) Calls(names ...string) []Call {
	want := map[string]bool{}
	for _, name := range names {
		want[name] = true
	}
	var found []Call
	for _, s := range p.With(names...) {
		found = append(found, s.Calls(func(name string) bool { return want[name] })...)
	}
	return found
}

// Declares says whether a file declares a method of that name.
func (p *Program) Declares(name string) bool {
	for _, s := range p.With(name) {
		for k := range s.Methods {
			if s.Methods[k].Name == name {
				return true
			}
		}
	}
	return false
}

// maxDepth bounds how far callers are followed.
const maxDepth = 4

// Doubt says why it is not certain that a call runs when the application
// starts; "" where it is.
func (p *Program) Doubt(c *Call) string { return p.doubt(c.Source, c.At, 0) }

func (p *Program) doubt(s *Source, i, depth int) string {
	if why := p.maybe[s.Name]; why != "" {
		return why
	}
	if why := s.Conditional(i); why != "" {
		return why
	}
	m := s.Enclosing(i)
	switch {
	case m == nil || m.Override || m.Name == "Main":
		return ""
	case depth >= maxDepth:
		return "behind many calls"
	case m.Conditional:
		return fmt.Sprintf("in %s, of which an attribute Conditional leaves the calls out in some builds", m.Name)
	case isWord(" ConfigureServices Configure ConfigureContainer ", m.Name):
		switch {
		case s.class(m.At) == "":
			return p.local(s, m, depth)
		case s.is(s.behindGenerics(m.At+1)+1, "this"):
			return p.extension(s, m, depth)
		}
		return p.used(s, s.class(m.At), "in class "+s.class(m.At)+", which nothing here uses", depth)
	}
	return p.called(s, m, depth)
}

// declaration says whether a name stands where it is declared.
func (s *Source) declaration(i int) bool {
	if i > 0 && s.Tokens[i-1].Kind == Ident && isWord(" class struct record interface enum namespace ", s.Tokens[i-1].Text) {
		return true
	}
	for k := range s.Methods {
		if s.Methods[k].At == i {
			return true
		}
	}
	return false
}

// class returns the name of the innermost class around a token.
func (s *Source) class(i int) string {
	for at := s.outer[i]; at >= 0; at = s.outer[at] {
		if !s.is(at, "{") {
			continue
		}
		for j := at - 1; j > 0 && !s.is(j, ";") && !s.is(j, "{") && !s.is(j, "}"); j-- {
			if (s.is(j-1, "class") || s.is(j-1, "record") || s.is(j-1, "struct")) && s.isKind(j, Ident) {
				return s.Tokens[j].Text
			}
		}
	}
	return ""
}
