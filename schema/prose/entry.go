package prose

import "strings"

// Entry is a label, what is said of it, and the place that says so, laid out in
// three columns.
type Entry struct {
	Label, Text string
	// Where is the place; "" for none.
	Where string
	// LabelColumn and PlaceColumn are the widths of the outer columns; a longer
	// place takes more.
	LabelColumn, PlaceColumn int
}

// The blanks between a text and its place, and the columns that a text has to
// have for a place beside it.
const (
	placeGap     = 2
	narrowestRow = 16
	// narrowIndent is what a text below its label is set in by.
	narrowIndent = 4
)

// Lines returns the lines of an entry on a screen of so many columns. On a narrow
// one the place goes behind the text, and on a very narrow one that goes below the
// label.
func (e Entry) Lines(width int) []string {
	text, where := e.Text, e.Where
	room := width - e.LabelColumn
	if where != "" {
		room -= max(Wide(where), e.PlaceColumn) + placeGap
	}
	if room < narrowestRow {
		text, where = strings.TrimSuffix(text+", "+where, ", "), ""
		room = width - e.LabelColumn
	}
	label := e.Label
	var lines []string
	if room < narrowestRow && Wide(text) > room {
		if label != "" {
			lines = append(lines, label)
		}
		label, e.LabelColumn = "", min(narrowIndent, e.LabelColumn)
		room = max(width-e.LabelColumn, narrowestRow)
	}
	for i, line := range Wrap(text, room) {
		out := Pad(label, e.LabelColumn) + line
		if i == 0 && where != "" {
			out = Pad(out, e.LabelColumn+room+placeGap) + where
		}
		lines = append(lines, strings.TrimRight(out, " "))
		label = ""
	}
	return lines
}
