package report

import (
	"strings"

	"github.com/margay-dev/margay/schema/diag"
)

// prose returns what a finding says in whole, a line each: the message, what
// Ocelot does instead, what its log says, and what to write. The lines have
// neither secrets nor characters that do something to a terminal or to XML.
func (m masker) prose(d *diag.Diagnostic) []string {
	lines := m.lines(d.Message)
	for _, part := range []struct{ label, text string }{{"", d.Effect}, {"Ocelot says: ", d.Ocelot}, {"help: ", d.Help}} {
		if part.text != "" {
			lines = append(lines, m.lines(part.label+part.text)...)
		}
	}
	return lines
}

// message returns the prose of a block, with its count behind the message.
func message(b *block, m masker) string {
	d := b.Diagnostic
	if count := b.count(); count != "" {
		d.Message += " (" + count + ")"
	}
	return strings.Join(m.prose(&d), "\n")
}

// lines splits a text into lines that are safe to print.
func (m masker) lines(text string) []string {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(m.text(text), "\r\n", "\n"), "\n"), "\n")
	for i := range lines {
		lines[i] = safe(lines[i])
	}
	return lines
}

// line returns a text on one line that is safe to print.
func (m masker) line(text string) string { return strings.Join(m.lines(text), " ") }
