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
)

// Lines returns the lines of an entry on a screen of so many columns. On a narrow
// one the place goes behind the text.
func (e Entry) Lines(width int) []string {
	text, where := e.Text, e.Where
	room := width - e.LabelColumn
	if where != "" {
		room -= max(Wide(where), e.PlaceColumn) + placeGap
	}
	if room < narrowestRow {
		text, where = strings.TrimSuffix(text+", "+where, ", "), ""
		room = max(width-e.LabelColumn, narrowestRow)
	}
	var lines []string
	label := e.Label
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
