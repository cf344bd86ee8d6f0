package csharp

import "strings"

// Source is one file with its structure.
type Source struct {
	// Name is how the file is shown.
	Name   string
	Tokens []Token
	// Methods are the methods and local functions that it declares.
	Methods []Method

	// outer and match are, for each token, the innermost open bracket around
	// it and the other bracket of its pair; -1 where there is none.
	outer, match []int
	// home is the file of a hole in a string; nil for a file.
	home *Source
}

// file returns the file that the tokens are part of.
func (s *Source) file() *Source {
	if s.home != nil {
		return s.home
	}
	return s
}

// Method is a declaration with a body. Start and End are the first token of the
// body and the one behind it.
type Method struct {
	Name       string
	At         int // the token of the name
	Start, End int
	// Static says that it belongs to its class rather than to an object.
	Static bool
	// Override says that a base class or a framework may call it.
	Override bool
	// Conditional says that the compiler may leave its calls out, by an
	// attribute of that name.
	Conditional bool
	// Constructor says that it carries the name of a type.
	Constructor bool
}

// Read returns a source with its structure.
func Read(name, text string) *Source {
	s := &Source{Name: name, Tokens: Lex(text)}
	s.pair()
	s.declare()
	return s
}

// pair finds the pairs of brackets. One that no other closes has no pair.
func (s *Source) pair() {
	s.outer, s.match = make([]int, len(s.Tokens)), make([]int, len(s.Tokens))
	var open []int
	for i := range s.Tokens {
		s.match[i], s.outer[i] = -1, -1
		if len(open) > 0 {
			s.outer[i] = open[len(open)-1]
		}
		t := &s.Tokens[i]
		if t.Kind != Punct {
			continue
		}
		switch t.Text {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			open = s.close(open, i)
		}
	}
}

// close closes the innermost bracket of the same form, and with it the ones
// within that were left open.
func (s *Source) close(open []int, i int) []int {
	form := map[string]string{")": "(", "]": "[", "}": "{"}[s.Tokens[i].Text]
	for j := len(open) - 1; j >= 0; j-- {
		if s.Tokens[open[j]].Text == form {
			s.match[open[j]], s.match[i] = i, open[j]
			s.outer[i] = s.outer[open[j]]
			return open[:j]
		}
		if form != "{" && s.Tokens[open[j]].Text == "{" {
			break // a stray bracket never closes a block
		}
	}
	return open
}

// is says whether a token is there and is that text.
func (s *Source) is(i int, text string) bool {
	return i >= 0 && i < len(s.Tokens) && s.Tokens[i].Is(text)
}

func (s *Source) isKind(i int, kind Kind) bool {
	return i >= 0 && i < len(s.Tokens) && s.Tokens[i].Kind == kind
}

// notTypes are words that stand before a call, not before a declaration.
const notTypes = " new return await throw else in is as case when and or not yield ref out using typeof nameof default sizeof var do goto lock if while for foreach switch catch fixed checked unchecked from select where let join on equals by orderby "

func isWord(words, text string) bool { return strings.Contains(words, " "+text+" ") }

// declare finds the methods: a type, a name, parameters, and a body.
func (s *Source) declare() {
	types := map[string]bool{}
	for i := range s.Tokens {
		if (s.is(i, "class") || s.is(i, "struct") || s.is(i, "record")) && s.isKind(i+1, Ident) {
			types[s.Tokens[i+1].Text] = true
		}
		if s.Tokens[i].Kind == Ident && !isWord(notTypes, s.Tokens[i].Text) {
			if m, ok := s.method(i, types); ok {
				s.Methods = append(s.Methods, m)
			}
		}
	}
}

// method reads the declaration whose name is token i.
func (s *Source) method(i int, types map[string]bool) (Method, bool) {
	m := Method{Name: s.Tokens[i].Text, At: i}
	open := s.behindGenerics(i + 1)
	if !s.is(open, "(") || s.match[open] < 0 || !s.typeBefore(i, types[m.Name], &m) {
		return m, false
	}
	body := s.match[open] + 1
	for body < len(s.Tokens) && !s.is(body, "{") && !s.is(body, "=>") && !s.is(body, ";") && !s.is(body, ")") && !s.is(body, ",") {
		if s.is(body, "(") && s.match[body] > body { // : base(…), where T : new()
			body = s.match[body]
		}
		body++
	}
	switch {
	case s.is(body, "{"):
		m.Start, m.End = body, s.match[body]
		if m.End < 0 {
			m.End = len(s.Tokens)
		}
		return m, true
	case s.is(body, "=>"):
		m.Start, m.End = body, s.statementEnd(body)
		return m, true
	}
	return m, false
}

// typeBefore says whether what stands before a name is a type, or the name is
// that of a constructor.
func (s *Source) typeBefore(i int, isType bool, m *Method) bool {
	if i == 0 {
		return false
	}
	for j := i - 1; j >= 0 && !s.is(j, ";") && !s.is(j, "{") && !s.is(j, "}"); j-- {
		m.Override = m.Override || s.is(j, "override")
		m.Static = m.Static || s.is(j, "static")
		m.Conditional = m.Conditional || s.is(j, "Conditional") && (s.is(j-1, "[") || s.is(j-1, ".") || s.is(j-1, ","))
	}
	before := &s.Tokens[i-1]
	switch {
	case before.Kind == Ident && isWord(" public private protected internal static ", before.Text):
		m.Constructor = isType
		return isType
	case before.Kind == Ident:
		return !isWord(notTypes, before.Text) && !isWord(" class struct record interface enum ", before.Text)
	}
	return before.Is(">") || before.Is("]") || before.Is("?") && s.isKind(i-2, Ident)
}

// behindGenerics returns the token behind <…>, or i where there are none.
func (s *Source) behindGenerics(i int) int {
	if !s.is(i, "<") {
		return i
	}
	depth := 0
	for j := i; j < len(s.Tokens) && j < i+200; j++ {
		t := &s.Tokens[j]
		switch {
		case t.Is("<"):
			depth++
		case t.Is(">"):
			if depth--; depth == 0 {
				return j + 1
			}
		case t.Kind == Ident, t.Is(","), t.Is("."), t.Is("?"), t.Is("["), t.Is("]"), t.Is("::"), t.Is("("), t.Is(")"):
		default:
			return i
		}
	}
	return i
}

// statementEnd returns the token behind the ";" that ends what begins at i.
func (s *Source) statementEnd(i int) int {
	for j := i; j < len(s.Tokens); j++ {
		t := &s.Tokens[j]
		switch {
		case t.Is(";"):
			return j + 1
		case (t.Is("(") || t.Is("[") || t.Is("{")) && s.match[j] > j:
			j = s.match[j]
		case t.Is("}") || t.Is(")"):
			return j
		}
	}
	return len(s.Tokens)
}

// Enclosing returns the innermost method around a token; nil if there is none,
// as at the top level of a program.
func (s *Source) Enclosing(i int) *Method {
	var found *Method
	for k := range s.Methods {
		m := &s.Methods[k]
		if m.Start <= i && i < m.End && (found == nil || m.Start >= found.Start) {
			found = m
		}
	}
	return found
}
