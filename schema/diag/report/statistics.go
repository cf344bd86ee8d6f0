package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

// Statistics returns the printer of a table that counts findings by rule, the
// worst and most frequent first: where to begin with an old gateway.
func Statistics(opts Options) Printer { return statisticsPrinter{opts} }

type statisticsPrinter struct{ Options }

// tally is what there is of one rule with one severity.
type tally struct {
	rule            string
	severity        diag.Severity
	files           map[*source.File]bool
	findings, fixed int
}

// Print implements Printer.
func (p statisticsPrinter) Print(w io.Writer, ds []diag.Diagnostic) error {
	out := bufio.NewWriter(w)
	if all := tallies(p.shown(ds)); len(all) > 0 {
		fmt.Fprintf(out, "%8s  %5s  %5s  %-8s  %s\n", "findings", "--fix", "files", "severity", "rule")
		for _, t := range all {
			fmt.Fprintf(out, "%8d  %5d  %5d  %-8s  %s\n", t.findings, t.fixed, len(t.files), t.severity, t.rule)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, (&textPrinter{Options: p.Options}).lastLine(p.summarize(ds)))
	mask := p.masker()
	for _, line := range p.left() {
		fmt.Fprintln(out, mask.line(line))
	}
	return out.Flush()
}

func tallies(ds []diag.Diagnostic) []*tally {
	type key struct {
		rule     string
		severity diag.Severity
	}
	known := map[key]*tally{}
	var all []*tally
	for i := range ds {
		d := &ds[i]
		t := known[key{d.Rule, d.Severity}]
		if t == nil {
			t = &tally{rule: d.Rule, severity: d.Severity, files: map[*source.File]bool{}}
			known[key{d.Rule, d.Severity}] = t
			all = append(all, t)
		}
		t.findings++
		if d.Span.File != nil {
			t.files[d.Span.File] = true
		}
		if d.Fix != nil && !d.Fix.Unsafe {
			t.fixed++
		}
	}
	slices.SortFunc(all, func(a, b *tally) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(b.findings, a.findings), cmp.Compare(a.rule, b.rule))
	})
	return all
}
