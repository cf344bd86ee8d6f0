// Package template says what regular expression Ocelot makes of an upstream
// template.
//
// It takes the text and the form that the release uses, and gives back the
// pattern, which nothing here runs: older releases keep circuits by it, and the
// start fails where it does not compile.
package template

import (
	"errors"
	"strings"

	"github.com/margay-dev/margay/schema/profile"
)

var (
	errUnclosed = errors.New("a brace of the template is never closed")
	errLost     = errors.New("a placeholder of the template occurs twice, or overlaps another one")
)

// ErrNoSlash is a template without any slash that begins with a placeholder or a
// dot.
var ErrNoSlash = errors.New("the template has no slash before its first segment")

// Options say how a pattern is made. The zero value is for 24.0 and later and
// a route without regard to case.
type Options struct {
	Form          profile.PatternForm
	CaseSensitive bool
}

// form is what differs between the forms of patterns.
type form struct {
	// query stands in for the start of a query; slashed says that a slash
	// before the question mark belongs to it.
	query   string
	slashed bool
	// rest is what the last placeholder, and each one in the query, becomes.
	rest string
	// optional says that a last segment of a placeholder may be missing.
	optional bool
}

var forms = [...]form{
	profile.PatternOf24: {query: `(/$|/\?|\?|$)`, slashed: true, rest: ".*", optional: true},
	profile.PatternOf23: {query: `(|\?)`, slashed: true, rest: ".*", optional: true},
	profile.PatternOf22: {query: `\?`, rest: ".+"},
}

// Pattern returns the regular expression that Ocelot makes of an upstream
// template (templates.jsonl; older forms: routeName in versions.jsonl). It
// fails where Ocelot throws: for a brace that is never closed, for a placeholder
// that is gone when its turn comes because replacing an earlier one has removed
// it, and with ErrNoSlash where the last segment may be missing but nothing stands
// before it (templates.jsonl: "{x}").
func Pattern(template string, opts Options) (string, error) {
	placeholders, alone, err := placeholdersOf(template)
	if err != nil {
		return "", err
	}
	if alone {
		return "^/.*", nil
	}
	f := &forms[opts.Form]
	text, hasQuery := f.withQuery(template)
	for _, p := range placeholders {
		at := strings.Index(text, p)
		if at < 0 {
			return "", errLost
		}
		matcher := "[^/]+"
		if !strings.Contains(text[at:], "/") || hasQuery && strings.Index(text, "?") < at {
			matcher = f.rest
		}
		text = strings.ReplaceAll(text, p, matcher)
	}
	if f.optional && strings.HasPrefix(text, ".") && !strings.Contains(text, "/") {
		return "", ErrNoSlash
	}
	return f.wrap(text, opts.CaseSensitive), nil
}

// withQuery puts the start of a query in the place of question marks.
func (f *form) withQuery(template string) (text string, found bool) {
	if !strings.Contains(template, "?") {
		return template, false
	}
	if mark := "/?"; f.slashed && strings.Contains(template, mark) {
		return strings.ReplaceAll(template, mark, f.query), true
	}
	return strings.ReplaceAll(template, "?", f.query), true
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

func (f *form) wrap(text string, caseSensitive bool) string {
	if text == "/" {
		return "^/$"
	}
	if last := strings.LastIndexByte(text, '/'); f.optional && last+1 < len(text) && text[last+1] == '.' {
		text = text[:last] + "(?:|/" + text[last+1:] + ")"
	}
	if strings.HasSuffix(text, "/") {
		text = text[:len(text)-1] + "(/|)"
	}
	if caseSensitive {
		return "^" + text + "$"
	}
	return "^(?i)" + text + "$"
}
