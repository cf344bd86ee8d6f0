package report_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/source"
)

// Whatever is found, on a screen every line fits, and no word is lost.
func TestTextFitsTheScreen(t *testing.T) {
	long := strings.Repeat("a message of several words ", 8) + "end"
	file := source.NewFile("gateway/ocelot.orders.json", []byte(strings.Repeat("{}\n", 40)))
	at := func(line int) source.Span {
		return source.Span{File: file, Start: file.LineStart(line), End: file.LineStart(line) + 2}
	}
	ds := []diag.Diagnostic{{
		Rule: "some-rule", Severity: diag.Error, Span: at(1), Message: long, Effect: long + "\n" + long, Ocelot: long, Help: long,
		Related: []diag.Related{{Span: at(20), Message: "here too"}, {Span: at(21), Message: "here too"}, {Span: at(22), Message: "here too"}},
	}, {Rule: "some-rule", Severity: diag.Error, Message: "short"}}
	opts := report.Options{Header: long, Left: []report.Left{{Reason: report.LeftBaseline, Source: "a/rather/long/name/of/a/baseline.json", Findings: 5, Stops: 2, Gone: 3}}}
	for width := 40; width <= 120; width += 7 {
		opts.Width = width
		out := output(t, "text", opts, ds)
		for line := range strings.Lines(out) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
				t.Errorf("%d columns of %d: %q", n, width, line)
			}
		}
		if n := strings.Count(strings.Join(strings.Fields(out), " "), strings.TrimSpace(long)); n != 6 {
			t.Errorf("%d columns: got the text %d times, want 6:\n%s", width, n, out)
		}
	}
}

// Without a screen, what is looked for line by line stays on one line.
func TestTextKeepsLinesWithoutAScreen(t *testing.T) {
	long := strings.Repeat("word ", 40) + "end"
	out := output(t, "text", report.Options{Header: long}, []diag.Diagnostic{{Rule: "some-rule", Severity: diag.Error, Message: long, Ocelot: long}})
	for _, want := range []string{long + "\n", "error: " + long + " [some-rule]\n", "   Ocelot says: " + long + "\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("got %q, want %q in it", out, want)
		}
	}
}
