package route

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// template is a compiled path template.
type template struct {
	// names are the placeholders, without braces, in the order of the template.
	names []string
	// forms are the texts that fit: any of them. There is none when the template
	// is a regular expression in disguise.
	forms []pattern
	// expression stands in for forms.
	expression *expression
	// values is Ocelot's second pattern, which gives the values. Nil when there
	// are none or all of them are empty.
	values *pattern
	// again asks values once more with a slash behind the text.
	again bool
	// whole templates are compared with path and query, others with the path.
	whole bool
	// everything is set for /{x}, which always has priority 0.
	everything bool
	fold       bool
	// broken is the first name that is not a word.
	broken    string
	hasBroken bool
}

var (
	errUnclosed = errors.New("a brace is never closed")
	errNested   = errors.New("a placeholder holds another brace or a question mark")
	errRootless = errors.New("it does not start with a slash")
	errCrowded  = fmt.Errorf("it has more than %d placeholders", maxPlaceholders)
)

// maxPlaceholders bounds what a template asks for: a request fills one with at
// least a byte or two of its few thousand, and tokens count them in 16 bits.
const maxPlaceholders = 1000

// metacharacters give a template the meaning of a regular expression, for
// Ocelot inserts its text unescaped. A dot is dealt with as a token.
const metacharacters = `\*+()[]|^$?`

// newTemplate compiles a path template as UpstreamTemplatePatternCreator does
// (recording templates).
func newTemplate(text string, caseSensitive bool) (*template, error) {
	t := &template{whole: strings.Contains(text, "?"), fold: !caseSensitive}
	tokens, err := t.tokens(text)
	if err != nil {
		return nil, err
	}
	t.nameValues(text)
	t.everything = len(tokens) == 2 && tokens[0].text == "/" && isPlaceholder(tokens[1])
	switch {
	case t.everything:
		tokens[1].kind = rest
		t.forms = []pattern{newPattern(tokens, t.fold, false)}
		return t, nil
	case isDisguised(tokens):
		t.expression, err = newExpression(tokens, t.fold)
		return t, err
	case t.fold && strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }):
		t.expression, err = newExpression(tokens, t.fold)
		return t, err
	}
	for _, form := range forms(tokens) {
		t.forms = append(t.forms, newPattern(form, t.fold, false))
	}
	return t, nil
}

// tokens splits a template. Slashes, metacharacters and escaped dots are
// literals of their own, which is what the later steps look for.
func (t *template) tokens(text string) ([]token, error) {
	mark := "?"
	if strings.Contains(text, "/?") {
		mark = "/?"
	}
	if !strings.HasPrefix(text, "/") {
		return nil, errRootless
	}
	var out []token
	for at := 0; at < len(text); {
		switch {
		case strings.HasPrefix(text[at:], mark):
			out = append(out, token{kind: queryStart})
			at += len(mark)
		case text[at] == '{':
			name, _, closed := strings.Cut(text[at+1:], "}")
			if err := t.addName(name, closed); err != nil {
				return nil, err
			}
			out = append(out, token{kind: classOf(text, at), slot: int32(len(t.names) - 1)})
			at += len(name) + 2
		case text[at] == '.':
			out = append(out, token{kind: anyChar})
			at++
		case strings.HasPrefix(text[at:], `\.`):
			out = append(out, token{kind: literal, text: "."})
			at += 2
		default:
			end := at + 1
			if text[at] != '/' && strings.IndexByte(metacharacters, text[at]) < 0 {
				end = until(text, at+1, len(text), "/.{"+metacharacters)
			}
			out = append(out, token{kind: literal, text: text[at:end]})
			at = end
		}
	}
	return out, nil
}

func (t *template) addName(name string, closed bool) error {
	switch {
	case !closed:
		return errUnclosed
	case strings.ContainsAny(name, "{?"):
		return errNested
	case len(t.names) == maxPlaceholders:
		return errCrowded
	case slices.Contains(t.names, name):
		return fmt.Errorf("placeholder {%s} occurs twice", name)
	}
	t.names = append(t.names, name)
	if !t.hasBroken && !isWord(name) {
		t.broken, t.hasBroken = name, true
	}
	return nil
}

