package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/margay-dev/margay/schema/source"
)

// cell is one character of a line as it is shown.
type cell struct {
	text     string
	width    int // columns
	from, to int // offsets in the file's text
}

// tabStop is how far tabs are apart in excerpts.
const tabStop = 4

// reach is how many bytes before and behind a mark are looked at in a line
// that is longer: far more than any screen is wide.
const reach = 2048

// cells returns the part of a line around an offset, as it is shown: tabs as
// blanks, secrets hidden, and characters that do something to a terminal, or
// that change the order of others, by their numbers.
func (m masker) cells(f *source.File, line, around int) []cell {
	text := f.Line(line)
	first := f.LineStart(line)
	end := first + len(text)
	from, to := max(first, around-reach), min(end, around+reach)
	for from > first && !utf8.RuneStart(f.Text[from]) {
		from--
	}
	for to < end && !utf8.RuneStart(f.Text[to]) {
		to++
	}
	var out []cell
	column := 0
	for at := from; at < to; {
		c := m.cell(f, at, column)
		out = append(out, c)
		column += c.width
		at = c.to
	}
	return out
}

func (m masker) cell(f *source.File, at, column int) cell {
	if s, ok := m.at(f, at); ok {
		return cell{text: hidden, width: len(hidden), from: at, to: s.End}
	}
	r, size := utf8.DecodeRune(f.Text[at:])
	c := cell{text: string(f.Text[at : at+size]), from: at, to: at + size}
	if r == '\t' {
		c.text = strings.Repeat(" ", tabStop-column%tabStop)
		c.width = len(c.text)
		return c
	}
	if dangerous(r) {
		c.text = fmt.Sprintf("<U+%04X>", r)
		c.width = len(c.text)
		return c
	}
	c.width = columns(r)
	return c
}

// dangerous says whether a character must not reach a terminal as it is:
// control characters, line separators, and marks that reorder text.
func dangerous(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

// columns returns how many columns of a terminal a character takes.
func columns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// safe returns a text for a terminal, on one line.
func safe(s string) string {
	if strings.IndexFunc(s, dangerous) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if dangerous(r) {
			fmt.Fprintf(&b, "<U+%04X>", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
