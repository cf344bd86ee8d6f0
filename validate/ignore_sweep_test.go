package validate

import (
	"slices"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
	"pgregory.net/rapid"
)

// TestSweep compares with looking at every directive for every finding.
func TestSweep(t *testing.T) {
	files := []*source.File{{Name: "a"}, {Name: "b"}}
	rules := []string{"one", "two"}
	offset := rapid.IntRange(0, 12)
	directives := rapid.Custom(func(t *rapid.T) directive {
		from := offset.Draw(t, "from")
		return directive{
			rule: rapid.SampledFrom(rules).Draw(t, "rule"), reason: rapid.SampledFrom([]string{"", "why"}).Draw(t, "reason"),
			at: source.Span{File: rapid.SampledFrom(files).Draw(t, "file")}, from: from, to: from + offset.Draw(t, "length"),
		}
	})
	findings := rapid.Custom(func(t *rapid.T) diag.Diagnostic {
		return diag.Diagnostic{
			Rule: rapid.SampledFrom(rules).Draw(t, "rule"),
			Span: source.Span{File: rapid.SampledFrom(files).Draw(t, "file"), Start: offset.Draw(t, "start")},
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOf(directives).Draw(t, "directives")
		want := slices.Clone(all)
		list := &diag.List{}
		list.Add(rapid.SliceOf(findings).Draw(t, "findings")...)
		sweeps := sweepsOf(all)
		for _, f := range list.Sorted() {
			covered := false
			for i := range want {
				if d := &want[i]; d.reason != "" && d.rule == f.Rule && d.at.File == f.Span.File && d.from <= f.Span.Start && f.Span.Start < d.to {
					d.used, covered = true, true
				}
			}
			if got := sweeps.silence(f); got != covered {
				t.Fatalf("%s at %d of %s: got silenced %t", f.Rule, f.Span.Start, f.Span.File.Name, got)
			}
		}
		if !slices.Equal(all, want) {
			t.Fatalf("got %+v, want %+v", all, want)
		}
	})
}
