package msbuild

import (
	"regexp"
	"strings"
)

// verdict is whether a condition holds.
type verdict uint8

const (
	unknown verdict = iota
	holds
	fails
)

func (v verdict) not() verdict {
	switch v {
	case holds:
		return fails
	case fails:
		return holds
	}
	return unknown
}

func truth(b bool) verdict {
	if b {
		return holds
	}
	return fails
}

// judge decides a condition as far as the files do: comparisons of properties
// that they set, and whether a file of the project exists.
func (e *evaluation) judge(condition string) verdict {
	if strings.TrimSpace(condition) == "" {
		return holds
	}
	r := conditionReader{e: e, rest: condition}
	v := r.alternatives()
	if r.peek() != "" || r.failed {
		return unknown
	}
	return v
}

// conditionReader reads a condition: "and" binds closer than "or".
type conditionReader struct {
	e    *evaluation
	rest string
	// failed says that the rest is not understood.
	failed bool
	depth  int
}

// maxNesting bounds brackets within brackets.
const maxNesting = 32

func (r *conditionReader) alternatives() verdict {
	v := r.conjunction()
	for r.word("or") {
		v = both(v.not(), r.conjunction().not()).not()
	}
	return v
}

func (r *conditionReader) conjunction() verdict {
	v := r.single()
	for r.word("and") {
		v = both(v, r.single())
	}
	return v
}

func both(left, right verdict) verdict {
	switch {
	case left == fails || right == fails:
		return fails
	case left == holds && right == holds:
		return holds
	}
	return unknown
}

// single reads what stands between "and" and "or".
func (r *conditionReader) single() verdict {
	if r.depth++; r.depth > maxNesting {
		r.failed = true
		return unknown
	}
	defer func() { r.depth-- }()
	switch {
	case r.mark("!"):
		return r.single().not()
	case r.mark("("):
		v := r.alternatives()
		r.failed = !r.mark(")") || r.failed
		return v
	}
	left := r.operand()
	if left == "Exists" && r.mark("(") {
		name := r.operand()
		r.failed = !r.mark(")") || r.failed
		return r.e.exists(name)
	}
	for _, sign := range []string{"==", "!=", "<=", ">=", "<", ">"} {
		if r.mark(sign) {
			return r.e.compare(left, sign, r.operand())
		}
	}
	value, known := r.e.expand(left)
	switch {
	case known && strings.EqualFold(value, "true"):
		return holds
	case known && strings.EqualFold(value, "false"):
		return fails
	}
	return unknown
}

// peek returns what is left, without the blanks in front.
func (r *conditionReader) peek() string {
	r.rest = strings.TrimLeft(r.rest, " \t\r\n")
	return r.rest
}

// mark takes a sign if it comes next.
func (r *conditionReader) mark(sign string) bool {
	rest, ok := strings.CutPrefix(r.peek(), sign)
	if ok {
		r.rest = rest
	}
	return ok
}

// word takes "and" or "or" if it comes next.
func (r *conditionReader) word(word string) bool {
	rest := r.peek()
	if len(rest) <= len(word) || !strings.EqualFold(rest[:len(word)], word) || !strings.ContainsAny(rest[len(word):len(word)+1], " \t\r\n('!$") {
		return false
	}
	r.rest = rest[len(word):]
	return true
}

// operand takes a text in quotes, a use of a property or a bare word.
func (r *conditionReader) operand() string {
	rest := r.peek()
	if text, quoted := strings.CutPrefix(rest, "'"); quoted {
		end := upTo(text, "'")
		if end == len(text) {
			r.failed, r.rest = true, ""
			return ""
		}
		r.rest = text[end+1:]
		return text[:end]
	}
	end := upTo(rest, " \t\r\n()'=!<>")
	if end == 0 {
		r.failed = true
	}
	r.rest = rest[end:]
	return rest[:end]
}

// upTo returns where one of some characters comes first, outside of $(…).
func upTo(text, stops string) int {
	for i := 0; i < len(text); i++ {
		if use := text[i:]; strings.HasPrefix(use, "$(") || strings.HasPrefix(use, "@(") || strings.HasPrefix(use, "%(") {
			i += behind(use) - 1
			continue
		}
		if strings.IndexByte(stops, text[i]) >= 0 {
			return i
		}
	}
	return len(text)
}

// behind returns the length of a $(…), brackets within it included.
func behind(use string) int {
	open := 0
	for i := range len(use) {
		switch use[i] {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return i + 1
			}
		}
	}
	return len(use)
}

var onlyProperty = regexp.MustCompile(`^\$\(([A-Za-z_][\w.-]*)\)$`)

func (e *evaluation) compare(left, sign, right string) verdict {
	if sign != "==" && sign != "!=" {
		return unknown
	}
	v := e.equal(left, right)
	if sign == "!=" {
		// What a file outside or the command line sets is set to something
		// for a reason: only a value in the files says that it is not.
		if m := onlyProperty.FindStringSubmatch(left); m != nil && right == "" && !e.has(m[1]) {
			return unknown
		}
		return v.not()
	}
	return v
}

func (e *evaluation) equal(left, right string) verdict {
	// 'X' == '' in front of a default: what no file sets counts as empty.
	if m := onlyProperty.FindStringSubmatch(left); m != nil && right == "" && !e.has(m[1]) {
		if environmental(m[1]) {
			return unknown
		}
		return holds
	}
	a, ok := e.expand(left)
	b, also := e.expand(right)
	if !ok || !also {
		return unknown
	}
	return truth(strings.EqualFold(a, b))
}

func (e *evaluation) has(name string) bool {
	_, set := e.props[strings.ToLower(name)]
	return set
}

// environmental says whether a property usually comes from the build itself or
// its command line.
func environmental(name string) bool {
	switch strings.ToLower(name) {
	case "configuration", "platform", "targetframework", "targetframeworks", "targetframeworkidentifier", "targetframeworkversion", "runtimeidentifier", "os", "ci",
		"tf_build", "github_actions", "gitlab_ci", "buildnumber", "build_number", "continuousintegrationbuild", "visualstudioversion", "designtimebuild",
		"buildinginsidevisualstudio", "outputtype", "assemblyname", "rootnamespace", "langversion", "publishdir":
		return true
	}
	lower := strings.ToLower(name)
	for _, prefix := range []string{"msbuild", "solution", "netcore", "nuget", "using", "_"} {
		if strings.HasPrefix(lower, prefix) {
			return true
		}
	}
	return false
}

func (e *evaluation) exists(written string) verdict {
	name, ok := e.path(written)
	if !ok {
		return unknown
	}
	return truth(e.files.exists(name))
}
