package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
)

// Azure returns the printer of logging commands, which Azure Pipelines shows
// as issues of the step. Findings with one cause are one issue. Remarks are
// lines of the log, since issues are errors or warnings.
func Azure(opts Options) Printer { return azurePrinter{opts} }

type azurePrinter struct{ Options }

// Print implements Printer.
func (p azurePrinter) Print(w io.Writer, ds []diag.Diagnostic) error {
	out := bufio.NewWriter(w)
	mask := p.masker()
	for _, b := range blocks(p.shown(ds)) {
		text := message(&b, mask)
		if b.Severity == diag.Info {
			fmt.Fprintln(out, harmless(withoutCommands(azureRemark(&b, text))))
			continue
		}
		fmt.Fprintf(out, "##vso[task.logissue %s]%s\n", azureProperties(&b), azureData.Replace(text))
	}
	return out.Flush()
}

func azureProperties(b *block) string {
	properties := "type=" + b.Severity.String() + ";"
	if b.Span.File != nil {
		at := b.Span.Position()
		properties += fmt.Sprintf("sourcepath=%s;linenumber=%d;columnnumber=%d;", azureData.Replace(safe(fileOf(&b.Diagnostic))), at.Line, at.Column)
	}
	return properties + "code=" + azureData.Replace(b.Rule) + ";"
}

func azureRemark(b *block, text string) string {
	text = strings.ReplaceAll(text, "\n", "; ")
	if b.Span.File != nil {
		text = where(b.Span) + ": " + text
	}
	return text + " [" + b.Rule + "]"
}

// azureData has the escapes of logging commands, those that the agent takes
// back (CommandStringConvertor): the same in properties and in data.
var azureData = strings.NewReplacer("%", "%AZP25", ";", "%3B", "\r", "%0D", "\n", "%0A", "]", "%5D")
