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

var (
	comparison = regexp.MustCompile(`^'([^']*)'\s*(==|!=)\s*'([^']*)'$`)
	bare       = regexp.MustCompile(`^'?(\$\([A-Za-z_][\w.-]*\))'?\s*(==|!=)\s*'?(\w*)'?$`)
	exists     = regexp.MustCompile(`^(!?)\s*Exists\s*\(\s*'([^']*)'\s*\)$`)
	emptiness  = regexp.MustCompile(`^'\$\(([A-Za-z_][\w.-]*)\)'\s*==\s*''$`)
)

// judge decides a condition as far as the files do: comparisons of properties
// that they set, and whether a file of the project exists.
func (e *evaluation) judge(condition string) verdict {
	condition = strings.TrimSpace(condition)
	if condition == "" {
		return holds
	}
	lower := strings.ToLower(condition)
	for _, word := range []string{" and ", " or "} {
		if at := strings.Index(lower, word); at >= 0 && !strings.ContainsAny(condition, "()!") || at >= 0 && balanced(condition[:at]) {
			left, right := e.judge(condition[:at]), e.judge(condition[at+len(word):])
			return combine(word, left, right)
		}
	}
	if m := exists.FindStringSubmatch(condition); m != nil {
		v := e.exists(m[2])
		if m[1] == "!" {
			v = v.not()
		}
		return v
	}
	// 'X' == '' in front of a default: what no file sets counts as empty.
	if m := emptiness.FindStringSubmatch(condition); m != nil {
		p, set := e.props[strings.ToLower(m[1])]
		switch {
		case !set && !environmental(m[1]):
			return holds
		case set && p.known:
			return truth(p.value == "")
		}
		return unknown
	}
	m := comparison.FindStringSubmatch(condition)
	if m == nil {
		m = bare.FindStringSubmatch(condition)
	}
	if m == nil {
		return unknown
	}
	left, ok := e.expand(m[1])
	right, also := e.expand(m[3])
	if !ok || !also {
		return unknown
	}
	v := truth(strings.EqualFold(left, right))
	if m[2] == "!=" {
		v = v.not()
	}
	return v
}

func balanced(text string) bool {
	return strings.Count(text, "(") == strings.Count(text, ")") && strings.Count(text, "'")%2 == 0
}

func combine(word string, left, right verdict) verdict {
	if word == " and " {
		switch {
		case left == fails || right == fails:
			return fails
		case left == holds && right == holds:
			return holds
		}
		return unknown
	}
	return combine(" and ", left.not(), right.not()).not()
}

// environmental says whether a property usually comes from the build itself or
// its command line.
func environmental(name string) bool {
	switch strings.ToLower(name) {
	case "configuration", "platform", "targetframework", "runtimeidentifier", "os", "ci", "tf_build", "github_actions":
		return true
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
