package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/margay-dev/margay/schema/prose"
	"github.com/margay-dev/margay/schema/source"
)

// mark is a span to show under a line of an excerpt.
type mark struct {
	span    source.Span
	line    int
	message string
	primary bool
}

// near is how many lines a related place may be away to be shown in the
// excerpt of its finding.
const near = 8

// marks returns what of a block is shown in one excerpt, in the order of the
// lines, and what is too far away for it.
func (b *block) marks() (inside []mark, outside []mark) {
	if b.Span.File == nil {
		for _, r := range b.Related {
			outside = append(outside, markOf(r.Span, r.Message))
		}
		return nil, outside
	}
	own := markOf(b.Span, "")
	own.primary = true
	inside = []mark{own}
	for _, r := range b.Related {
		m := markOf(r.Span, r.Message)
		if r.Span.File == b.Span.File && max(m.line-own.line, own.line-m.line) <= near {
			inside = append(inside, m)
		} else {
			outside = append(outside, m)
		}
	}
	slices.SortStableFunc(inside, func(a, b mark) int { return cmp.Compare(a.line, b.line) })
	return inside, outside
}

func markOf(s source.Span, message string) mark {
	return mark{span: s, line: s.Position().Line, message: message}
}

// snippet writes the lines of marks with the marks under them.
func (p *textPrinter) snippet(w io.Writer, marks []mark) {
	gutter := max(len(fmt.Sprint(marks[len(marks)-1].line)), 5)
	for i := 0; i < len(marks); {
		line := marks[i].line
		end := i + 1
		for end < len(marks) && marks[end].line == line {
			end++
		}
		if i > 0 && line > marks[i-1].line+1 {
			fmt.Fprintln(w, p.paint(dim, strings.Repeat(" ", gutter+1)+"⋮"))
		}
		p.line(w, gutter, marks[i:end])
		i = end
	}
}

// line writes one line with its marks; the window shows the first of them, or
// the finding's own.
func (p *textPrinter) line(w io.Writer, gutter int, marks []mark) {
	slices.SortStableFunc(marks, func(a, b mark) int {
		if a.primary != b.primary {
			return map[bool]int{true: -1, false: 1}[a.primary]
		}
		return cmp.Compare(a.span.Start, b.span.Start)
	})
	first := marks[0].span
	room := p.width() - gutter - len(" | ")
	// Four bytes a column are more than any text needs.
	cells := p.mask.cells(first.File, marks[0].line, first.Start, room*utf8.UTFMax)
	win := cut(cells, room, first.Start, first.End)
	fmt.Fprintf(w, "%s %s\n", p.paint(dim, fmt.Sprintf("%*d |", gutter, marks[0].line)), win.text())
	for _, m := range marks {
		before, size, ok := win.place(m.span)
		sign, style := "-", dim
		if m.primary {
			sign, style = "^", p.severity
		}
		text := safe(p.mask.text(m.message))
		if !ok {
			// The mark is off the screen: say where it is instead.
			before, size, sign = 0, 1, "…"
			text = fmt.Sprintf("column %d: %s", m.span.Position().Column, text)
		}
		p.under(w, gutter, before, strings.Repeat(sign, size), text, style)
	}
}

// under writes signs below a line of an excerpt and the text that belongs to them
// behind them, or where it does not fit there, in lines of its own.
func (p *textPrinter) under(w io.Writer, gutter, before int, signs, text string, s style) {
	row := func(indent int, text string) {
		fmt.Fprintf(w, "%s %s%s\n", p.paint(dim, strings.Repeat(" ", gutter+1)+"|"), strings.Repeat(" ", indent), p.paint(s, text))
	}
	room := p.width() - gutter - len(" | ")
	whole := strings.TrimRight(signs+" "+text, " ")
	if before+prose.Wide(whole) <= room {
		row(before, whole)
		return
	}
	row(before, signs)
	indent := max(0, min(before, room-prose.Wide(text)))
	for _, line := range prose.Wrap(text, room-indent) {
		row(indent, line)
	}
}
