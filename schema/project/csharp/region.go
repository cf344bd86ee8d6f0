package csharp

import "strings"

// verdict is whether a condition of #if holds.
type verdict uint8

const (
	unknown verdict = iota
	holds
	fails
)

// region is an open #if with its #elif and #else.
type region struct {
	// now says whether the branch that is read is compiled; condition is its
	// own condition, text the same for people.
	now, condition verdict
	text           string
	// past is holds if an earlier branch surely holds, unknown if one may.
	past verdict
}

// directive reads one line that begins with #, and skips the branches that
// surely fail.
func (l *lexer) directive() {
	word, rest := l.directiveLine()
	switch word {
	case "define":
		if l.defined == nil {
			l.defined = map[string]bool{}
		}
		if l.maybe() == "" {
			l.defined[rest] = true
		}
	case "undef":
		delete(l.defined, rest)
	case "if":
		v := l.judge(rest)
		l.regions = append(l.regions, region{now: v, condition: v, text: "#if " + rest, past: fails})
		l.skipFailing()
	case "elif", "else", "endif":
		l.branch(word, rest)
	}
}

// directiveLine takes a line and splits it into the directive and the rest
// without a comment.
func (l *lexer) directiveLine() (word, rest string) {
	start := l.at
	l.skipLine()
	line, _, _ := strings.Cut(l.src[start:l.at], "//")
	line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "#"))
	end := strings.IndexFunc(line, func(r rune) bool { return r < 'a' || r > 'z' })
	if end < 0 {
		return line, ""
	}
	return line[:end], strings.TrimSpace(line[end:])
}

// branch goes on to the next branch of the innermost region, or closes it.
func (l *lexer) branch(word, rest string) {
	if len(l.regions) == 0 {
		return
	}
	r := &l.regions[len(l.regions)-1]
	if word == "endif" {
		l.regions = l.regions[:len(l.regions)-1]
		return
	}
	switch {
	case r.condition == holds || r.past == holds:
		r.past = holds
	case r.condition == unknown:
		r.past = unknown
	}
	r.condition, r.text = holds, "#else of "+strings.TrimPrefix(r.text, "#else of ")
	if word == "elif" {
		r.condition, r.text = l.judge(rest), "#elif "+rest
	}
	switch r.now = r.condition; {
	case r.past == holds:
		r.now = fails
	case r.past == unknown && r.now == holds:
		r.now = unknown
	}
	l.skipFailing()
}

// skipFailing skips lines while the innermost region fails: only directives
// are read there, whatever else the lines hold.
func (l *lexer) skipFailing() {
	inner := 0
	for len(l.regions) > 0 && l.regions[len(l.regions)-1].now == fails && l.at < len(l.src) {
		l.skipLine()
		if l.at >= len(l.src) {
			return
		}
		l.at++ // the line feed
		l.line++
		l.fresh = true
		rest := strings.TrimLeft(l.src[l.at:], " \t")
		if !strings.HasPrefix(rest, "#") {
			continue
		}
		l.at = len(l.src) - len(rest)
		start := l.at
		word, text := l.directiveLine()
		switch {
		case word == "if":
			inner++
		case word == "endif" && inner > 0:
			inner--
		case inner == 0 && (word == "elif" || word == "else" || word == "endif"):
			l.at = start
			l.skipLine()
			l.branch(word, text)
			return
		}
	}
}

// judge decides a condition as far as the text does: literals, and symbols
// that the file defines itself. What a build defines is unknown.
func (l *lexer) judge(condition string) verdict {
	negated := false
	for strings.HasPrefix(condition, "!") {
		negated = !negated
		condition = strings.TrimSpace(condition[1:])
	}
	v := unknown
	switch {
	case condition == "true" || l.defined[condition]:
		v = holds
	case condition == "false":
		v = fails
	}
	if negated && v != unknown {
		v = holds + fails - v
	}
	return v
}

// maybe returns the innermost condition that is open.
func (l *lexer) maybe() string {
	for i := len(l.regions) - 1; i >= 0; i-- {
		if l.regions[i].now == unknown {
			return l.regions[i].text
		}
	}
	return ""
}
