package emit

import (
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/normalize"
)

// titles are the two lines over the columns.
var titles = [2][columnCount]string{
	{"", "", "breaker", "", "attempt", "outer", ""},
	{"#", "route", "opens after", "stays open", "timeout", "timeout", "from"},
}

// gap is the number of columns between two cells.
const gap = 2

// Table writes what every route gets, for people: one table for each result.
// Long names go on in the next line, so nothing is cut off. Cells on which the
// documentation and the program differ carry a mark that a note below explains.
func Table(w io.Writer, results []*Result, view View) error {
	var b strings.Builder
	for i, r := range results {
		if i > 0 {
			b.WriteString("\n")
		}
		r.table(&b, view)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}

func (r *Result) table(b *strings.Builder, view View) {
	paragraph(b, "", "  ", Headline(r, view.Origin), view.width())
	for _, text := range r.remarks() {
		paragraph(b, "", "  ", text, view.width())
	}
	var notes footnotes
	rows := r.rows(Select(r, view.Route), &notes)
	if len(rows) == 0 {
		b.WriteString(r.noRoutes(view) + "\n")
		r.losses(b, view)
		return
	}
	writeRows(b, rows, view)
	if len(notes.texts) > 0 {
		b.WriteString("\n")
	}
	for i, text := range notes.texts {
		mark := superscript(i + 1)
		paragraph(b, mark+" ", strings.Repeat(" ", wide(mark)+1), text, view.width())
	}
	r.losses(b, view)
}

func (r *Result) rows(routes []*normalize.Route, notes *footnotes) []row {
	rows := make([]row, 0, len(routes))
	for _, route := range routes {
		rows = append(rows, r.row(route, notes))
	}
	return rows
}

func (r *Result) noRoutes(view View) string {
	if view.Route != "" {
		return "no route in force is called " + printable(view.Route)
	}
	return "no routes"
}

// losses names the elements that Ocelot drops: whoever looks for their route
// in the table has to find the reason here.
func (r *Result) losses(b *strings.Builder, view View) {
	for i := range r.Config.Dropped {
		paragraph(b, "", "  ", r.loss(&r.Config.Dropped[i]), view.width())
	}
}

// writeRows lays the cells out in columns.
func writeRows(b *strings.Builder, rows []row, view View) {
	needs := make([]int, columnCount)
	for _, line := range titles {
		for c, text := range line {
			needs[c] = max(needs[c], wide(text))
		}
	}
	for i := range rows {
		for c, text := range rows[i].cells {
			needs[c] = max(needs[c], wide(text))
		}
	}
	widths := columns(needs, view.width(),
		narrowing{routeColumn: 13, fromColumn: 10, opensColumn: 19}, narrowing{routeColumn: 10, fromColumn: 8, opensColumn: 12})
	for _, line := range titles {
		b.WriteString(view.bold(oneLine(line[:], widths)) + "\n")
	}
	for i := range rows {
		writeRow(b, &rows[i], widths, view)
	}
}

func writeRow(b *strings.Builder, r *row, widths []int, view View) {
	var cells [columnCount][]string
	height := 0
	for c, text := range r.cells {
		cells[c] = wrap(text, widths[c])
		height = max(height, len(cells[c]))
	}
	for y := range height {
		line := make([]string, columnCount)
		for c := range cells {
			if y < len(cells[c]) {
				line[c] = cells[c][y]
			}
		}
		b.WriteString(oneLine(line, widths) + "\n")
	}
	if r.under != "" {
		indent := strings.Repeat(" ", widths[numberColumn]+gap)
		paragraph(b, indent, indent+"  ", r.under, view.width())
	}
}

func oneLine(cells []string, widths []int) string {
	var b strings.Builder
	for c, text := range cells {
		if c > 0 {
			b.WriteString(strings.Repeat(" ", gap))
		}
		b.WriteString(pad(text, widths[c]))
	}
	return strings.TrimRight(b.String(), " ")
}
