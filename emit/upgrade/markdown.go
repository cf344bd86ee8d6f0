package upgrade

import (
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/prose"
)

// Markdown writes a report as a comment on a pull request.
func Markdown(w io.Writer, r *Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n%s\n", prose.EscapeMarkdown(r.Summary), prose.EscapeMarkdown(r.headline("")))
	t := texting{Report: r}
	for _, d := range dangers {
		t.markdownSection(&b, d.danger, d.heading)
	}
	if r.Unchanged > 0 && r.Changed {
		fmt.Fprintf(&b, "\n%s %s.\n", prose.Plural(int64(r.Unchanged), "route"), stay(r.Unchanged))
	}
	if len(r.Steps) > 0 {
		b.WriteString("\n### Outside of the file\n\n")
	}
	for i, s := range r.Steps {
		fmt.Fprintf(&b, "%d. %s%s\n", i+1, prose.EscapeMarkdown(s.Text), numbers(s.Surprises))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

func numbers(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

func (t *texting) markdownSection(b *strings.Builder, d Danger, heading string) {
	started := false
	row := func(name string, item *Item, first bool) {
		if !started {
			started = true
			fmt.Fprintf(b, "\n### %s\n\n| Route | What changes | Line |\n|---|---|---|\n", strings.ToUpper(heading[:1])+heading[1:])
		}
		cell := ""
		if first {
			cell = "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(prose.Printable(name)) + "`"
		}
		text := prose.EscapeMarkdown(prose.Printable(item.Text)) + numbers(item.Surprises)
		if item.Detail != "" {
			text += "<br>" + prose.EscapeMarkdown(prose.Printable(item.Detail))
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", cell, text, prose.EscapeMarkdown(t.where(item.At)))
	}
	for i := range t.Gateway {
		if t.Gateway[i].Danger == d {
			row("the gateway", &t.Gateway[i], true)
		}
	}
	for _, group := range blocks(t.Routes) {
		if group.First.Danger != d {
			continue
		}
		for n := range group.First.Changes {
			row(group.First.ID, &group.First.Changes[n], n == 0)
		}
		if text := t.alsoText(&group); text != "" {
			fmt.Fprintf(b, "| | %s | |\n", prose.EscapeMarkdown(prose.Printable(text)))
		}
	}
}
