package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/prose"
)

// blockIndent stands before all lines of a block but the first.
const blockIndent = "   "

// flow breaks a text into lines, of which the first has fewer columns than the
// others because something stands before it.
func flow(text string, first, others int) []string {
	const fewest = 20
	if first < fewest {
		return append([]string{""}, prose.Wrap(text, others)...)
	}
	lines := prose.Wrap(text, first)
	if len(lines) == 1 {
		return lines
	}
	rest := strings.TrimLeft(text[len(lines[0]):], " ")
	return append(lines[:1], prose.Wrap(rest, others)...)
}

// head writes the first line of a block: place, severity, message and rule. It
// stays one line where no screen shows it, since editors and grep read lines.
func (p *textPrinter) head(w io.Writer, b *block) {
	place := ""
	if b.Span.File != nil {
		place = where(b.Span) + ": "
	}
	severity, rule := b.Severity.String()+": ", "["+b.Rule+"]"
	lines := []string{p.clean(b.Message) + " " + rule}
	if p.Width > 0 {
		lines = flow(lines[0], p.width()-prose.Wide(place+severity), p.width()-len(blockIndent))
	}
	for i, line := range lines {
		before := blockIndent
		if i == 0 {
			before = p.paint(bold, strings.TrimSuffix(place, " ")) + place[len(strings.TrimSuffix(place, " ")):] + p.paint(p.severity, severity[:len(severity)-1]) + " "
		}
		text, last := strings.CutSuffix(line, rule)
		line = p.paint(bold, strings.TrimRight(text, " "))
		if last {
			line += text[len(strings.TrimRight(text, " ")):] + p.paint(dim, rule)
		}
		fmt.Fprintln(w, strings.TrimRight(before+line, " "))
	}
}

// paragraph writes a text of the report itself. It stays one line where no
// screen shows it.
func (p *textPrinter) paragraph(w io.Writer, text string) {
	lines := []string{text}
	if p.Width > 0 {
		lines = flow(text, p.width(), p.width()-len(blockIndent))
	}
	for i, line := range lines {
		if i > 0 {
			line = blockIndent + line
		}
		fmt.Fprintln(w, line)
	}
}

// note writes an indented text, if there is something to write. Further lines
// stand under the first.
func (p *textPrinter) note(w io.Writer, label, text string) {
	p.notes(w, label, text, max(p.width()-len(blockIndent)-len(label), 1))
}

// quote is note for a text that is looked for as it is: it stays one line where
// no screen shows it.
func (p *textPrinter) quote(w io.Writer, label, text string) {
	if p.Width == 0 {
		p.notes(w, label, text, len(text)+1)
		return
	}
	p.note(w, label, text)
}

func (p *textPrinter) notes(w io.Writer, label, text string, width int) {
	if text == "" {
		return
	}
	first := true
	for line := range strings.SplitSeq(strings.TrimRight(text, "\r\n"), "\n") {
		for _, part := range prose.Wrap(p.clean(strings.TrimRight(line, "\r")), width) {
			before := blockIndent + strings.Repeat(" ", len(label))
			if first && label != "" {
				before = blockIndent + p.paint(strong, label)
			}
			first = false
			fmt.Fprintln(w, strings.TrimRight(before+part, " "))
		}
	}
}
