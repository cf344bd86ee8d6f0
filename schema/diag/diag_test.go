package diag_test

import (
	"slices"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

func TestSortedOrderAndOnce(t *testing.T) {
	a, b := source.NewFile("a.json", []byte("0123456789")), source.NewFile("b.json", []byte("0123456789"))
	at := func(f *source.File, start, end int, s diag.Severity, rule, message string) diag.Diagnostic {
		return diag.Diagnostic{Rule: rule, Severity: s, Message: message, Span: source.Span{File: f, Start: start, End: end}}
	}
	want := []diag.Diagnostic{
		{Rule: "z", Severity: diag.Info, Message: "no place"},
		at(a, 1, 2, diag.Info, "z", "z"),
		at(a, 1, 3, diag.Info, "a", "a"),
		at(a, 5, 6, diag.Error, "z", "z"),
		at(a, 5, 6, diag.Warning, "a", "a"),
		at(a, 5, 6, diag.Warning, "b", "a"),
		at(a, 5, 6, diag.Warning, "b", "b"),
		at(b, 0, 1, diag.Error, "a", "a"),
	}
	var list, more diag.List
	for _, i := range []int{7, 3, 0, 5, 2, 6} {
		list.Add(want[i])
	}
	more.Add(want[1], want[4], want[5], want[3])
	list.Append(&more)
	list.Append(nil)
	same := func(x, y diag.Diagnostic) bool { return diag.Compare(x, y) == 0 && x.Span == y.Span }
	if got := list.Sorted(); !slices.EqualFunc(got, want, same) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if got := list.Len(); got != 10 {
		t.Errorf("got %d findings, want the 10 that were added", got)
	}
	if got := diag.Count(want, diag.Warning); got != 5 {
		t.Errorf("got %d findings from warning upwards, want 5", got)
	}
}

func TestSortedDoesNotMergeWhatDiffers(t *testing.T) {
	var list diag.List
	list.Add(
		diag.Diagnostic{Rule: "a", Message: "m", Severity: diag.Error},
		diag.Diagnostic{Rule: "a", Message: "n", Severity: diag.Error},
		diag.Diagnostic{Rule: "b", Message: "m", Severity: diag.Error},
	)
	if got := len(list.Sorted()); got != 3 {
		t.Errorf("got %d findings, want 3", got)
	}
}

func TestParseSeverity(t *testing.T) {
	for _, s := range []diag.Severity{diag.Info, diag.Warning, diag.Error} {
		if got, ok := diag.ParseSeverity(s.String()); !ok || got != s {
			t.Errorf("got %v, %t for %q", got, ok, s)
		}
	}
	for _, name := range []string{"", "Error", "invalid", "fatal"} {
		if got, ok := diag.ParseSeverity(name); ok {
			t.Errorf("got %v for %q, want nothing", got, name)
		}
	}
}

func TestSuggest(t *testing.T) {
	options := []string{"BreakDuration", "MinimumThroughput", "FailureRatio", "SamplingDuration", "Timeout", "Key"}
	for name, want := range map[string]string{
		"BreakDuraton":      "BreakDuration",
		"breakduration":     "BreakDuration",
		"BreakDuration ":    "BreakDuration",
		"MinimumThroughpt":  "MinimumThroughput",
		"MinimunTroughput":  "MinimumThroughput",
		"Timeuot":           "Timeout",
		"TimeoutMs":         "Timeout",
		"Kye":               "Key",
		"SamplingDurations": "SamplingDuration",
		"Name":              "",
		"":                  "",
		"x":                 "",
		"Retries":           "",
	} {
		got, ok := diag.Suggest(name, options)
		if got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %t, want %q", name, got, ok, want)
		}
	}
}

func TestSuggestTakesTheFirstOfEquals(t *testing.T) {
	if got, _ := diag.Suggest("Hosx", []string{"Host", "Hose"}); got != "Host" {
		t.Errorf("got %q, want Host", got)
	}
}
