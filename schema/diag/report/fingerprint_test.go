package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/source"
)

func about(rule, route, option string) diag.Diagnostic {
	return diag.Diagnostic{Rule: rule, Severity: diag.Warning, Message: "m", Subject: diag.Subject{Route: route, Option: option}}
}

// What a finding is about identifies it, where it stands and what it says
// does not.
func TestFingerprintsSurviveMovedLinesAndNewWords(t *testing.T) {
	a, b := about("r", "GET /a", "Timeout"), about("r", "GET /a", "Timeout")
	file := source.NewFile("b.json", []byte("\n\n{}"))
	b.Span, b.Message, b.Severity = source.Span{File: file, Start: 2, End: 4}, "better", diag.Error
	if x, y := report.Fingerprints([]diag.Diagnostic{a}), report.Fingerprints([]diag.Diagnostic{b}); !slices.Equal(x, y) {
		t.Errorf("got %v and %v, want the same", x, y)
	}
}

func TestFingerprintsDiffer(t *testing.T) {
	ds := []diag.Diagnostic{
		about("r", "a", "b"), about("s", "a", "b"), about("r", "ab", ""), about("r", "", "ab"), about("ra", "", "b"),
		about("r", "", ""), about("r", "a", "1:b"), about("r", "a1:", "b"), about("r", "a", "b"), about("r", "a", "b"),
	}
	prints := report.Fingerprints(ds)
	if got := slices.Compact(slices.Sorted(slices.Values(prints))); len(got) != len(ds) {
		t.Errorf("got %d different ones of %d: %v", len(got), len(ds), prints)
	}
	if got, want := prints[8:], []string{prints[0] + "-2", prints[0] + "-3"}; !slices.Equal(got, want) {
		t.Errorf("got %v for equal findings, want %v", got, want)
	}
}

// A finding has the same fingerprint however many others are printed.
func TestFingerprintsDoNotDependOnWhatIsShown(t *testing.T) {
	mild, bad := about("r", "a", "b"), about("r", "a", "b")
	mild.Severity = diag.Info
	bad.Message = "worse"
	own := report.Fingerprints([]diag.Diagnostic{mild, bad})[1]
	for _, format := range []string{"json", "sarif", "gitlab"} {
		for _, least := range []diag.Severity{diag.Info, diag.Warning} {
			if out := output(t, format, report.Options{Least: least}, []diag.Diagnostic{mild, bad}); !strings.Contains(out, `"`+own+`"`) {
				t.Errorf("%s from %s on: got no %s in %s", format, least, own, out)
			}
		}
	}
}

// output returns what a format prints.
func output(t *testing.T, format string, opts report.Options, ds []diag.Diagnostic) string {
	t.Helper()
	printer, ok := report.New(format, opts)
	if !ok {
		t.Fatalf("no format %q", format)
	}
	var out strings.Builder
	if err := printer.Print(&out, ds); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
