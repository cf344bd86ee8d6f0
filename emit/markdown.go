package emit

import (
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/prose"
)

// Markdown writes what Table writes, as Markdown for a pull request.
func Markdown(w io.Writer, results []*Result, view View) error {
	var b strings.Builder
	for i, r := range results {
		if i > 0 {
			b.WriteString("\n")
		}
		r.markdown(&b, view)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write Markdown: %w", err)
	}
	return nil
}

func (r *Result) markdown(b *strings.Builder, view View) {
	b.WriteString(escapeMarkdown(Headline(r, view.Origin)) + "\n\n")
	if text := r.refusal(); text != "" {
		b.WriteString("**" + escapeMarkdown(text) + "**\n\n")
	}
	var notes footnotes
	rows := r.rows(Select(r, view.Route), &notes)
	if len(rows) == 0 {
		b.WriteString(escapeMarkdown(r.noRoutes(view)) + "\n")
		return
	}
	b.WriteString("| # | Route | Breaker opens after | stays open | Attempt timeout | Outer timeout | From |\n")
	b.WriteString("|--:|---|---|---|---|---|---|\n")
	for i := range rows {
		markdownRow(b, &rows[i])
	}
	if len(notes.texts) > 0 {
		b.WriteString("\n")
	}
	for i, text := range notes.texts {
		fmt.Fprintf(b, "%s %s  \n", superscript(i+1), escapeMarkdown(text))
	}
	if len(r.Config.Dropped) > 0 {
		b.WriteString("\n")
	}
	var lost strings.Builder
	r.losses(&lost, View{Width: 1 << 20})
	for line := range strings.Lines(lost.String()) {
		b.WriteString("* " + escapeMarkdown(line))
	}
}

func markdownRow(b *strings.Builder, r *row) {
	cells := r.cells
	cells[routeColumn] = "`" + strings.ReplaceAll(strings.ReplaceAll(cells[routeColumn], "`", "'"), "|", `\|`) + "`"
	for c := range cells {
		if c != routeColumn {
			cells[c] = escapeMarkdown(cells[c])
		}
	}
	if r.under != "" {
		cells[routeColumn] += "<br>" + escapeMarkdown(r.under)
	}
	b.WriteString("| " + strings.Join(cells[:], " | ") + " |\n")
}

func escapeMarkdown(text string) string { return prose.EscapeMarkdown(text) }
