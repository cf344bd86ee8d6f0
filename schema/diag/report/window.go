package report

import (
	"strings"

	"github.com/margay-dev/margay/schema/source"
)

// window is the part of a line that fits on the screen.
type window struct {
	cells      []cell
	cutL, cutR bool // text has been left out there
}

const ellipsis = "…"

// cut returns the part of a line that is at most so wide and in which the
// text from an offset on can be seen, with something before it.
func cut(cells []cell, limit, from, to int) window {
	total, before, marked := 0, 0, 0
	for _, c := range cells {
		total += c.width
		switch {
		case c.to <= from:
			before += c.width
		case c.from < to:
			marked += c.width
		}
	}
	if total <= limit {
		return window{cells: cells}
	}
	room := limit - 2*len(" ")
	// The mark stands in the middle if it fits, else a third from the left.
	left := before - max((room-marked)/2, room/3)
	left = max(0, min(left, total-room))
	w := window{cutL: left > 0}
	column := 0
	for _, c := range cells {
		switch {
		case column < left:
		case column+c.width > left+room:
			w.cutR = true
		case !w.cutR:
			w.cells = append(w.cells, c)
		}
		column += c.width
	}
	return w
}

func (w window) text() string {
	var b strings.Builder
	if w.cutL {
		b.WriteString(ellipsis)
	}
	for _, c := range w.cells {
		b.WriteString(c.text)
	}
	if w.cutR {
		b.WriteString(ellipsis)
	}
	return strings.TrimRight(b.String(), " ")
}

// place returns the columns of a span: how many stand before it and how many
// it takes, at least one. ok is false if it lies outside of the window.
func (w window) place(s source.Span) (before, size int, ok bool) {
	if w.cutL {
		before++
	}
	end := max(s.End, s.Start+1)
	for _, c := range w.cells {
		switch {
		case c.to <= s.Start:
			before += c.width
		case c.from < end:
			size += c.width
			ok = true
		}
	}
	if len(w.cells) == 0 {
		return before, 1, true
	}
	last, first := w.cells[len(w.cells)-1], w.cells[0]
	if !ok && s.Start >= last.to && !w.cutR { // behind the end of the line
		return before, 1, true
	}
	return before, max(size, 1), ok && s.Start >= first.from
}
