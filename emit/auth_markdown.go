package emit

import (
	"fmt"
	"io"
	"strings"
)

// AccessMarkdown writes what AccessTable writes, as Markdown for a pull request.
func AccessMarkdown(w io.Writer, results []*Result, view View) error {
	var b strings.Builder
	for i, r := range results {
		if i > 0 {
			b.WriteString("\n")
		}
		newAccessView(r).markdown(&b, view)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write Markdown: %w", err)
	}
	return nil
}

func (v *accessView) markdown(b *strings.Builder, view View) {
	b.WriteString(escapeMarkdown(Headline(v.Result, view.Origin)) + "\n\n")
	if text := v.refusal(); text != "" {
		b.WriteString("**" + escapeMarkdown(text) + "**\n\n")
	}
	var notes footnotes
	all := v.callers(view)
	if len(all) == 0 {
		b.WriteString(escapeMarkdown(v.noRoutes(view)) + "\n")
		return
	}
	b.WriteString("| # | Route | Authentication | Claims | Addresses | From |\n|--:|---|---|---|---|---|\n")
	for i := range all {
		cells := v.cells(&all[i], &notes)
		for c := range cells {
			if c == accessRoute {
				cells[c] = "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(cells[c]) + "`"
			} else {
				cells[c] = escapeMarkdown(cells[c])
			}
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	if len(notes.texts) > 0 {
		b.WriteString("\n")
	}
	for i, text := range notes.texts {
		fmt.Fprintf(b, "%s %s  \n", superscript(i+1), escapeMarkdown(text))
	}
	for i, text := range v.accessLosses() {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("* " + escapeMarkdown(text) + "\n")
	}
}
