package route

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
)

// expression is the matcher of a template that is a regular expression in
// disguise, or that compares other letters than those of ASCII without regard
// to case. It takes linear time, where .NET may give up after 100 ms by the
// clock (difference regex-clock).
type expression struct {
	re *regexp.Regexp
	// groups are the groups of the placeholders, by slot.
	groups []int
	// prefix starts every text that fits; in lower case when it is compared
	// without regard to case.
	prefix string
}

// groupName is the name of the group of a placeholder.
func groupName(slot int32) string { return "placeholder" + strconv.Itoa(int(slot)) }

// newExpression translates the tokens of a template. It fails for constructs
// that a linear-time matcher does not know.
func newExpression(tokens []token, fold bool) (*expression, error) {
	if err := checkPlaceholders(tokens); err != nil {
		return nil, err
	}
	return compileExpression(expressionText(tokens), fold)
}

// checkPlaceholders refuses placeholders with a neighbour that changes what
// their pattern means, so that it captures nothing or does not compile.
func checkPlaceholders(tokens []token) error {
	escaped := false
	for i, t := range tokens {
		switch {
		case !isPlaceholder(t):
			escaped = t.text == `\` && !escaped
			continue
		case escaped:
			return errors.New("a placeholder stands behind a backslash, where it captures nothing")
		case i+1 < len(tokens) && (tokens[i+1].text == "*" || tokens[i+1].text == "+"):
			return fmt.Errorf("a placeholder is repeated by %q", tokens[i+1].text)
		}
		escaped = false
	}
	return nil
}

// compileExpression translates the text of a .NET pattern whose groups of
// placeholders are called as groupName says.
func compileExpression(text string, fold bool) (*expression, error) {
	if err := checkClasses(text); err != nil {
		return nil, err
	}
	translated, err := translate(text)
	if err != nil {
		return nil, err
	}
	flags := "(?s)^"
	if fold {
		flags = "(?s)^(?i)"
	}
	full := flags + translated + "$"
	re, err := regexp.Compile(full)
	if err != nil {
		return nil, fmt.Errorf("as a regular expression it does not compile: %w", err)
	}
	e := &expression{re: re, prefix: prefixOf(full, fold)}
	for slot := int32(0); re.SubexpIndex(groupName(slot)) >= 0; slot++ {
		e.groups = append(e.groups, re.SubexpIndex(groupName(slot)))
	}
	return e, nil
}

func (e *expression) fits(text string) bool { return e.re.MatchString(text) }

func (e *expression) capture(text string, values []span) {
	found := e.re.FindStringSubmatchIndex(text)
	if found == nil {
		return
	}
	for slot, group := range e.groups {
		if slot < len(values) && found[2*group] >= 0 {
			values[slot] = span{found[2*group], found[2*group+1]}
		}
	}
}

// expressionText writes tokens as the pattern that Ocelot makes of them,
// without its ends, and with a group around every placeholder.
func expressionText(tokens []token) string {
	slash := lastSlash(tokens)
	switch {
	case slash < 0:
		return tokenText(tokens)
	case slash+1 == len(tokens):
		return tokenText(tokens[:slash]) + "(/|)"
	case startsWithDot(tokens[slash+1]):
		return tokenText(tokens[:slash]) + "(?:|/" + tokenText(tokens[slash+1:]) + ")"
	default:
		return tokenText(tokens)
	}
}

func tokenText(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		switch t.kind {
		case literal:
			switch lazy := i > 0 && isPlaceholder(tokens[i-1]); {
			case t.text == ".":
				b.WriteString(`\.`)
			case t.text != "?" || !lazy:
				b.WriteString(t.text)
			}
		case anyChar:
			b.WriteString(".")
		case queryStart:
			b.WriteString(`(/$|/\?|\?|$)`)
		case segment:
			b.WriteString("(?<" + groupName(t.slot) + ">[^/]+" + laziness(tokens[i+1:]) + ")")
		case rest:
			b.WriteString("(?<" + groupName(t.slot) + ">.*" + laziness(tokens[i+1:]) + ")")
		case some:
			b.WriteString("(?<" + groupName(t.slot) + ">.+)")
		}
	}
	return b.String()
}

// laziness returns the question mark that follows a placeholder: it belongs to
// the placeholder's pattern, not to the group around it.
func laziness(behind []token) string {
	if len(behind) > 0 && behind[0].text == "?" {
		return "?"
	}
	return ""
}

// prefixOf returns the text that every match of an anchored expression starts
// with, as far as it is known.
func prefixOf(text string, fold bool) string {
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil || tree.Op != syntax.OpConcat || len(tree.Sub) < 2 {
		return ""
	}
	first, second := tree.Sub[0], tree.Sub[1]
	if first.Op != syntax.OpBeginText || second.Op != syntax.OpLiteral {
		return ""
	}
	if !fold && second.Flags&syntax.FoldCase != 0 {
		return ""
	}
	prefix := string(second.Rune)
	for i := range len(prefix) {
		if prefix[i] >= 0x80 {
			prefix = prefix[:i]
			break
		}
	}
	if fold {
		return strings.ToLower(prefix)
	}
	return prefix
}
