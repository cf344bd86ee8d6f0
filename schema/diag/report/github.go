package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
)

// GitHub returns the printer of workflow commands, which GitHub Actions shows
// as annotations on the lines of a pull request. Findings with one cause are
// one annotation. GitHub shows the first ten of each level of a step and drops
// the others without a word, so the last one counts those that are left out.
func GitHub(opts Options) Printer { return githubPrinter{opts} }

type githubPrinter struct{ Options }

// Print implements Printer.
func (p githubPrinter) Print(w io.Writer, ds []diag.Diagnostic) error {
	out := bufio.NewWriter(w)
	mask := p.masker()
	kept, left := capped(blocks(p.shown(ds)))
	for _, b := range kept {
		fmt.Fprintf(out, "::%s %s::%s\n", level(b.Severity), p.properties(&b), githubData.Replace(message(&b, mask)))
	}
	for s := diag.Error; s >= diag.Info; s-- {
		if left[s] > 0 {
			fmt.Fprintf(out, "::%s title=margay::%d more of this level, which GitHub would not show; the report has them\n", level(s), left[s])
		}
	}
	return out.Flush()
}

// githubMost is how many annotations of a level GitHub shows for a step.
const githubMost = 10

// capped returns what can be shown, and how many findings of each level are
// left out.
func capped(all []block) (kept []block, left map[diag.Severity]int) {
	total, seen := map[diag.Severity]int{}, map[diag.Severity]int{}
	for i := range all {
		total[all[i].Severity]++
	}
	left = map[diag.Severity]int{}
	for _, b := range all {
		seen[b.Severity]++
		if total[b.Severity] <= githubMost || seen[b.Severity] < githubMost {
			kept = append(kept, b)
		} else {
			left[b.Severity] += len(b.all)
		}
	}
	return kept, left
}

func level(s diag.Severity) string {
	switch s {
	case diag.Error:
		return "error"
	case diag.Warning:
		return "warning"
	}
	return "notice"
}

// properties are where the annotation stands. GitHub takes columns only for a
// place on one line.
func (p githubPrinter) properties(b *block) string {
	list := []string{}
	if b.Span.File != nil {
		from, to := b.Span.Position(), b.Span.EndPosition()
		list = append(list, "file="+githubProperty.Replace(safe(slashed(p.Base.name(b.Span.File.Name)))), fmt.Sprintf("line=%d", from.Line), fmt.Sprintf("endLine=%d", to.Line))
		if from.Line == to.Line {
			list = append(list, fmt.Sprintf("col=%d", from.Column), fmt.Sprintf("endColumn=%d", max(to.Column-1, from.Column)))
		}
	}
	return strings.Join(append(list, "title="+githubProperty.Replace(b.Rule)), ",")
}

// Escapes of workflow commands: data ends at the line's end, properties also
// at commas and colons.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
