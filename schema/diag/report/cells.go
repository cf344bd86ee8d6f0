package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/margay-dev/margay/schema/prose"
	"github.com/margay-dev/margay/schema/source"
)

// cell is one character of a line as it is shown.
type cell struct {
	text     string
	width    int // columns
	from, to int // offsets in the file's text
}

// tabStop is how far tabs are apart in excerpts.
const tabStop = len("    ")

// cells returns a line as it is shown, or of a long line the part that is at
// most reach bytes away from an offset: tabs as blanks, secrets hidden, and
// characters that do something to a terminal, or that change the order of
// others, by their numbers.
func (m masker) cells(f *source.File, line, around, reach int) []cell {
	first := f.LineStart(line)
	end := first + len(f.Line(line))
	from, to := max(first, around-reach), min(end, around+reach)
	for from > first && !utf8.RuneStart(f.Text[from]) {
		from--
	}
	for to < end && !utf8.RuneStart(f.Text[to]) {
		to++
	}
	text := string(f.Text[from:max(from, to)])
	out := make([]cell, 0, len(text))
	column := 0
	for at := from; at < to; {
		var c cell
		if secret, ok := m.at(f, at); ok {
			c = cell{text: hidden, width: len(hidden), from: at, to: secret.End}
		} else {
			c = cellOf(text[at-from:], at, column)
		}
		out = append(out, c)
		column += c.width
		at = c.to
	}
	return out
}

// cellOf returns the first character of a text that begins at an offset and is
// shown in a column.
func cellOf(text string, at, column int) cell {
	r, size := utf8.DecodeRuneInString(text)
	c := cell{text: text[:size], from: at, to: at + size}
	switch {
	case r >= ' ' && r < 0x7F:
		c.width = 1
	case r == '\t':
		c.text = "    "[column%tabStop:]
		c.width = len(c.text)
	case dangerous(r):
		c.text = fmt.Sprintf("<U+%04X>", r)
		c.width = len(c.text)
	default:
		c.width = prose.Columns(r)
	}
	return c
}

// dangerous says whether a character must not reach a terminal as it is:
// control characters, line separators, and marks that reorder text.
func dangerous(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
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
