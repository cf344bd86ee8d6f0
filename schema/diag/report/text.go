package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

// Text returns the printer for people: one block per cause with the lines of
// the file, and a summary at the end. Columns count characters. Everything fits
// Options.Width; where it is zero, no screen shows the report: excerpts and notes
// fit 80 columns then, and a finding's first line and what Ocelot says stay whole
// for programs that look through them line by line.
func Text(opts Options) Printer { return &textPrinter{Options: opts} }

type textPrinter struct {
	Options
	mask     masker
	severity style // of the block that is being printed
}

func (p textPrinter) width() int {
	const usual, narrowest = 80, 40
	if p.Width == 0 {
		return usual
	}
	return max(p.Width, narrowest)
}

// Print implements Printer.
func (p *textPrinter) Print(w io.Writer, ds []diag.Diagnostic) error {
	run := *p
	run.mask = p.masker()
	out := &strings.Builder{}
	if p.Header != "" {
		run.paragraph(out, run.clean(p.Header))
	}
	for _, b := range blocks(p.shown(ds)) {
		run.block(out, &b)
		fmt.Fprintln(out)
	}
	run.paragraph(out, run.lastLine(p.summarize(ds)))
	for _, line := range p.left() {
		run.paragraph(out, run.clean(line))
	}
	_, err := io.WriteString(w, harmless(out.String()))
	return err
}

func (p *textPrinter) block(w io.Writer, b *block) {
	p.severity = styleOf(b.Severity)
	p.head(w, b)
	inside, outside := b.marks()
	if len(inside) > 0 {
		p.snippet(w, inside)
	}
	p.elsewhere(w, outside)
	p.places(w, b)
	p.note(w, "", b.Effect)
	p.quote(w, "Ocelot says: ", b.Ocelot)
	p.remedy(w, b)
}

// clean returns a text on one line, without secrets and control characters.
func (p *textPrinter) clean(text string) string { return safe(p.mask.text(text)) }

// where names a place as editors and terminals understand it.
func where(s source.Span) string {
	at := s.Position()
	return fmt.Sprintf("%s:%d:%d", safe(s.File.Name), at.Line, at.Column)
}

// elsewhere writes the places that are too far away for the excerpt. Those of
// which the same is said share a note.
func (p *textPrinter) elsewhere(w io.Writer, all []mark) {
	for len(all) > 0 {
		m, n := all[0], 1
		for n < len(all) && m.span.File != nil && all[n].span.File == m.span.File && all[n].message == m.message {
			n++
		}
		p.also(w, all[:n])
		all = all[n:]
	}
}

// also writes places of one file of which the same is said.
func (p *textPrinter) also(w io.Writer, all []mark) {
	m := all[0]
	if m.span.File == nil {
		p.note(w, "", m.message)
		return
	}
	if len(all) == 1 {
		fmt.Fprintf(w, "%s%s %s\n", blockIndent, p.paint(bold, where(m.span)+":"), p.clean(m.message))
		return
	}
	places := []string{where(m.span)}
	for _, other := range all[1:] {
		at := other.span.Position()
		places = append(places, fmt.Sprintf("%d:%d", at.Line, at.Column))
	}
	p.note(w, "", m.message+": "+strings.Join(places, ", "))
}

// places tells how often a block holds, and where if that is wanted.
func (p *textPrinter) places(w io.Writer, b *block) {
	count := b.count()
	switch {
	case count == "":
		return
	case !p.Verbose:
		p.note(w, "", count+", -v lists them")
		return
	}
	p.note(w, "", count+":")
	for i := range b.all {
		d := &b.all[i]
		if d.Span.File == nil {
			continue
		}
		text := where(d.Span)
		if d.Subject.Route != "" {
			text += "  " + p.clean(d.Subject.Route)
		}
		fmt.Fprintf(w, "     %s\n", text)
	}
}

// remedy writes what to do: what --fix does, else what to write. One says what
// the other would.
func (p *textPrinter) remedy(w io.Writer, b *block) {
	switch fix := b.Fix; {
	case fix != nil && !fix.Unsafe && fix.Title != "":
		p.note(w, "fix: ", fix.Title+" (--fix does it)")
	case b.Help != "":
		p.note(w, "help: ", b.Help)
	case fix != nil && fix.Title != "":
		p.note(w, "help: ", fix.Title+", which changes what Ocelot computes")
	}
}

// lastLine sums up: "3 files, 41 routes: 1 error, 2 warnings (1 can be fixed
// with --fix)".
func (p *textPrinter) lastLine(s summary) string {
	var read, found []string
	for _, part := range []struct {
		n    int
		word string
	}{{p.Files, "file"}, {p.Routes, "route"}} {
		if part.n > 0 {
			read = append(read, plural(part.n, part.word))
		}
	}
	for _, part := range []struct {
		n    int
		word string
	}{{s.errors, "error"}, {s.warnings, "warning"}, {s.infos, "remark"}} {
		if part.n > 0 {
			found = append(found, plural(part.n, part.word))
		}
	}
	line := strings.Join(found, ", ")
	if line == "" {
		line = "nothing found"
	}
	if len(read) > 0 {
		line = strings.Join(read, ", ") + ": " + line
	}
	if s.fixable > 0 {
		line += fmt.Sprintf(" (%d can be fixed with --fix)", s.fixable)
	}
	if s.hidden > 0 {
		line += fmt.Sprintf("; %d not shown (--severity info shows all)", s.hidden)
	}
	return line
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
