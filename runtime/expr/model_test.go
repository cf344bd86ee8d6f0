package expr_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/expr"
	"pgregory.net/rapid"
)

// checkText parses text and compares with the reference: accepted or not, and
// the meaning over a few figures.
func checkText(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string, samples []*figures) {
	t.Helper()
	e, err := expr.Parse(text)
	want, refused := reference(text)
	if (err == nil) != (refused == nil) {
		t.Fatalf("Parse(%q): got error %v, want %v", text, err, refused)
	}
	if err != nil {
		checkMistakes(t, text, err)
		return
	}
	again, err := expr.Parse(e.String())
	if err != nil || again.String() != e.String() {
		t.Fatalf("Parse(%q): got %v, %v from the canonical text %q", text, again, err, e)
	}
	for _, f := range samples {
		if got, want := e.Holds(view{f, e}), want(f); got != want {
			t.Fatalf("%q of %+v: got %t, want %t", text, *f, got, want)
		}
		if got, want := again.Holds(view{f, again}), want(f); got != want {
			t.Fatalf("%q of %+v, by its canonical text %q: got %t, want %t", text, *f, e, got, want)
		}
	}
}

func checkMistakes(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string, err error) {
	t.Helper()
	mistakes, ok := errors.AsType[expr.Errors](err)
	if !ok || len(mistakes) == 0 {
		t.Fatalf("Parse(%q): got %#v, want a list of mistakes", text, err)
	}
	last := 0
	for _, m := range mistakes {
		if m.Start < last || m.Start > m.End || m.End > len(text) || m.Message == "" || strings.Contains(m.Message, "\n") {
			t.Fatalf("Parse(%q): got mistake %+v, want a span inside the text, in order, and one line", text, *m)
		}
		last = m.Start
	}
}

// pieces are drawn into a text: mostly well formed, often enough not.
var pieces = []string{
	"NetworkErrorRatio()", "RequestThreshold()", "LatencyAtQuantileMS(50.0)", "LatencyAtQuantileMS(99.9)",
	"LatencyAtQuantileMS(0.0)", "LatencyAtQuantileMS(200.0)",
	"ResponseCodeRatio(500, 600, 0, 600)", "ResponseCodeRatio(200, 300, 400, 500)", "ResponseCodeRatio(500,600,0,1000,)",
}

var drawnComparison = rapid.Custom(func(t *rapid.T) string {
	f := rapid.SampledFrom(pieces).Draw(t, "function")
	op := rapid.SampledFrom([]string{"<", "<=", ">", ">=", "==", "!="}).Draw(t, "op")
	number := rapid.SampledFrom([]string{"0", "1", "2", "3", "10", "100"}).Draw(t, "whole")
	if strings.HasPrefix(f, "N") || strings.HasPrefix(f, "Resp") {
		number = rapid.SampledFrom([]string{"0.0", "0.25", "0.5", "1.0", "5e-1"}).Draw(t, "fraction")
	}
	return f + " " + op + " " + number
})

func drawExpression(t *rapid.T, depth int) string {
	text := drawnComparison.Draw(t, "comparison")
	for range rapid.IntRange(0, 3).Draw(t, "more") {
		next := ""
		if depth > 0 && rapid.Bool().Draw(t, "group") {
			next = "(" + drawExpression(t, depth-1) + ")"
		} else {
			next = drawnComparison.Draw(t, "comparison")
		}
		text += rapid.SampledFrom([]string{" && ", " || ", "&&\n", " ||/**/"}).Draw(t, "join") + next
	}
	return text
}

var drawnFigures = rapid.Custom(func(t *rapid.T) *figures {
	f := &figures{codes: map[int]int64{}, latencies: rapid.SliceOfN(rapid.Int64Range(0, 110), 0, 6).Draw(t, "latencies")}
	for _, code := range rapid.SliceOfN(rapid.SampledFrom([]int{200, 204, 404, 500, 502, 504, 599, 600, 999}), 0, 6).Draw(t, "codes") {
		f.codes[code]++
		f.requests++
		if code == 502 || code == 504 {
			f.networkErrors++
		}
	}
	return f
})

func TestExpressionsMeanWhatTheReferenceSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkText(t, drawExpression(t, 3), rapid.SliceOfN(drawnFigures, 1, 4).Draw(t, "figures"))
	})
}

// scraps make texts that are nearly right.
var scraps = append([]string{
	"&&", "||", "(", ")", "<", ">", "<=", ">=", "==", "!=", "!", "-", "+", "%", "=", "&", "|", ";", ",", "...", ".",
	"0", "1", "010", "08", "08.5", "0x10", "0x1p-2", "0b1", "0o7", "1_0", "1_0.5", "1e3", "1e", "1e400", ".5", "5.", "1i", "9999999999999999999",
	"NetworkErrorRatio", "networkErrorRatio()", "RequestThreshold(1)", "LatencyAtQuantileMS(50)", "LatencyAtQuantileMS(50.0...)",
	"LatencyAtQuantileMS((50.0))", "ResponseCodeRatio(1,2,3)", "ResponseCodeRatio(", "500, 600, 0, 600)", "and", "not", "true", "é",
	"\n", "\r", "\t", " ", "// c\n", "/* c */", "/*\n*/", "//", "/*", "'x'", `"0.5"`, "`", "\x00", "\xff", "\ufeff", "\u00a0", "=>", "<>", "[", "]", "{", "}", "func", "<-", "&^",
}, pieces...)

func TestAcceptsWhatTheReferenceAccepts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawExpression(t, 1)
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			cut := rapid.IntRange(0, min(3, len(text)-at)).Draw(t, "cut")
			scrap := rapid.SampledFrom(append([]string{""}, scraps...)).Draw(t, "scrap")
			text = text[:at] + scrap + text[at+cut:]
		}
		checkText(t, text, nil)
	})
	rapid.Check(t, func(t *rapid.T) {
		checkText(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom(scraps), 0, 8).Draw(t, "scraps"), ""), nil)
	})
}

func FuzzParse(f *testing.F) {
	for _, tc := range accepted {
		f.Add(tc.in)
	}
	for _, tc := range refused {
		f.Add(unmark(tc.in))
	}
	samples := []*figures{
		{},
		{requests: 4, networkErrors: 1, codes: map[int]int64{200: 2, 502: 1, 404: 1}, latencies: []int64{1, 50, 100, 101}},
	}
	f.Fuzz(func(t *testing.T, text string) {
		// Go reads position directives in comments and refuses malformed
		// ones; nests far deeper; and none of both matters to anybody.
		if strings.Contains(text, "line ") || strings.Count(text, "(")+strings.Count(text, "!") > 500 {
			if _, err := expr.Parse(text); err != nil {
				checkMistakes(t, text, err)
			}
			return
		}
		checkText(t, text, samples)
	})
}
