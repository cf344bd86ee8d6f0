package route

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// The reference does what Ocelot does, the way Ocelot does it: it pastes texts
// together to a regular expression and runs it. It knows no tree, no token and
// no shortcut.

// referencePattern is UpstreamTemplatePatternCreator.
func referencePattern(template string, caseSensitive bool) (string, error) {
	text, _, err := referenceText(template, func(class, _ string) string { return class })
	if err != nil || text == "^/.*" {
		return text, err
	}
	return referenceWrap(text, caseSensitive), nil
}

// referenceText replaces the placeholders by what mark makes of their class and
// name.
func referenceText(template string, mark func(class, name string) string) (text string, names []string, err error) {
	for at := range len(template) {
		if template[at] != '{' {
			continue
		}
		end := strings.IndexByte(template[at:], '}')
		if end < 0 {
			return "", nil, errors.New("unclosed")
		}
		names = append(names, template[at:at+end+1])
		if len(names) == 1 && at == 1 && template[0] == '/' && at+end+1 == len(template) {
			return "^/.*", names, nil
		}
	}
	text = template
	question := strings.Contains(template, "?")
	if strings.Contains(text, "/?") {
		text = strings.ReplaceAll(text, "/?", `(/$|/\?|\?|$)`)
	} else {
		text = strings.ReplaceAll(text, "?", `(/$|/\?|\?|$)`)
	}
	for _, name := range names {
		at := strings.Index(text, name)
		if at < 0 {
			return "", nil, errors.New("lost")
		}
		class := "[^/]+"
		if !strings.Contains(text[at:], "/") || question && strings.Index(text, "?") < at {
			class = ".*"
		}
		text = strings.ReplaceAll(text, name, mark(class, name))
	}
	return text, names, nil
}

func referenceWrap(text string, caseSensitive bool) string {
	if text == "/" {
		return "^/$"
	}
	if last := strings.LastIndexByte(text, '/'); strings.HasPrefix(text[last+1:], ".") {
		text = text[:max(last, 0)] + "(?:|/" + text[last+1:] + ")"
	}
	if strings.HasSuffix(text, "/") {
		text = strings.TrimSuffix(text, "/") + "(/|)"
	}
	if caseSensitive {
		return "^" + text + "$"
	}
	return "^(?i)" + text + "$"
}

// linear compiles a recorded pattern, or returns nil when package regexp
// cannot or gives it another meaning.
func linear(pattern string) *regexp.Regexp {
	re, err := regexp.Compile("(?s)" + pattern)
	if err != nil {
		return nil
	}
	return re
}

// referenceValues is UrlPathPlaceholderNameAndValueFinder. Kept leaves
// ampersands of the path in the values. It returns nil when nothing is found.
func referenceValues(template, path, query string, kept bool) [][2]string {
	if m := regexp.MustCompile(`^[^{}]*\?\{(.*?)\}$`).FindStringSubmatch(template); m != nil {
		return [][2]string{{"{" + m[1] + "}", ""}}
	}
	placeholder := regexp.MustCompile(`\{(.*?)\}`)
	names := placeholder.FindAllString(template, -1)
	if len(names) == 0 {
		return nil
	}
	const hidden = "\x01"
	if kept {
		path = strings.ReplaceAll(path, "&", hidden)
	}
	text := path
	if strings.Contains(template, "?") {
		text += query
	}
	literals := placeholder.Split(template, -1)
	var b strings.Builder
	b.WriteString("(?s)^(?i)")
	for i, lit := range literals {
		if kept && (!strings.Contains(template, "?") || !strings.Contains(strings.Join(literals[:i], ""), "?")) {
			before, after, found := strings.Cut(lit, "?")
			lit = strings.ReplaceAll(before, "&", hidden)
			if found {
				lit += "?" + after
			}
		}
		b.WriteString(regexp.QuoteMeta(lit))
		switch {
		case i == len(names)-1:
			b.WriteString("([^&]*)")
		case i < len(names):
			b.WriteString("([^/|&]*)")
		}
	}
	re := regexp.MustCompile(b.String())
	found := re.FindStringSubmatch(text)
	if found == nil && !strings.Contains(template, "?") && (strings.HasSuffix(template, "}") || strings.HasSuffix(template, "}/")) {
		found = re.FindStringSubmatch(text + "/")
	}
	if found == nil {
		return nil
	}
	var out [][2]string
	for i, name := range names {
		out = append(out, [2]string{name, strings.ReplaceAll(found[i+1], hidden, "&")})
	}
	return out
}

// groupValues are the values that the pattern which matched captures.
func groupValues(template, pattern, text string) [][2]string {
	grouped, names, err := referenceText(template, func(class, _ string) string { return "\x02" + class + "\x03" })
	if err != nil {
		return nil
	}
	if grouped == "^/.*" {
		return [][2]string{{names[0], text[1:]}}
	}
	// A question mark that stays in the text belongs to the class before it.
	grouped = strings.ReplaceAll(grouped, "\x03?", "?\x03")
	// The groups must not be there when the last slash and the dot behind it
	// are looked for.
	open := strings.NewReplacer("\x02", "(?:)(", "\x03", ")")
	plain := strings.NewReplacer("\x02", "", "\x03", "")
	if last := strings.LastIndexByte(grouped, '/'); strings.HasPrefix(plain.Replace(grouped[last+1:]), ".") {
		grouped = grouped[:last] + "(?:|/" + grouped[last+1:] + ")"
	}
	if strings.HasSuffix(grouped, "/") {
		grouped = strings.TrimSuffix(grouped, "/") + "(/|)"
	}
	flags := "(?s)^"
	if strings.HasPrefix(pattern, "^(?i)") {
		flags = "(?s)^(?i)"
	}
	re, err := regexp.Compile(flags + open.Replace(grouped) + "$")
	if err != nil {
		return nil
	}
	found := re.FindStringSubmatchIndex(text)
	if found == nil {
		return nil
	}
	var out [][2]string
	for slot, group := range markedGroups(re) {
		value := ""
		if found[2*group] >= 0 {
			value = text[found[2*group]:found[2*group+1]]
		}
		out = append(out, [2]string{names[slot], value})
	}
	return out
}

// markedGroups returns the numbers of the groups that stand behind an empty
// one, which is how groupValues marks its own.
func markedGroups(re *regexp.Regexp) []int {
	var out []int
	source := re.String()
	group := 0
	for at := 0; at < len(source); at++ {
		switch {
		case source[at] == '\\':
			at++
		case strings.HasPrefix(source[at:], "(?:)("):
			group++
			out = append(out, group)
			at += len("(?:)(") - 1
		case source[at] == '(' && (!strings.HasPrefix(source[at:], "(?") || strings.HasPrefix(source[at:], "(?<")):
			group++
		}
	}
	return out
}

// throughTable looks a target up in a table with one route.
func throughTable(rec templateRecord, in Target) bool {
	table, err := New(&plan.Plan{Routes: []plan.Route{{
		ID:    "r",
		Match: plan.Match{Kind: plan.Static, Path: rec.Template, CaseSensitive: rec.CaseSensitive, Priority: 1},
	}}})
	if err != nil {
		return false
	}
	_, err = table.Match(&Request{Method: "GET", Target: in})
	var broken *NameError
	return err == nil || errors.As(err, &broken)
}

func mustNew(t testing.TB, p *plan.Plan) *Table {
	t.Helper()
	table, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return table
}
