package csharp

import "fmt"

// Conditional says why a call may not run although its method does: an #if, an
// if, a switch, a ternary, an earlier return. It returns "" where nothing of
// the kind stands around it.
func (s *Source) Conditional(i int) string {
	if m := s.Tokens[i].Maybe; m != "" {
		return "inside " + m
	}
	if line := s.earlierReturn(i); line > 0 {
		return fmt.Sprintf("behind a return in line %d", line)
	}
	for at := i; at >= 0; at = s.outer[at] {
		if word, line := s.around(at); word != "" {
			return fmt.Sprintf("under the %s of line %d", word, line)
		}
		if line := s.kept(at); line > 0 {
			return fmt.Sprintf("in a lambda that line %d only keeps", line)
		}
		if m := s.bodyOf(at); m {
			return ""
		}
	}
	return ""
}

// around returns the condition that is written directly around token i: before
// it in its statement, or at the head of its block.
func (s *Source) around(i int) (word string, line int) {
	begin := s.begin(i)
	for j := begin; j < i; j++ {
		t := &s.Tokens[j]
		if t.Kind == Ident && isWord(" if else switch case while for foreach catch when ", t.Text) || t.Is("&&") || t.Is("||") || t.Is("??") {
			return t.Text, t.Line
		}
		if t.Is("?") && s.ternary(j) {
			return "?:", t.Line
		}
	}
	if !s.is(i, "{") {
		return "", 0
	}
	switch head := i - 1; {
	case s.is(head, "else"):
		return "else", s.Tokens[head].Line
	case s.is(head, ")") && s.match[head] > 0:
		at := s.match[head] - 1
		if t := &s.Tokens[at]; t.Kind == Ident && isWord(" if switch while for foreach catch when ", t.Text) {
			return t.Text, t.Line
		}
	}
	return "", 0
}

// kept returns the line of a lambda around token i, in its own statement, that
// is assigned or returned rather than handed to a call; 0 if there is none.
func (s *Source) kept(i int) int {
	for j := i - 1; j >= s.begin(i); j-- {
		if s.is(j, "=>") || s.is(j, "delegate") {
			before := j - 1
			if s.is(j, "=>") && s.match[before] >= 0 {
				before = s.match[before]
			}
			if s.is(j, "=>") {
				before--
			}
			for s.is(before, "async") || s.is(before, "static") {
				before--
			}
			if s.is(before, "=") || s.is(before, "return") {
				return s.Tokens[j].Line
			}
		}
	}
	return 0
}

// ternary says whether a "?" is one rather than the mark of a nullable type.
func (s *Source) ternary(i int) bool {
	for j := i + 1; j < len(s.Tokens) && !s.is(j, ";"); j++ {
		if s.is(j, ":") && s.outer[j] == s.outer[i] {
			return true
		}
		if s.match[j] > j {
			j = s.match[j]
		}
	}
	return false
}

// bodyOf says whether token i opens the body of a method: what is around it
// does not decide whether the body runs.
func (s *Source) bodyOf(i int) bool {
	if !s.is(i, "{") {
		return false
	}
	for k := range s.Methods {
		if s.Methods[k].Start == i {
			return true
		}
	}
	return false
}

// earlierReturn returns the line of a return that may end the method before
// token i; 0 if there is none. One inside a lambda ends only that.
func (s *Source) earlierReturn(i int) int {
	start := 0
	if m := s.Enclosing(i); m != nil {
		start = m.Start
	}
	for j := start; j < i; j++ {
		if s.is(j, "return") && s.begin(i) > j && !s.inLambda(j, i) {
			return s.Tokens[j].Line
		}
	}
	return 0
}

// inLambda says whether token j stands in a lambda, a method or a type that
// does not hold token i.
func (s *Source) inLambda(j, i int) bool {
	for at := s.outer[j]; at >= 0; at = s.outer[at] {
		if s.match[at] < 0 || s.match[at] > i {
			return false
		}
		if s.is(at, "{") && (s.is(at-1, "=>") || s.bodyOf(at) || s.is(at-1, "get") || s.is(at-1, "set") || s.delegate(at)) {
			return true
		}
	}
	return false
}

func (s *Source) delegate(i int) bool {
	if s.is(i-1, "delegate") {
		return true
	}
	return s.is(i-1, ")") && s.match[i-1] > 0 && s.is(s.match[i-1]-1, "delegate")
}
