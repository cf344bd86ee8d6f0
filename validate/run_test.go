package validate_test

import (
	"fmt"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate"
	"testing/fstest"
)

// shout reports every member called "loud".
var shout = &validate.Rule{
	Name: "loud-member", Summary: "A member is loud.", Severity: diag.Warning,
	Check: func(p *validate.Pass) {
		for c := range p.Loaded.Tree.Children(p.Loaded.Root) {
			if p.Loaded.Tree.Key(c) == "loud" {
				p.Report(diag.Diagnostic{Message: "too loud", Span: p.Loaded.Tree.KeySpan(c)})
			}
		}
	},
}

var broken = &validate.Rule{Name: "broken-file", Summary: "A file is broken.", Severity: diag.Error, Unsilenceable: true}

func lint(t *testing.T, text string, opts validate.Options) []string {
	t.Helper()
	folder := load.Folder{FS: fstest.MapFS{"ocelot.json": {Data: []byte(text)}}}
	loaded, err := load.Run(folder, []load.Provider{load.File{Name: "ocelot.json"}}, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	reported := &diag.List{}
	reported.Add(diag.Diagnostic{Rule: "broken-file", Severity: diag.Error, Message: "broken",
		Span: source.Span{File: loaded.Texts[0].File, Start: 0, End: 1}})
	var lines []string
	for _, d := range validate.Run(&validate.Input{Loaded: loaded}, []*validate.Rule{shout, broken}, reported, opts).Sorted() {
		if d.Rule == "broken-file" && d.Severity == diag.Error {
			continue
		}
		lines = append(lines, fmt.Sprintf("%d %s %s: %s", d.Span.Position().Line, d.Severity, d.Rule, d.Message))
	}
	return lines
}

func TestSilencing(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "{\n\"loud\": 1}", []string{"2 warning loud-member: too loud"}},
		{"same line", "{\n\"loud\": 1 // margay:ignore loud-member we like it\n}", nil},
		{"line above", "{\n// margay:ignore loud-member we like it\n\"loud\": 1}", nil},
		{"above other comments", "{\n// margay:ignore loud-member we like it\n// so there\n\"loud\": 1}", nil},
		{"behind a value only its own line", "{\n\"a\": 1, // margay:ignore loud-member we like it\n\"loud\": 1}", []string{
			"2 warning unused-ignore: there is no finding of \"loud-member\" here that this comment could silence",
			"3 warning loud-member: too loud"}},
		{"whole file", "// margay:ignore-file loud-member we like it\n{\n\n\"loud\": 1}", nil},
		{"block comment", "{\n/* margay:ignore loud-member we like it */ \"loud\": 1}", nil},
		{"member", "{\n\"//\": \"margay:ignore loud-member we like it\",\n\n\"loud\": 1}", nil},
		{"no reason", "{\n// margay:ignore loud-member\n\"loud\": 1}", []string{
			"2 warning unused-ignore: this comment silences \"loud-member\" without a reason, so it does nothing",
			"3 warning loud-member: too loud"}},
		{"unknown rule", "{\n// margay:ignore loud-membre we like it\n}", []string{
			"2 warning unused-ignore: there is no rule \"loud-membre\""}},
		{"no rule", "{\n// margay:ignore\n}", []string{"2 warning unused-ignore: this comment names no rule"}},
		{"unsilenceable", "{\n// margay:ignore broken-file we like it\n}", []string{
			"2 warning unused-ignore: findings of \"broken-file\" can't be silenced: what they are about does not work as it is written"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := lint(t, c.text, validate.Options{})
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestSeverities(t *testing.T) {
	const text = `{"loud": 1}`
	if got := lint(t, text, validate.Options{Severities: map[string]diag.Severity{"loud-member": diag.Info}}); fmt.Sprint(got) != "[1 info loud-member: too loud]" {
		t.Errorf("got %q, want an info", got)
	}
	if got := lint(t, text, validate.Options{Severities: map[string]diag.Severity{"loud-member": 0}, Workers: 4}); got != nil {
		t.Errorf("got %q from a rule that is off, want nothing", got)
	}
}

func TestOverrides(t *testing.T) {
	in := func(name string) func(*source.File) bool {
		return func(f *source.File) bool { return f != nil && f.Name == name }
	}
	loud := func(s diag.Severity) map[string]diag.Severity { return map[string]diag.Severity{"loud-member": s} }
	for _, c := range []struct {
		name string
		opts validate.Options
		want string
	}{
		{"off here", validate.Options{Overrides: []validate.Override{{Covers: in("ocelot.json"), Severities: loud(0)}}}, "[]"},
		{"off elsewhere", validate.Options{Overrides: []validate.Override{{Covers: in("other.json"), Severities: loud(0)}}}, "[2 warning loud-member: too loud]"},
		{"on here only", validate.Options{Severities: loud(0), Overrides: []validate.Override{{Covers: in("ocelot.json"), Severities: loud(diag.Error)}}}, "[2 error loud-member: too loud]"},
		{"on elsewhere only", validate.Options{Severities: loud(0), Overrides: []validate.Override{{Covers: in("other.json"), Severities: loud(diag.Error)}}}, "[]"},
		{"the last wins", validate.Options{Overrides: []validate.Override{
			{Covers: in("ocelot.json"), Severities: loud(0)}, {Covers: in("ocelot.json"), Severities: loud(diag.Info)}, {Covers: in("other.json"), Severities: loud(0)},
		}}, "[2 info loud-member: too loud]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := fmt.Sprint(lint(t, "{\n\"loud\": 1}", c.opts)); got != c.want {
				t.Errorf("got %s want %s", got, c.want)
			}
		})
	}
	silenced := "{\n// margay:ignore loud-member we like it\n\"quiet\": 1}"
	off := validate.Options{Overrides: []validate.Override{{Covers: in("ocelot.json"), Severities: loud(0)}}}
	if got := lint(t, silenced, off); got != nil {
		t.Errorf("a comment about a rule that is off here: got %q", got)
	}
}
