package startup

import (
	"errors"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	pathtemplate "github.com/margay-dev/margay/schema/template"
)

const templateCreator = "UpstreamTemplatePatternCreator.Create"

const patternRemedy = "Ocelot reads the text as a regular expression: write a backslash before each of ( ) [ + * ? that is meant as it stands"

// template follows UpstreamTemplatePatternCreator, which turns a template into
// a regular expression without escaping anything.
func template(t config.Value[string], cased bool, owner config.Origin) *Exception {
	at := place(t.Origin, owner)
	if !t.IsSet() {
		return &Exception{Stage: Create, Type: nullReference, Thrower: templateCreator, Reason: "UpstreamPathTemplate is missing", Remedy: "write the path that clients call, beginning with /", At: at}
	}
	if plain(t.V) {
		return nil
	}
	pattern, err := pathtemplate.Pattern(t.V, pathtemplate.Options{CaseSensitive: cased})
	if err != nil {
		remedy := "close every brace, as in {id}"
		if errors.Is(err, pathtemplate.ErrNoSlash) {
			remedy = "begin it with /"
		}
		return &Exception{Stage: Create, Type: argumentRange, Thrower: templateCreator, Reason: err.Error(), Remedy: remedy, At: at}
	}
	if err := checkRegex(pattern); err != nil {
		return &Exception{Stage: Create, Type: regexParse, Thrower: templateCreator, Reason: err.Error(), Remedy: patternRemedy, At: at}
	}
	return nil
}

// plain says whether a template is nothing but literals and different
// placeholders, as nearly all are: its pattern needs no look then.
func plain(template string) bool {
	if !strings.HasPrefix(template, "/") {
		return false
	}
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

// headerTemplates follows UpstreamHeaderTemplatePatternCreator.
func headerTemplates(d *config.Dict, cased bool) *Exception {
	for _, e := range d.All() {
		at := place(e.Value.Origin, e.Key.Origin)
		if !e.Value.IsSet() {
			return &Exception{Stage: Create, Type: argumentNull, Thrower: "UpstreamHeaderTemplatePatternCreator.Create",
				Reason: "the template of header " + e.Key.V + " is null", Remedy: "write a text, or remove the header from the list", At: at}
		}
		if err := checkRegex(HeaderPattern(e.Value.V, cased)); err != nil {
			return &Exception{Stage: Create, Type: regexParse, Thrower: "RegexGlobal.New", Reason: err.Error(), Remedy: patternRemedy, At: at}
		}
	}
	return nil
}

// HeaderPattern returns the regular expression that Ocelot makes of a header
// template: {header:name}, "header" in any letter case, captures, everything
// else keeps its meaning.
func HeaderPattern(template string, caseSensitive bool) string {
	var text strings.Builder
	rest := template
	for {
		open := headerPlaceholder(rest)
		if open < 0 {
			text.WriteString(rest)
			break
		}
		name, tail, _ := strings.Cut(rest[open+len(headerOpening):], "}")
		text.WriteString(rest[:open] + "(?<" + name + ">.+)")
		rest = tail
	}
	if caseSensitive {
		return "^" + text.String() + "$"
	}
	return "^(?i)" + text.String() + "$"
}

const headerOpening = "{header:"

// headerPlaceholder returns where the first placeholder of a header template
// begins; -1 if there is none.
func headerPlaceholder(template string) int {
	for i := 0; i+len(headerOpening) <= len(template); i++ {
		if template[i] == '{' && strings.EqualFold(template[i:i+len(headerOpening)], headerOpening) {
			if strings.Contains(template[i:], "}") {
				return i
			}
			break
		}
	}
	return -1
}
