package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

// Text returns the printer for people: one block per cause with the lines of
// the file, and a summary at the end. Columns count characters.
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
		fmt.Fprintln(out, safe(run.mask.text(p.Header)))
	}
	for _, b := range blocks(p.shown(ds)) {
		run.block(out, &b)
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, run.lastLine(p.summarize(ds)))
	for _, line := range p.left() {
		fmt.Fprintln(out, run.clean(line))
	}
	_, err := io.WriteString(w, harmless(out.String()))
	return err
}

func (p *textPrinter) block(w io.Writer, b *block) {
	p.severity = styleOf(b.Severity)
	place := ""
	if b.Span.File != nil {
		place = p.paint(bold, where(b.Span)+":") + " "
	}
	fmt.Fprintf(w, "%s%s %s %s\n", place, p.paint(p.severity, b.Severity.String()+":"),
		p.paint(bold, p.clean(b.Message)), p.paint(dim, "["+b.Rule+"]"))
	inside, outside := b.marks()
	if len(inside) > 0 {
		p.snippet(w, inside)
	}
	for _, m := range outside {
		p.elsewhere(w, m)
	}
	p.places(w, b)
	p.note(w, "", b.Effect)
	p.note(w, "Ocelot says: ", b.Ocelot)
	p.note(w, "help: ", b.Help)
	p.fix(w, b.Fix)
}

// clean returns a text on one line, without secrets and control characters.
func (p *textPrinter) clean(text string) string { return safe(p.mask.text(text)) }

// where names a place as editors and terminals understand it.
func where(s source.Span) string {
	at := s.Position()
	return fmt.Sprintf("%s:%d:%d", safe(s.File.Name), at.Line, at.Column)
}

func (p *textPrinter) elsewhere(w io.Writer, m mark) {
	if m.span.File == nil {
		p.note(w, "", m.message)
		return
	}
	fmt.Fprintf(w, "   %s %s\n", p.paint(bold, where(m.span)+":"), p.clean(m.message))
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

// note writes an indented line, if there is something to write. Further lines
// of the text stand under the first.
func (p *textPrinter) note(w io.Writer, label, text string) {
	if text == "" {
		return
	}
	for i, line := range strings.Split(strings.TrimRight(text, "\r\n"), "\n") {
		if i == 0 && label != "" {
			fmt.Fprintf(w, "   %s%s\n", p.paint(strong, label), p.clean(line))
			continue
		}
		fmt.Fprintf(w, "   %s%s\n", strings.Repeat(" ", len(label)), p.clean(strings.TrimRight(line, "\r")))
	}
}

func (p *textPrinter) fix(w io.Writer, fix *diag.Fix) {
	switch {
	case fix == nil || fix.Title == "":
	case fix.Unsafe:
		p.note(w, "possible fix: ", fix.Title+" (changes what Ocelot computes, so --fix leaves it alone)")
	default:
		p.note(w, "fix: ", fix.Title+" (--fix does it)")
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
