package route

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

// header demands a header whose value fits a template. The text outside of the
// placeholders is a regular expression, which most templates do not use.
type header struct {
	name  string
	names []string
	// pattern is used unless expression is set.
	pattern    pattern
	expression *expression
}

// newHeader compiles the template of a header as
// UpstreamHeaderTemplatePatternCreator does: {header:x}, with "header" in any
// case, takes at least one character, everything else keeps its meaning as a
// regular expression.
func newHeader(m plan.HeaderMatch, caseSensitive bool) (header, error) {
	h := header{name: m.Name}
	tokens, plain, err := h.tokens(m.Template)
	if err != nil {
		return header{}, err
	}
	if plain {
		h.pattern = newPattern(tokens, !caseSensitive, false)
		return h, nil
	}
	h.expression, err = compileExpression(tokenText(tokens), !caseSensitive)
	if err != nil {
		return header{}, err
	}
	return h, h.nameGroups()
}

// tokens splits a template. Plain means that its text has no meaning as a
// regular expression but that of a dot.
func (h *header) tokens(text string) (tokens []token, plain bool, err error) {
	const opening = "{header:"
	plain = true
	placeholders := 0
	for at := 0; at < len(text); {
		c := text[at]
		name, _, closed := strings.Cut(text[min(len(text), at+len(opening)):], "}")
		switch {
		case hasAt(text, at, opening, true) && closed:
			if !isWord(name) {
				return nil, false, fmt.Errorf("placeholder %q has a name that is not a word", text[at:at+len(opening)+len(name)+1])
			}
			if placeholders++; placeholders > maxPlaceholders {
				return nil, false, errCrowded
			}
			tokens = append(tokens, token{kind: some, slot: h.slot(name)})
			at += len(opening) + len(name) + 1
			continue
		case c == '.':
			tokens = append(tokens, token{kind: anyChar})
		default:
			plain = plain && c < 0x80 && c != '{' && strings.IndexByte(metacharacters, c) < 0
			tokens = append(tokens, token{kind: literal, text: text[at : at+1]})
		}
		at++
	}
	return tokens, plain, nil
}

// slot returns the place of a name. A name that occurs twice has the last of
// its values.
func (h *header) slot(name string) int32 {
	i := slices.Index(h.names, name)
	if i < 0 {
		h.names = append(h.names, name)
		i = len(h.names) - 1
	}
	return int32(i)
}

// nameGroups gives the groups that the author of an expression wrote their
// places, for their texts replace {NAME} as well: the ones without a name are
// called 1, 2, … and come first.
func (h *header) nameGroups() error {
	own := map[string]bool{}
	for slot := range h.names {
		own[groupName(int32(slot))] = true
	}
	var numbered, named []string
	var numberedAt, namedAt []int
	for i, name := range h.expression.re.SubexpNames() {
		switch {
		case i == 0 || own[name]:
		case name == "":
			numbered, numberedAt = append(numbered, fmt.Sprint(len(numbered)+1)), append(numberedAt, i)
		case slices.Contains(named, name) || slices.Contains(h.names, name):
			return errors.New("a group occurs twice")
		default:
			named, namedAt = append(named, name), append(namedAt, i)
		}
	}
	h.names = slices.Concat(numbered, h.names, named)
	h.expression.groups = slices.Concat(numberedAt, h.expression.groups, namedAt)
	return nil
}

// value returns the header as Ocelot compares it: the lines joined by commas
// without space. The Host header has its port.
func (h *header) value(r *Request) (string, bool) {
	if strings.EqualFold(h.name, "Host") {
		return r.Host, true
	}
	lines := r.Header.Values(h.name)
	switch len(lines) {
	case 0:
		return "", false
	case 1:
		return lines[0], true
	}
	return strings.Join(lines, ","), true
}

func (h *header) fits(r *Request) bool {
	value, ok := h.value(r)
	if !ok {
		return false
	}
	if h.expression != nil {
		return h.expression.fits(value)
	}
	return h.pattern.fits(value, len(value), nil)
}

// capture puts the values of the placeholders into values.
func (h *header) capture(r *Request, values []string) {
	text, ok := h.value(r)
	if !ok || len(h.names) == 0 {
		return
	}
	spans := make([]span, len(h.names))
	if h.expression != nil {
		h.expression.capture(text, spans)
	} else {
		h.pattern.fits(text, len(text), spans)
	}
	for i, s := range spans {
		values[i] = text[s.from:s.to]
	}
}
