package change

import (
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/prose"
)

// Markdown writes a report as a comment on a pull request.
func Markdown(w io.Writer, r *Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n", prose.EscapeMarkdown(r.Summary))
	for _, line := range r.heading("") {
		b.WriteString("\n" + prose.EscapeMarkdown(line) + "\n")
	}
	for _, side := range []*Gateway{&r.Old, &r.New} {
		if text := side.refusal(); text != "" {
			b.WriteString("\n> **" + prose.EscapeMarkdown(text) + "**\n")
		}
	}
	r.markdownRows(&b)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write the difference: %w", err)
	}
	return nil
}

func (r *Report) markdownRows(b *strings.Builder) {
	if len(r.Settings)+len(r.Requests)+len(r.Routes) == 0 {
		return
	}
	b.WriteString("\n| | Route | What changes | Line |\n|---|---|---|---|\n")
	t := texting{Report: r, several: r.severalFiles()}
	for i := range r.Settings {
		t.markdownRow(b, "~", "gateway", &r.Settings[i])
	}
	for i := range r.Requests {
		q := &r.Requests[i]
		text := fmt.Sprintf("%s now reaches %s instead of %s", q.Request, route404(q.New), route404(q.Old))
		t.markdownRow(b, "~", "order of routes", &Change{Text: text, At: q.At, LessProtected: q.LessProtected})
	}
	for _, group := range blocks(r.Routes) {
		for n := range group.First.Changes {
			name := ""
			if n == 0 {
				name = group.First.title()
			}
			t.markdownRow(b, mark(group.First), name, &group.First.Changes[n])
		}
		if text := t.alsoText(&group); text != "" {
			fmt.Fprintf(b, "| | | %s | |\n", prose.EscapeMarkdown(prose.Printable(text)))
		}
	}
}

func (t *texting) markdownRow(b *strings.Builder, mark, name string, c *Change) {
	if name != "" {
		name = "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(prose.Printable(name)) + "`"
	}
	text := prose.EscapeMarkdown(prose.Printable(c.Text))
	if c.LessProtected {
		text = "**less protected:** " + text
		mark = "⚠️"
	}
	if c.Detail != "" {
		text += "<br>" + prose.EscapeMarkdown(prose.Printable(c.Detail))
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s |\n", mark, name, text, prose.EscapeMarkdown(t.where(c.At)))
}
