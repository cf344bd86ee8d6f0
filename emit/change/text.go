package change

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/prose"
)

// View says how a report is shown.
type View = prose.View

// Text writes a report for people at a terminal: less protected routes first,
// one line for each thing that changes, with the line that causes it.
func Text(w io.Writer, r *Report, view View) error {
	t := texting{Report: r, View: view, several: r.severalFiles()}
	t.head()
	for i := range r.Settings {
		t.line("~", "gateway", &r.Settings[i], i == 0)
	}
	for i := range r.Requests {
		t.request(&r.Requests[i])
	}
	for _, b := range blocks(r.Routes) {
		for n := range b.First.Changes {
			t.line(mark(b.First), b.First.title(), &b.First.Changes[n], n == 0)
		}
		if text := t.alsoText(&b); text != "" {
			prose.Paragraph(&t.b, "    ", "    ", prose.Printable(text), t.Columns())
		}
	}
	prose.Paragraph(&t.b, "", "  ", r.Summary, view.Columns())
	if _, err := io.WriteString(w, t.b.String()); err != nil {
		return fmt.Errorf("write the difference: %w", err)
	}
	return nil
}

// texting is the making of one text.
type texting struct {
	*Report
	View
	b       strings.Builder
	several bool
}

// head says what is compared, whose answer it is, and which side does not start.
func (t *texting) head() {
	for _, line := range t.heading(t.Origin) {
		prose.Paragraph(&t.b, "", "  ", line, t.Columns())
	}
	for _, side := range []*Gateway{&t.Old, &t.New} {
		if text := side.refusal(); text != "" {
			t.b.WriteString(t.paintLines(prose.Red, func(b *strings.Builder) { prose.Paragraph(b, "", "  ", text, t.Columns()) }))
		}
	}
}

func (t *texting) paintLines(style prose.Style, write func(*strings.Builder)) string {
	var b strings.Builder
	write(&b)
	return t.Paint(style, strings.TrimRight(b.String(), "\n")) + "\n"
}

// heading are the lines above a report.
func (r *Report) heading(origin string) []string {
	whose := func(g *Gateway) string {
		text := g.Profile
		switch {
		case g.Kind == "plan":
		case origin != "":
			text += " (" + origin + ")"
		case g.Ocelot == nil:
			text += " (say --ocelot VERSION for yours)"
		}
		return text
	}
	named := func(g *Gateway) string {
		if g.Assumption != "" {
			return g.Assumption // it names the folder
		}
		return g.Path
	}
	a, b := whose(&r.Old), whose(&r.New)
	if r.Old.Profile == r.New.Profile {
		return []string{named(&r.Old) + " → " + named(&r.New) + " · " + b}
	}
	return []string{"old: " + named(&r.Old) + " · " + a, "new: " + named(&r.New) + " · " + b}
}

// refusal says that Ocelot does not start with a side; "" where it does.
func (g *Gateway) refusal() string {
	switch {
	case g.Starts:
		return ""
	case !g.Readable:
		return fmt.Sprintf("Ocelot would not start with %s: it is not JSON (`margay lint` shows the place)", g.Path)
	case len(g.Errors) == 0:
		return fmt.Sprintf("Ocelot would not start with %s", g.Path)
	}
	text := fmt.Sprintf("Ocelot would not start with %s: %s", g.Path, firstLine(g.Errors[0].Message))
	if at := g.Errors[0].At; at != nil {
		text += fmt.Sprintf(" (line %d)", at.Line)
	}
	if n := len(g.Errors) - 1; n > 0 {
		text += fmt.Sprintf(", and %s", prose.Plural(int64(n), "more error"))
	}
	return text
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return prose.Printable(strings.TrimRight(line, "\r"))
}

func mark(r *Route) string {
	switch {
	case r.LessProtected:
		return "!"
	case r.Kind == Added:
		return "+"
	case r.Kind == Removed, r.Kind == Dropped:
		return "-"
	}
	return "~"
}

func (r *Route) title() string {
	if r.OldID != nil {
		return r.ID + " (was " + *r.OldID + ")"
	}
	return r.ID
}

var markStyles = map[string]prose.Style{"!": prose.Red, "+": prose.Green, "-": prose.Yellow, "~": prose.Plain}

// columns of a line: mark and name, what changes, and where.
const (
	nameColumn  = 26
	placeColumn = 16
	gapColumn   = 2
)

// line writes one change. The name of the route stands in front of its first one
// only, in a line of its own where it is long.
func (t *texting) line(mark, name string, c *Change, first bool) {
	label := ""
	if first {
		label = mark + " " + prose.Printable(name)
	}
	if prose.Wide(label) > nameColumn-gapColumn {
		prose.Paragraph(&t.b, "", "    ", label, t.Columns())
		label = ""
	}
	text := c.Text
	if c.LessProtected {
		text = "less protected: " + text
	}
	entry := prose.Entry{Label: label, Text: prose.Printable(text), Where: t.where(c.At), LabelColumn: nameColumn, PlaceColumn: placeColumn}
	for i, line := range entry.Lines(t.Columns()) {
		t.b.WriteString(t.Paint(style(mark, i == 0 && first), line) + "\n")
	}
	if c.Detail != "" {
		indent := strings.Repeat(" ", nameColumn)
		prose.Paragraph(&t.b, indent, indent, prose.Printable(c.Detail), t.Columns())
	}
}

func style(mark string, first bool) prose.Style {
	if !first {
		return prose.Plain
	}
	return markStyles[mark]
}

// request writes a request that moves.
func (t *texting) request(r *Request) {
	mark := "~"
	text := fmt.Sprintf("%s now reaches %s instead of %s", r.Request, route404(r.New), route404(r.Old))
	if r.LessProtected {
		mark, text = "!", "less protected: "+text
	}
	t.line(mark, "order of routes", &Change{Text: text, At: r.At}, true)
}

func route404(id *string) string {
	if id == nil {
		return "no route (404)"
	}
	return *id
}

// where names a line: with the file where there are several, and as removed where
// it is in the old side.
func (t *texting) where(p *Place) string {
	if p == nil {
		return ""
	}
	text := fmt.Sprintf("line %d", p.Line)
	if t.several {
		name := strings.TrimSuffix(path.Base(p.File), ".json")
		text = fmt.Sprintf("%s:%d", strings.TrimPrefix(name, "ocelot."), p.Line)
	}
	if p.Side == oldSide {
		text += " removed"
	}
	return text
}

// severalFiles says whether one side has several files.
func (r *Report) severalFiles() bool {
	if r.Old.Files > 1 || r.New.Files > 1 {
		return true
	}
	files := map[string][]string{}
	add := func(p *Place) {
		if p != nil && !slices.Contains(files[p.Side], p.File) {
			files[p.Side] = append(files[p.Side], p.File)
		}
	}
	for i := range r.Routes {
		add(r.Routes[i].At)
		for _, c := range r.Routes[i].Changes {
			add(c.At)
		}
	}
	for _, c := range r.Settings {
		add(c.At)
	}
	return len(files[oldSide]) > 1 || len(files[newSide]) > 1
}
