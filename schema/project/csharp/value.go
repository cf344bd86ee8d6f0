package csharp

import (
	"strconv"
	"strings"
)

// Env stands for the host's environment in a value.
const Env = "{env}"

// Text returns the value of an argument that is a string, with Env where the
// program puts the environment's name. It returns false for what is not known
// before the program runs.
func (p *Program) Text(c *Call, a Arg) (string, bool) {
	return p.value(c.Source, a.start, a.end, 0)
}

// Names returns the names of an argument that is a name or a chain of them,
// such as builder.Environment, last one first; nil for others.
func (c *Call) Names(a Arg) []string {
	var names []string
	for i := a.end - 1; i >= a.start; i-- {
		t := &c.Source.Tokens[i]
		switch {
		case t.Kind == Ident:
			names = append(names, t.Text)
		case !t.Is(".") && !t.Is("?.") && !t.Is("!"):
			return nil
		}
	}
	return names
}

// Mentions says whether a name stands anywhere in an argument.
func (c *Call) Mentions(a Arg, name string) bool {
	for i := a.start; i < a.end; i++ {
		if c.Source.is(i, name) {
			return true
		}
	}
	return false
}

// Literal says whether an argument is one string that is written out.
func (c *Call) Literal(a Arg) bool { return a.end == a.start+1 && c.Source.isKind(a.start, Text) }

// Holds says whether another call stands in an argument of this one.
func (c *Call) Holds(inner *Call) bool {
	return inner.Source == c.Source && inner.At > c.At && inner.At < c.end
}

// Option returns the value of an option that a lambda among the arguments sets:
// Folder in x.Name(o => o.Folder = "a"). set says whether it does.
func (p *Program) Option(c *Call, name string) (value string, known, set bool) {
	s := c.Source
	for i := c.At; i < c.end; i++ {
		if s.assigns(i, name) && s.is(i-1, ".") {
			end := i + 2
			for end < c.end && !s.is(end, ";") && !s.is(end, ",") && !s.is(end, "}") && !(s.is(end, ")") && s.match[end] < i) {
				end++
			}
			value, known = p.value(s, i+2, end, 0)
			return value, known, true
		}
	}
	return "", false, false
}

// Lambda says whether an argument is a lambda.
func (c *Call) Lambda(a Arg) bool {
	for i := a.start; i < a.end; i++ {
		if c.Source.is(i, "=>") && c.Source.outer[i] == c.Source.outer[a.start] {
			return true
		}
	}
	return false
}

// maxEvaluation bounds names that stand for names.
const maxEvaluation = 8

func (p *Program) value(s *Source, start, end, depth int) (string, bool) {
	if depth > maxEvaluation || start >= end {
		return "", false
	}
	if s.is(start, "(") && s.match[start] == end-1 {
		return p.value(s, start+1, end-1, depth+1)
	}
	if plus := s.atDepth(start, end, "+"); plus >= 0 {
		left, ok := p.value(s, start, plus, depth+1)
		right, also := p.value(s, plus+1, end, depth+1)
		return left + right, ok && also
	}
	if fallback := s.atDepth(start, end, "??"); fallback >= 0 {
		return p.value(s, start, fallback, depth+1)
	}
	if end == start+1 && s.Tokens[start].Kind == Text {
		return p.literal(s, &s.Tokens[start], depth)
	}
	return p.expression(s, start, s.trim(start, end), depth)
}

// literal returns the value of a string, with holes filled in.
func (p *Program) literal(s *Source, t *Token, depth int) (string, bool) {
	if t.Holes == nil {
		return t.Text, true
	}
	text := ""
	for _, part := range t.Holes {
		if part.Hole == nil {
			text += part.Text
			continue
		}
		inner := &Source{Tokens: part.Hole, home: s.file()}
		inner.pair()
		value, ok := p.inHole(inner, depth)
		if !ok {
			return "", false
		}
		text += value
	}
	return text, true
}

func (p *Program) inHole(s *Source, depth int) (string, bool) {
	if len(s.Tokens) == 1 && s.Tokens[0].Kind == Ident {
		return p.named(s, 0, depth)
	}
	return p.value(s, 0, len(s.Tokens), depth+1)
}

// atDepth returns the first of some punctuation outside of brackets; -1 if there
// is none.
func (s *Source) atDepth(start, end int, text string) int {
	for i := start; i < end; i++ {
		if s.is(i, text) {
			return i
		}
		if s.match[i] > i {
			i = s.match[i]
		}
	}
	return -1
}

// trim leaves out what does not change which file is meant: .ToLower() and the
// like, and "!".
func (s *Source) trim(start, end int) int {
	for {
		switch {
		case end-1 > start && s.is(end-1, "!"):
			end--
		case end-4 > start && s.is(end-1, ")") && s.is(end-2, "(") && isWord(" ToLower ToLowerInvariant ToString Trim ", s.Tokens[end-3].Text):
			end -= 4
		default:
			return end
		}
	}
}

// expression evaluates a name or a call.
func (p *Program) expression(s *Source, start, end, depth int) (string, bool) {
	last := end - 1
	if s.is(last, ")") && s.match[last] > start {
		return p.callValue(s, s.match[last]-1, depth)
	}
	for i := start; i < end; i++ {
		if s.Tokens[i].Kind != Ident && !s.is(i, ".") && !s.is(i, "?.") {
			return "", false
		}
	}
	return p.named(s, last, depth)
}

// callValue evaluates the call of the name at token i.
func (p *Program) callValue(s *Source, i, depth int) (string, bool) {
	c, ok := s.call(i)
	if !ok {
		return "", false
	}
	var texts []string
	for k, a := range c.Args {
		if k > 0 && c.Name == "Format" {
			break
		}
		if (c.Name == "Combine" || c.Name == "Join") && c.ContentRoot(a) {
			continue
		}
		text, ok := p.value(s, a.start, a.end, depth+1)
		if !ok {
			return "", false
		}
		texts = append(texts, text)
	}
	switch {
	case c.Name == "GetEnvironmentVariable" && len(texts) == 1:
		return Env, texts[0] == "ASPNETCORE_ENVIRONMENT" || texts[0] == "DOTNET_ENVIRONMENT"
	case (c.Name == "Combine" || c.Name == "Join") && s.is(i-2, "Path"):
		return strings.Join(texts, "/"), len(texts) > 0
	case c.Name == "Format" && len(texts) == 1:
		return p.format(&c, texts[0], depth)
	}
	return "", false
}

// ContentRoot says whether an argument is the folder of the application.
func (c *Call) ContentRoot(a Arg) bool {
	for _, name := range []string{"ContentRootPath", "GetCurrentDirectory", "BaseDirectory", "CurrentDirectory"} {
		if c.Mentions(a, name) {
			return true
		}
	}
	return false
}

func (p *Program) format(c *Call, pattern string, depth int) (string, bool) {
	for k, a := range c.Args[1:] {
		value, ok := p.value(c.Source, a.start, a.end, depth+1)
		if !ok {
			return "", false
		}
		pattern = strings.ReplaceAll(pattern, "{"+strconv.Itoa(k)+"}", value)
	}
	return pattern, true
}

// named evaluates the name at token i, with what stands before it.
func (p *Program) named(s *Source, i, depth int) (string, bool) {
	name := s.Tokens[i].Text
	if name == "EnvironmentName" {
		return Env, true
	}
	if s.is(i-1, ".") && i >= 2 {
		if value, ok := p.Known[s.Tokens[i-2].Text+"."+name]; ok {
			return value, true
		}
	}
	if depth > maxEvaluation {
		return "", false
	}
	return p.assigned(s.file(), name, depth)
}
