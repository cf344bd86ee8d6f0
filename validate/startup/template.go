package startup

import (
	"errors"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/config"
)

const templateCreator = "UpstreamTemplatePatternCreator.Create"

// template follows UpstreamTemplatePatternCreator, which turns a template into
// a regular expression without escaping anything.
func template(t config.Value[string], cased bool, owner config.Origin) *Exception {
	at := place(t.Origin, owner)
	if !t.IsSet() {
		return &Exception{Stage: Create, Type: nullReference, Thrower: templateCreator, Reason: "UpstreamPathTemplate is missing", At: at}
	}
	if plain(t.V) {
		return nil
	}
	pattern, err := Pattern(t.V, cased)
	if err != nil {
		return &Exception{Stage: Create, Type: argumentRange, Thrower: templateCreator, Reason: err.Error(), At: at}
	}
	if err := checkRegex(pattern); err != nil {
		return &Exception{Stage: Create, Type: regexParse, Thrower: templateCreator, Reason: err.Error(), At: at}
	}
	return nil
}

// plain says whether a template is nothing but literals and different
// placeholders, as nearly all are: its pattern needs no look then.
func plain(template string) bool {
	var names []string
	for i := 0; i < len(template); i++ {
		switch template[i] {
		case '\\', '(', ')', '[', ']', '+', '*', '?', '|', '.', '^', '$':
			return false
		case '{':
			end := strings.IndexAny(template[i+1:], "{}")
			if end < 0 || template[i+1+end] == '{' {
				return false
			}
			name := template[i+1 : i+1+end]
			if name == "" || strings.ContainsAny(name, `\()[]+*?|.^$`) || slices.Contains(names, name) {
				return false
			}
			names = append(names, name)
			i += 1 + end
		case '}':
			return false
		}
	}
	return true
}

var (
	errUnclosed = errors.New("a brace of the template is never closed")
	errLost     = errors.New("a placeholder of the template occurs twice, or overlaps another one")
)

// Pattern returns the regular expression that Ocelot makes of an upstream
// template (templates.jsonl). It fails where Ocelot throws: for a brace that
// is never closed, and for a placeholder that is gone when its turn comes
// because replacing an earlier one has removed it.
func Pattern(template string, caseSensitive bool) (string, error) {
	placeholders, alone, err := placeholdersOf(template)
	if err != nil {
		return "", err
	}
	if alone {
		return "^/.*", nil
	}
	text, hasQuery := template, strings.Contains(template, "?")
	if hasQuery {
		const queryStart = `(/$|/\?|\?|$)`
		if mark := "/?"; strings.Contains(text, mark) {
			text = strings.ReplaceAll(text, mark, queryStart)
		} else {
			text = strings.ReplaceAll(text, "?", queryStart)
		}
	}
	for _, p := range placeholders {
		at := strings.Index(text, p)
		if at < 0 {
			return "", errLost
		}
		matcher := "[^/]+"
		if !strings.Contains(text[at:], "/") || hasQuery && strings.Index(text, "?") < at {
			matcher = ".*"
		}
		text = strings.ReplaceAll(text, p, matcher)
	}
	return wrap(text, caseSensitive), nil
}

// placeholdersOf returns every {…} from an opening brace to the next closing
// one, and whether the template is a single placeholder after a slash.
func placeholdersOf(template string) (found []string, alone bool, err error) {
	for i := range len(template) {
		if template[i] != '{' {
			continue
		}
		end := strings.IndexByte(template[i:], '}')
		if end < 0 {
			return nil, false, errUnclosed
		}
		found = append(found, template[i:i+end+1])
		if len(found) == 1 && strings.HasPrefix(template, "/{") && i+end+1 == len(template) {
			return nil, true, nil
		}
	}
	return found, false, nil
}

func wrap(text string, caseSensitive bool) string {
	if text == "/" {
		return "^/$"
	}
	if last := strings.LastIndexByte(text, '/'); last+1 < len(text) && text[last+1] == '.' {
		text = text[:max(last, 0)] + "(?:|/" + text[last+1:] + ")"
	}
	if strings.HasSuffix(text, "/") {
		text = text[:len(text)-1] + "(/|)"
	}
	if caseSensitive {
		return "^" + text + "$"
	}
	return "^(?i)" + text + "$"
}

// headerTemplates follows UpstreamHeaderTemplatePatternCreator.
func headerTemplates(d *config.Dict, cased bool) *Exception {
	for _, e := range d.All() {
		at := place(e.Value.Origin, e.Key.Origin)
		if !e.Value.IsSet() {
			return &Exception{Stage: Create, Type: argumentNull, Thrower: "UpstreamHeaderTemplatePatternCreator.Create",
				Reason: "the template of header " + e.Key.V + " is null", At: at}
		}
		if err := checkRegex(HeaderPattern(e.Value.V, cased)); err != nil {
			return &Exception{Stage: Create, Type: regexParse, Thrower: "RegexGlobal.New", Reason: err.Error(), At: at}
		}
	}
	return nil
}

// HeaderPattern returns the regular expression that Ocelot makes of a header
// template: {header:name} captures, everything else keeps its meaning.
func HeaderPattern(template string, caseSensitive bool) string {
	var text strings.Builder
	rest := template
	for {
		before, after, found := strings.Cut(rest, "{header:")
		name, tail, closed := strings.Cut(after, "}")
		if !found || !closed {
			text.WriteString(rest)
			break
		}
		text.WriteString(before + "(?<" + name + ">.+)")
		rest = tail
	}
	if caseSensitive {
		return "^" + text.String() + "$"
	}
	return "^(?i)" + text.String() + "$"
}
