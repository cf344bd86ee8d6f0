package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
)

// MSBuild returns the printer of lines that MSBuild and Visual Studio take for
// errors and warnings of a build step: "file(line,column): error rule: text".
// Columns count UTF-16 units, as the IDE does. Remarks are lines that MSBuild
// only writes to its log, since it knows nothing milder than a warning.
func MSBuild(opts Options) Printer { return msbuildPrinter{opts} }

type msbuildPrinter struct{ Options }

// Print implements Printer.
func (p msbuildPrinter) Print(w io.Writer, ds []diag.Diagnostic) error {
	out := bufio.NewWriter(w)
	mask := p.masker()
	for _, b := range blocks(p.shown(ds)) {
		origin, text := msbuildOrigin(&b), strings.ReplaceAll(message(&b, mask), "\n", "; ")
		if origin == "" {
			origin, text = "margay ", msbuildPlace(&b)+text
		}
		// Builds run under Azure Pipelines as well.
		fmt.Fprintln(out, withoutCommands(fmt.Sprintf("%s: %s %s: %s", origin, b.Severity, b.Rule, text)))
	}
	return out.Flush()
}

// msbuildOrigin is where a finding stands, "" where that cannot be said:
// MSBuild (CanonicalError) takes the text before the first colon for the
// origin, but for the colon of a drive. Where no category follows it looks for
// one in the origin, so the name of a file could turn a remark into an error.
func msbuildOrigin(b *block) string {
	if b.Span.File == nil || b.Severity == diag.Info {
		return ""
	}
	name := safe(b.Span.File.Name)
	if strings.Contains(strings.TrimPrefix(name, driveOf(name)), ":") {
		return ""
	}
	at := b.Span.Position()
	return fmt.Sprintf("%s(%d,%d)", name, at.Line, at.Column16)
}

// msbuildPlace begins a text whose place is not its origin.
func msbuildPlace(b *block) string {
	if b.Span.File == nil {
		return ""
	}
	return where(b.Span) + ": "
}
