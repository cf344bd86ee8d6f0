package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
)

// MarkdownMark is the first line of the Markdown format: a comment by which a
// program finds the comment of an earlier run, to replace it.
const MarkdownMark = "<!-- margay -->"

// markdownMost is how many bytes of findings are printed. GitHub refuses a
// comment of more than 65 536 characters.
const markdownMost = 60_000

// Markdown returns the printer for a comment on a pull request: a list of what
// is found, the worst first, findings with one cause as one item. What does
// not fit into a comment is counted. Texts mention nobody and link to nothing.
func Markdown(opts Options) Printer { return markdownPrinter{opts} }

type markdownPrinter struct{ Options }

// Print implements Printer.
func (p markdownPrinter) Print(w io.Writer, ds []diag.Diagnostic) error {
	mask := p.masker()
	list := blocks(p.shown(ds))
	slices.SortStableFunc(list, func(a, b block) int { return cmp.Compare(b.Severity, a.Severity) })
	items, left := markdownItems(list, mask)
	head := MarkdownMark + "\n\n**margay** " + markdownText((&textPrinter{Options: p.Options}).lastLine(p.summarize(ds))) + "\n"
	for _, line := range p.left() {
		head += "\n" + markdownText(mask.line(line)) + "\n"
	}
	if left > 0 {
		items += fmt.Sprintf("- … and %d more\n", left)
	}
	if items != "" {
		head += "\n"
	}
	_, err := io.WriteString(w, harmless(head+items))
	return err
}

// markdownItems returns the items that fit into a comment, and how many
// findings are left.
func markdownItems(list []block, m masker) (items string, left int) {
	var b strings.Builder
	for i := range list {
		if left == 0 {
			if item := markdownItem(&list[i], m); b.Len()+len(item) <= markdownMost {
				b.WriteString(item)
				continue
			}
		}
		left += len(list[i].all)
	}
	return b.String(), left
}

// markdownItem returns a block as an item of a list, its details as a list in
// it.
func markdownItem(b *block, m masker) string {
	head := "- **" + b.Severity.String() + "** "
	if b.Span.File != nil {
		head += markdownCode(where(b.Span)) + " "
	}
	head += markdownText(m.line(b.Message)) + " " + markdownCode(b.Rule) + "\n"
	details := []string{b.count(), markdownText(m.line(b.Effect))}
	if b.Ocelot != "" {
		details = append(details, "Ocelot says: "+markdownCode(m.line(b.Ocelot)))
	}
	if b.Help != "" {
		details = append(details, "help: "+markdownText(m.line(b.Help)))
	}
	if b.Fix != nil && !b.Fix.Unsafe && b.Fix.Title != "" {
		details = append(details, "fix: "+markdownText(m.line(b.Fix.Title))+" ("+markdownCode("--fix")+" does it)")
	}
	for _, detail := range details {
		if detail != "" {
			head += "  - " + detail + "\n"
		}
	}
	return head
}
