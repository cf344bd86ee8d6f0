package prose

import "strings"

// View says how a report is shown. The zero value shows it in 80 columns without
// colour.
type View struct {
	// Width is the number of columns; 0 is 80.
	Width int
	// Color marks what matters with the colours of a terminal.
	Color bool
	// Origin says where the profile came from: "--ocelot".
	Origin string
	// Verbose names everything of which the same is said.
	Verbose bool
}

const (
	leastWidth = 40
	usualWidth = 80
	// mostNamed is how many things are named beside the first one of a block.
	mostNamed = 6
)

// Columns returns the columns that a text has, 40 at least.
func (v View) Columns() int {
	if v.Width <= 0 {
		return usualWidth
	}
	return max(v.Width, leastWidth)
}

// Style is how a terminal marks a text; the zero value is Plain.
type Style string

// The styles.
const (
	Plain  Style = ""
	Bold   Style = "1"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
)

// Paint marks a text where colour is wanted.
func (v View) Paint(style Style, text string) string {
	if !v.Color || text == "" || style == Plain {
		return text
	}
	return "\x1b[" + string(style) + "m" + text + "\x1b[0m"
}

// Also names things of which the same is true as the first of a block: all of
// them where the view is verbose.
func (v View) Also(names []string) string {
	if v.Verbose {
		return Also(names, 0)
	}
	return Also(names, mostNamed)
}

// Pad fills a text with spaces up to a number of columns.
func Pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-Wide(text), 0))
}
