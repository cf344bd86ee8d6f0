package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
)

// GitHub returns the printer of workflow commands, which GitHub Actions shows
// as annotations on the lines of a pull request. GitHub shows only a few per
// step, so findings with one cause are one annotation.
func GitHub(opts Options) Printer { return githubPrinter{opts} }

type githubPrinter struct{ Options }

// Print implements Printer.
func (p githubPrinter) Print(w io.Writer, ds []diag.Diagnostic) error {
	out := bufio.NewWriter(w)
	mask := p.masker()
	for _, b := range blocks(p.shown(ds)) {
		fmt.Fprintf(out, "::%s %s::%s\n", level(b.Severity), p.properties(&b), githubData.Replace(message(&b, mask)))
	}
	return out.Flush()
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
		list = append(list, "file="+githubProperty.Replace(safe(slashed(b.Span.File.Name))), fmt.Sprintf("line=%d", from.Line), fmt.Sprintf("endLine=%d", to.Line))
		if from.Line == to.Line {
			list = append(list, fmt.Sprintf("col=%d", from.Column), fmt.Sprintf("endColumn=%d", max(to.Column-1, from.Column)))
		}
	}
	return strings.Join(append(list, "title="+githubProperty.Replace(b.Rule)), ",")
}

func message(b *block, m masker) string {
	d := b.Diagnostic
	if count := b.count(); count != "" {
		d.Message += " (" + count + ")"
	}
	return strings.Join(m.prose(&d), "\n")
}

// Escapes of workflow commands: data ends at the line's end, properties also
// at commas and colons.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
