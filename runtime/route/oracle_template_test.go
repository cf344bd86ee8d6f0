package route

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/margay-dev/margay/testdata/oracletest"
)

// templateRecord is one line of the recording templates.
type templateRecord struct {
	ID            string
	Template      string
	CaseSensitive bool `json:"case_sensitive"`
	PriorityIn    int  `json:"priority_in"`
	Pattern       string
	Priority      int
	ContainsQuery bool `json:"contains_query"`
	Error         *struct{ Type, Message string }
	Paths         []templatePath
}

type templatePath struct {
	Path, Query string
	Match       bool
	Values      [][2]string
	ValuesError any `json:"values_error"`
}

func TestOracleTemplates(t *testing.T) {
	patterns := oracletest.NewTally("templates/patterns")
	matches := oracletest.NewTally("templates/matches")
	values := oracletest.NewTally("templates/values")
	oracletest.Each(t, "templates.jsonl.gz", func(rec templateRecord) {
		tmpl := replayPattern(rec, patterns)
		for _, p := range rec.Paths {
			if tmpl == nil {
				matches.Excuse("refused")
				continue
			}
			replayMatch(rec, tmpl, p, matches)
			replayValues(rec, tmpl, p, values)
		}
	})
	patterns.Report(t)
	matches.Report(t)
	values.Report(t)
}

// replayPattern compiles a template and compares what the compiler knows of it.
// It returns nil when the template is refused.
func replayPattern(rec templateRecord, y *oracletest.Tally) *template {
	tmpl, err := newTemplate(rec.Template, rec.CaseSensitive)
	reference, failure := referencePattern(rec.Template, rec.CaseSensitive)
	switch {
	case rec.Error != nil && err != nil:
		y.Agree("errors")
		return nil
	case rec.Error != nil:
		y.Differ("errors", rec.ID, "got a template, want %s", rec.Error.Message)
		return nil
	case failure != nil || reference != rec.Pattern:
		y.Differ("reference", rec.ID, "got %q, %v, want %q", reference, failure, rec.Pattern)
	case err != nil && mayRefuse(rec):
		y.Excuse("refused")
		return nil
	case err != nil:
		y.Differ("refused", rec.ID, "%q: got %v, want a template", rec.Template, err)
		return nil
	}
	priority := rec.PriorityIn
	if tmpl.everything {
		priority = 0
	}
	// Ocelot never compares /{x} with the query, whatever x is called.
	if priority != rec.Priority || tmpl.whole != rec.ContainsQuery {
		y.Differ("facts", rec.ID, "got priority %d and query %v, want %d and %v", priority, tmpl.whole, rec.Priority, rec.ContainsQuery)
		return tmpl
	}
	y.Agree("facts")
	return tmpl
}

// mayRefuse reports whether a template has no meaning that margay could keep:
// Ocelot's validation refuses it, no linear-time matcher knows it, or one of its
// placeholders captures nothing.
func mayRefuse(rec templateRecord) bool {
	captureless := regexp.MustCompile(`\[[^\]]*\{|(^|[^\\])\\\{`)
	return !strings.HasPrefix(rec.Template, "/") || linear(rec.Pattern) == nil || captureless.MatchString(rec.Template)
}

func replayMatch(rec templateRecord, tmpl *template, p templatePath, y *oracletest.Tally) {
	in := NewTarget(p.Path, p.Query)
	text := p.Path
	if tmpl.whole {
		text = in.text
	}
	if got := tmpl.fits(text); got != p.Match {
		y.Differ("match", rec.ID, "%q with %q: got %v, want %v", rec.Template, text, got, p.Match)
		return
	}
	if got := throughTable(rec, in); got != p.Match {
		y.Differ("tree", rec.ID, "%q with %q: got %v, want %v", rec.Template, text, got, p.Match)
		return
	}
	y.Agree("match")
}

// replayValues compares the values of a path that matches. Ocelot looks for
// values only then; the recording has them for every path.
func replayValues(rec templateRecord, tmpl *template, p templatePath, y *oracletest.Tally) {
	if p.ValuesError != nil {
		if !tmpl.hasBroken {
			y.Differ("names", rec.ID, "%q: got names that are words, want %v", rec.Template, p.ValuesError)
			return
		}
		y.Agree("names")
		return
	}
	if tmpl.hasBroken {
		y.Differ("names", rec.ID, "%q: got a broken name, want %v", rec.Template, p.Values)
		return
	}
	if !p.Match {
		return
	}
	got := valuesOf(tmpl, p.Path, p.Query)
	want := p.Values
	switch difference := explainValues(rec.Template, rec.Pattern, p, got, want); difference {
	case "":
		y.Agree("values")
	case "unknown":
		y.Differ("values", rec.ID, "%q with %q%q: got %q, want %q", rec.Template, p.Path, p.Query, got, want)
	default:
		excuse(y, difference)
	}
}

// excuse counts an answer that one of the named differences explains.
func excuse(y *oracletest.Tally, id string) {
	if !slices.ContainsFunc(Differences(), func(d Difference) bool { return d.ID == id }) {
		y.Differ("differences", id, "is no named difference")
		return
	}
	y.Excuse(id)
}

func valuesOf(tmpl *template, path, query string) [][2]string {
	text := path
	if tmpl.whole {
		text += query
	}
	spans := make([]span, len(tmpl.names))
	tmpl.capture(text, len(path), spans)
	var out [][2]string
	for i, s := range spans {
		out = append(out, [2]string{"{" + tmpl.names[i] + "}", text[s.from:s.to]})
	}
	return out
}

// explainValues returns "" for equal values, or the difference that promises
// ours: Ocelot's values with what follows an ampersand of the path, or, where
// Ocelot has none, those of the pattern that matched.
func explainValues(template, pattern string, p templatePath, got, want [][2]string) string {
	if equalValues(got, want) {
		return ""
	}
	text := p.Path
	if strings.Contains(template, "?") {
		text += p.Query
	}
	if numbersLost(got, want) && equalValues(got, groupValues(template, pattern, text)) {
		return "literal-placeholder"
	}
	kept := referenceValues(template, p.Path, p.Query, true)
	if strings.Contains(p.Path, "&") && equalValues(got, kept) {
		return "ampersand-cut"
	}
	if kept == nil && len(want) < len(got) && equalValues(got, groupValues(template, pattern, text)) {
		return "literal-placeholder"
	}
	return "unknown"
}

// numbersLost reports whether got and want differ in what .NET loses: it lists
// as many groups as there are, by number, so a placeholder whose name is a
// higher number is missing, and a group without name stands for it.
func numbersLost(got, want [][2]string) bool {
	lost := func(v [2]string) bool {
		n, err := strconv.Atoi(strings.Trim(v[0], "{}"))
		return v[0] == "{}" || err == nil && n > len(got)
	}
	rest := func(values [][2]string) [][2]string { return slices.DeleteFunc(slices.Clone(values), lost) }
	return len(rest(got)) < len(got) && equalValues(rest(got), rest(want))
}

// equalValues compares without regard to order: groups with numbers come first
// in .NET.
func equalValues(a, b [][2]string) bool {
	sorted := func(v [][2]string) [][2]string {
		return slices.SortedFunc(slices.Values(v), func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	}
	return slices.Equal(sorted(a), sorted(b))
}