// classOf tells what the placeholder at a place of the template takes: one
// segment, unless no slash follows or it stands in the query. The mark of the
// query counts as a slash.
func classOf(text string, at int) kind {
	question := strings.IndexByte(text, '?')
	if question >= 0 && question < at {
		return rest
	}
	if question >= 0 || strings.Contains(text[at:], "/") {
		return segment
	}
	return rest
}

func isPlaceholder(t token) bool { return t.kind == segment || t.kind == rest }

func isDisguised(tokens []token) bool {
	queries := 0
	for _, t := range tokens {
		if t.kind == queryStart {
			queries++
		}
		if t.kind == literal && strings.Contains(metacharacters, t.text) {
			return true
		}
	}
	return queries > 2 // more of them would multiply the forms
}

// nameValues prepares Ocelot's second pattern: the template once more, escaped,
// with other classes, compared without regard to case and open at its end.
// A template that ends in "?{x}" and has no brace before gives x the empty
// value, whatever the request holds; x is then all the text up to the last
// brace.
func (t *template) nameValues(text string) {
	brace := strings.IndexByte(text, '{')
	if brace > 0 && text[brace-1] == '?' && strings.HasSuffix(text, "}") && !strings.Contains(text[:brace], "}") {
		t.names = []string{text[brace+1 : len(text)-1]}
		t.broken, t.hasBroken = "", false
		return
	}
	if len(t.names) == 0 {
		return
	}
	whole := text
	var tokens []token
	for slot, name := range t.names {
		before, after, _ := strings.Cut(text, "{"+name+"}")
		class := part
		if slot == len(t.names)-1 {
			class = tail
		}
		tokens = append(tokens, token{kind: literal, text: before}, token{kind: class, slot: int32(slot)})
		text = after
	}
	tokens = append(tokens, token{kind: literal, text: text})
	p := newPattern(tokens, true, true)
	t.values = &p
	t.again = !t.whole && (strings.HasSuffix(whole, "}") || strings.HasSuffix(whole, "}/"))
}

// capture puts the places of the values into values. It asks Ocelot's second
// pattern first, because it is what Ocelot's values come from; where that
// does not fit, Ocelot sends the placeholders as they are written, and margay
// takes the values from the pattern that matched (difference
// literal-placeholder).
func (t *template) capture(text string, split int, values []span) {
	clear(values)
	if t.values == nil || t.values.fits(text, split, values) {
		return
	}
	if t.again && t.captureBehindSlash(text, values) {
		return
	}
	clear(values)
	if t.expression != nil {
		t.expression.capture(text, values)
		return
	}
	var few [inlineValues]span
	found := append(few[:0], values...)
	first := true
	for i := range t.forms {
		clear(found)
		if t.forms[i].fits(text, split, found) && (first || precedes(found, values)) {
			copy(values, found)
			first = false
		}
	}
}

// captureBehindSlash is how Ocelot finds an empty value for /a/{x} in /a.
func (t *template) captureBehindSlash(text string, values []span) bool {
	if !t.values.fits(text+"/", len(text)+1, values) {
		return false
	}
	for i := range values {
		values[i].from, values[i].to = min(values[i].from, len(text)), min(values[i].to, len(text))
	}
	return true
}

// precedes reports whether a greedy engine finds a before b: the first
// placeholder that differs is longer.
func precedes(a, b []span) bool {
	for i := range a {
		if d := (a[i].to - a[i].from) - (b[i].to - b[i].from); d != 0 {
			return d > 0
		}
	}
	return false
}

// fits reports whether the template takes a text.
func (t *template) fits(text string) bool {
	if t.expression != nil {
		return t.expression.fits(text)
	}
	return slices.ContainsFunc(t.forms, func(p pattern) bool { return p.fits(text, len(text), nil) })
}

// isWord reports whether a name can be the name of a group in .NET: a number
// or letters, digits and connectors that do not start with a digit.
func isWord(name string) bool {
	if name == "" {
		return false
	}
	if name[0] >= '0' && name[0] <= '9' {
		return isNumber(name)
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return !isWordRune(r) })
}
