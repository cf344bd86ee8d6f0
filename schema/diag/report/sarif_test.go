package report_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/source"
)

// rules are a catalogue: with everything, with nothing, and security rules of
// both kinds.
func rules() []report.Rule {
	return []report.Rule{
		{Name: "type-mismatch", Summary: "A value is of another type.", Doc: "# type-mismatch\n\n`{0}` & <b>, [x](1)\n", Severity: diag.Error, Category: "Reading"},
		{Name: "secret-in-config", Summary: "A secret stands in a file.", Severity: diag.Warning, Category: "Several files", CWE: 798},
		{Name: "prefix-escape", Summary: "A request leaves its prefix.", Severity: diag.Error, Category: "Security", CWE: 22},
		{Name: "auth-inactive", Severity: diag.Info, Category: "Security"},
		{Name: "bare"},
	}
}

// sarifRun reads SARIF back and holds it against the schema of the standard. The
// schema judges what was read, so nothing may have been lost on the way.
func sarifRun(t *testing.T, text string) *sarif.Run {
	t.Helper()
	log, err := sarif.FromString(text, sarif.WithStrictValidation())
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Validate(); err != nil {
		t.Error(err)
	}
	again, err := json.Marshal(log)
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if json.Unmarshal(again, &got) != nil || json.Unmarshal([]byte(text), &want) != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read back as %s, want %s", again, text)
	}
	if len(log.Runs) != 1 {
		t.Fatalf("got %d runs, want 1", len(log.Runs))
	}
	return log.Runs[0]
}

func TestSARIFIsValid(t *testing.T) {
	ds, secrets := findings()
	for _, list := range [][]diag.Diagnostic{nil, ds} {
		for _, opts := range []report.Options{{}, {Rules: rules(), Version: "1.2.3", Secrets: secrets, Least: diag.Info}} {
			run := sarifRun(t, output(t, "sarif", opts, list))
			want := diag.Count(list, max(opts.Least, diag.Info))
			if opts.Least == 0 {
				want = diag.Count(list, diag.Warning)
			}
			if len(run.Results) != want {
				t.Errorf("got %d results, want %d", len(run.Results), want)
			}
			for _, r := range run.Results {
				if got := *run.Tool.Driver.Rules[r.RuleIndex].ID; got != *r.RuleID {
					t.Errorf("the rule at index %d is %s, want %s", r.RuleIndex, got, *r.RuleID)
				}
				if len(r.Locations) != 1 || r.Locations[0].PhysicalLocation.ArtifactLocation.URI == nil {
					t.Errorf("%s: got no location, GitHub wants one", *r.RuleID)
				}
			}
		}
	}
}

// The validation must be able to fail.
func TestSARIFSchemaRefuses(t *testing.T) {
	for _, text := range []string{
		`{"version":"2.1.0","runs":[{}]}`,
		`{"version":"2.0.0","runs":[]}`,
		`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x","contents":[]}},"results":[{"message":{"text":"m"},"level":"fatal"}]}]}`,
	} {
		if log, err := sarif.FromString(text); err == nil && log.Validate() == nil {
			t.Errorf("%s is valid", text)
		}
	}
}

