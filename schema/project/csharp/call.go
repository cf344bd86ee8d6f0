package csharp

// Call is a call of a method: x.Name<…>(…).
type Call struct {
	Source *Source
	// At is the token of the name.
	At   int
	Name string
	// Generic says that type arguments are written.
	Generic bool
	Args    []Arg

	end int // the token behind the closing bracket
}

// Arg is one argument.
type Arg struct {
	// Name is the parameter if it is written, as in optional: true.
	Name       string
	start, end int
}

// Line returns the line of the name.
func (c *Call) Line() int { return c.Source.Tokens[c.At].Line }

// Calls returns the calls on something (x.Name) of the names for which want
// returns true, in the order of the text.
func (s *Source) Calls(want func(name string) bool) []Call {
	var found []Call
	for i := range s.Tokens {
		if s.Tokens[i].Kind == Ident && (s.is(i-1, ".") || s.is(i-1, "?.")) && want(s.Tokens[i].Text) {
			if c, ok := s.call(i); ok {
				found = append(found, c)
			}
		}
	}
	return found
}

func (s *Source) call(i int) (Call, bool) {
	open := s.behindGenerics(i + 1)
	if !s.is(open, "(") || s.match[open] < 0 {
		return Call{}, false
	}
	c := Call{Source: s, At: i, Name: s.Tokens[i].Text, Generic: open > i+1, end: s.match[open] + 1}
	c.Args = s.args(open, s.match[open])
	return c, true
}

// args splits what stands between two brackets at its commas.
func (s *Source) args(open, end int) []Arg {
	var all []Arg
	start := open + 1
	for j := start; j <= end; j++ {
		if j == end || s.is(j, ",") && s.outer[j] == open {
			if j > start {
				all = append(all, s.arg(start, j))
			}
			start = j + 1
			continue
		}
		if s.is(j, "<") {
			if next := s.behindGenerics(j); next > j && next <= end && s.is(next, "(") {
				j = next - 1
			}
		}
	}
	return all
}

func (s *Source) arg(start, end int) Arg {
	if s.isKind(start, Ident) && s.is(start+1, ":") {
		return Arg{Name: s.Tokens[start].Text, start: start + 2, end: end}
	}
	return Arg{start: start, end: end}
}

// Next returns the call on the result of this one: b in x.a().b(); nil if there
// is none.
func (c *Call) Next() *Call {
	s := c.Source
	dot := c.end
	if s.is(dot, "!") {
		dot++
	}
	if !s.is(dot, ".") && !s.is(dot, "?.") || !s.isKind(dot+1, Ident) {
		return nil
	}
	if next, ok := s.call(dot + 1); ok {
		return &next
	}
	return nil
}

// Receiver returns the names before the call, outermost last: for
// a.B.C(x).D() it is D's {"C", "B", "a"}.
func (c *Call) Receiver() []string {
	s := c.Source
	var names []string
	for i := c.At - 2; i >= 0; {
		if s.is(i, "!") {
			i--
		}
		if s.is(i, ")") || s.is(i, "]") {
			if i = s.match[i] - 1; i < 0 {
				break
			}
			if s.is(i, ">") {
				i = s.beforeGenerics(i)
			}
		}
		if !s.isKind(i, Ident) {
			break
		}
		names = append(names, s.Tokens[i].Text)
		if !s.is(i-1, ".") && !s.is(i-1, "?.") {
			break
		}
		i -= 2
	}
	return names
}

// beforeGenerics returns the token before the "<" that belongs to a ">".
func (s *Source) beforeGenerics(i int) int {
	depth := 0
	for j := i; j >= 0 && j > i-200; j-- {
		switch {
		case s.is(j, ">"):
			depth++
		case s.is(j, "<"):
			if depth--; depth == 0 {
				return j - 1
			}
		}
	}
	return -1
}

// Begin returns the first token of the statement in which the call stands, at
// the call's own depth of brackets.
func (c *Call) Begin() int { return c.Source.begin(c.At) }

func (s *Source) begin(i int) int {
	for i > 0 {
		j := i - 1
		switch t := &s.Tokens[j]; {
		case t.Is(";") || t.Is("{") || t.Is("(") || t.Is("[") || t.Is("}") && !s.initializer(j):
			return i
		case s.match[j] >= 0 && s.match[j] < j:
			i = s.match[j]
		default:
			i = j
		}
	}
	return 0
}

// initializer says whether a "}" closes something within a statement, such as a
// lambda or an object initializer, rather than a statement of its own.
func (s *Source) initializer(i int) bool {
	return s.is(i+1, ".") || s.is(i+1, "?.") || s.is(i+1, ")") || s.is(i+1, ",") || s.is(i+1, ";")
}

// Discarded says whether nothing is done with the result: the call is the last
// of a statement, or of a lambda that is handed to ConfigureServices.
func (c *Call) Discarded() bool {
	s, begin := c.Source, c.Begin()
	for i := begin; i < c.At; i++ {
		if s.outer[i] == s.outer[begin] && (s.is(i, "=") || s.is(i, "return")) {
			return false
		}
	}
	if s.is(c.end, ";") {
		return !s.is(begin-1, "=>") && !s.is(begin-1, "(")
	}
	return s.is(c.end, ")") && s.is(begin-1, "(") && s.is(begin-2, "ConfigureServices")
}
