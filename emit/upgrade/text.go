package upgrade

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/schema/prose"
)

// View says how a report is shown; Origin is that of the old profile.
type View = prose.View

// Text writes a report for people at a terminal: under a heading for each danger
// the routes of which it is the worst, one line for each thing that changes.
func Text(w io.Writer, r *Report, view View) error {
	t := texting{Report: r, View: view}
	prose.Paragraph(&t.b, "", "  ", r.headline(view.Origin), view.Columns())
	for _, d := range dangers {
		t.section(d.danger, d.heading)
	}
	t.b.WriteString("\n")
	if r.Unchanged > 0 && r.Changed {
		fmt.Fprintf(&t.b, "%s %s.\n", prose.Plural(int64(r.Unchanged), "route"), stay(r.Unchanged))
	}
	t.steps()
	prose.Paragraph(&t.b, "", "  ", r.Summary, view.Columns())
	if number := r.firstSurprise(); number != "" {
		prose.Paragraph(&t.b, "", "  ", "`margay explain "+number+"` shows the page of a number; --keep writes what keeps today's behaviour.", view.Columns())
	}
	if _, err := io.WriteString(w, t.b.String()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

func stay(n int) string {
	if n == 1 {
		return "stays as it is"
	}
	return "stay as they are"
}

func (r *Report) headline(origin string) string {
	name := r.Path
	if r.Assumption != "" {
		name = r.Assumption
	}
	from := r.From.Profile
	if origin != "" {
		from += " (" + origin + ")"
	}
	return name + " · " + from + " → " + r.To.Profile
}

// firstSurprise is the number of the worst surprise; "" if there is none.
func (r *Report) firstSurprise() string {
	for i := range r.Routes {
		for _, item := range r.Routes[i].Changes {
			if len(item.Surprises) > 0 {
				return item.Surprises[0]
			}
		}
	}
	for i := range r.Gateway {
		if len(r.Gateway[i].Surprises) > 0 {
			return r.Gateway[i].Surprises[0]
		}
	}
	return ""
}

type texting struct {
	*Report
	View
	b strings.Builder
}

// section writes what has a danger as its worst.
func (t *texting) section(d Danger, heading string) {
	started := false
	start := func() {
		if !started {
			started = true
			style := prose.Bold
			if d.rank() <= Protection.rank() {
				style = prose.Red
			}
			t.b.WriteString("\n" + t.Paint(style, heading) + "\n")
		}
	}
	for i := range t.Gateway {
		if item := &t.Gateway[i]; item.Danger == d {
			start()
			t.item("the gateway", item, true)
		}
	}
	for _, b := range blocks(t.Routes) {
		if b.First.Danger != d {
			continue
		}
		start()
		for n := range b.First.Changes {
			t.item(b.First.ID, &b.First.Changes[n], n == 0)
		}
		if text := t.alsoText(&b); text != "" {
			prose.Paragraph(&t.b, "    ", "    ", prose.Printable(text), t.Columns())
		}
	}
}

// The columns of a line: the name of the route, what changes, where, and why.
const (
	nameColumn  = 24
	placeColumn = 12
	gapColumn   = 2
)

func (t *texting) item(name string, item *Item, first bool) {
	label := ""
	if first {
		label = "  " + prose.Printable(name)
	}
	if prose.Wide(label) > nameColumn-gapColumn {
		prose.Paragraph(&t.b, "", "    ", label, t.Columns())
		label = ""
	}
	text := item.Text
	if len(item.Surprises) > 0 {
		text += " [" + strings.Join(item.Surprises, ", ") + "]"
	}
	entry := prose.Entry{Label: label, Text: prose.Printable(text), Where: t.where(item.At), LabelColumn: nameColumn, PlaceColumn: placeColumn}
	for _, line := range entry.Lines(t.Columns()) {
		t.b.WriteString(line + "\n")
	}
	if item.Detail != "" {
		indent := strings.Repeat(" ", nameColumn)
		prose.Paragraph(&t.b, indent, indent, prose.Printable(item.Detail), t.Columns())
	}
}

// where names a line, with the short name of the file where there are several.
func (t *texting) where(p *change.Place) string {
	switch {
	case p == nil:
		return ""
	case t.Assumption == "":
		return fmt.Sprintf("line %d", p.Line)
	}
	name := strings.TrimSuffix(path.Base(p.File), ".json")
	return fmt.Sprintf("%s:%d", strings.TrimPrefix(name, "ocelot."), p.Line)
}

func (t *texting) steps() {
	if len(t.Steps) == 0 {
		return
	}
	t.b.WriteString("\n" + t.Paint(prose.Bold, "Outside of the file") + "\n")
	for i, s := range t.Steps {
		text := s.Text
		if len(s.Surprises) > 0 {
			text += " [" + strings.Join(s.Surprises, ", ") + "]"
		}
		prose.Paragraph(&t.b, fmt.Sprintf("  %d. ", i+1), "     ", prose.Printable(text), t.Columns())
	}
	t.b.WriteString("\n")
}