func TestSARIFRules(t *testing.T) {
	type seen struct{ level, severity, tags string }
	got := map[string]seen{}
	for _, r := range sarifRun(t, output(t, "sarif", report.Options{Rules: rules()}, nil)).Tool.Driver.Rules {
		var s seen
		if r.DefaultConfiguration != nil {
			s.level = r.DefaultConfiguration.Level
		}
		if r.Properties != nil {
			s.severity, _ = r.Properties.Properties["security-severity"].(string)
			for _, tag := range r.Properties.Tags {
				s.tags += tag + " "
			}
		}
		got[*r.ID] = s
	}
	want := map[string]seen{
		"type-mismatch":    {"error", "", "reading "},
		"secret-in-config": {"warning", "5.5", "several-files security external/cwe/cwe-798 "},
		"prefix-escape":    {"error", "8.0", "security external/cwe/cwe-022 "},
		"auth-inactive":    {"note", "2.0", "security "},
		"bare":             {},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestSARIFHelp gives pages to the rules with a result, and only to them.
func TestSARIFHelp(t *testing.T) {
	ds, _ := findings()
	found := map[string]bool{}
	for _, d := range ds {
		found[d.Rule] = true
	}
	catalogue := rules()
	for i := range catalogue {
		catalogue[i].Doc = "a page"
	}
	helped := map[bool]int{}
	for _, r := range sarifRun(t, output(t, "sarif", report.Options{Rules: catalogue, Least: diag.Info}, ds)).Tool.Driver.Rules[:len(catalogue)] {
		if got := r.Help != nil; got != found[*r.ID] {
			t.Errorf("%s: got help %t, want %t", *r.ID, got, found[*r.ID])
		}
		helped[r.Help != nil]++
	}
	if helped[true] == 0 || helped[false] == 0 {
		t.Errorf("the findings show only one side: %v", helped)
	}
}

func TestSARIFURIs(t *testing.T) {
	for name, want := range map[string]string{
		"a.json":               "a.json",
		"./a//b/../c.json":     "a/c.json",
		"a b/ü%#?[1]/{x}.json": "a%20b/%C3%BC%25%23%3F%5B1%5D/%7Bx%7D.json",
		"a\n\".json":           "a%0A%22.json",
		"c:d.json":             "./c:d.json",
		"/etc/a b.json":        "file:///etc/a%20b.json",
		"C:/gate/a.json":       "file:///C:/gate/a.json",
		"":                     ".",
	} {
		file := source.NewFile(name, []byte("{}"))
		d := diag.Diagnostic{Rule: "r", Severity: diag.Error, Message: "m", Span: source.Span{File: file, Start: 0, End: 2}}
		place := sarifRun(t, output(t, "sarif", report.Options{}, []diag.Diagnostic{d})).Results[0].Locations[0].PhysicalLocation.ArtifactLocation
		if *place.URI != want {
			t.Errorf("%q: got %s, want %s", name, *place.URI, want)
		}
		if absolute := want[:min(5, len(want))] == "file:"; absolute != (place.URIBaseID == nil) {
			t.Errorf("%q: got base %v", name, place.URIBaseID)
		}
	}
}

// An unsafe fix and one that would write a secret are not offered; regions
// are those of the bytes on disk.
func TestSARIFFixes(t *testing.T) {
	file := source.NewFile("a.json", []byte("\xEF\xBB\xBF{\n\"😀\": 1}"))
	span := source.Span{File: file, Start: len("{\n\"😀\": "), End: len("{\n\"😀\": 1")}
	fix := func(text string, unsafe bool) diag.Diagnostic {
		return diag.Diagnostic{Rule: "r", Severity: diag.Error, Message: "m", Span: span,
			Fix: &diag.Fix{Title: "write it", Unsafe: unsafe, Edits: []diag.Edit{{Span: span, NewText: text}}}}
	}
	run := sarifRun(t, output(t, "sarif", report.Options{Hidden: []string{"hush"}}, []diag.Diagnostic{fix("2", false), fix("2", true), fix("hush", false)}))
	if len(run.Results[0].Fixes) != 1 || len(run.Results[1].Fixes) != 0 || len(run.Results[2].Fixes) != 0 {
		t.Fatalf("got %d, %d and %d fixes, want 1, 0 and 0", len(run.Results[0].Fixes), len(run.Results[1].Fixes), len(run.Results[2].Fixes))
	}
	replacement := run.Results[0].Fixes[0].ArtifactChanges[0].Replacements[0]
	r := replacement.DeletedRegion
	got := [6]int{*r.StartLine, *r.StartColumn, *r.EndLine, *r.EndColumn, r.ByteOffset, *r.ByteLength}
	if want := [6]int{2, 7, 2, 8, 13, 1}; got != want {
		t.Errorf("got region %v, want %v", got, want)
	}
	if got := *replacement.InsertedContent.Text; got != "2" {
		t.Errorf("got %q, want 2", got)
	}
}
