package syntax

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

// maxDefects is how many defects are worth reading: a text with more is not
// JSON at all.
const maxDefects = 100

// stop notes what Utf8JsonReader would throw at an offset. Only the first
// call counts; the next report carries it.
func (p *parser) stop(why reason, at int) { p.stopAt(why, at, "") }

func (p *parser) stopAt(why reason, at int, subject string) {
	p.aside()
	if p.stopped {
		return
	}
	p.stopped = true
	switch why {
	case nameStart, afterValue, afterRoot:
		// A slash that begins no comment is always said to begin a value.
		if at < len(p.text) && p.text[at] == '/' {
			why = valueStart
		}
	}
	p.net = p.netMessage(why, at, subject)
}

// report adds a defect.
func (p *parser) report(d Defect) {
	p.aside()
	if len(p.defects) >= maxDefects {
		return
	}
	if d.Phase == Reading {
		d.Net, p.net = p.net, ""
	}
	p.defects = append(p.defects, d)
}

// giveUp says whether there are too many defects to go on; then it moves to
// the end of the text.
func (p *parser) giveUp() bool {
	if len(p.defects) < maxDefects {
		return false
	}
	if !p.quiet && p.pos < len(p.text) {
		p.defects[maxDefects-1].Help = fmt.Sprintf("the rest of the file is not read: it has more than %d defects", maxDefects)
	}
	p.pos, p.quiet = len(p.text), true
	return true
}

func (p *parser) span(start, end int) source.Span {
	return source.Span{File: p.source, Start: start, End: end}
}

// replace returns a safe edit.
func (p *parser) replace(title string, start, end int, text string) *diag.Fix {
	return &diag.Fix{Title: title, Edits: []diag.Edit{{Span: p.span(start, end), NewText: text}}}
}

// quoted returns the text of a range in quotes, shortened to what fits into a
// message. Text that is quoted already keeps its own quotes.
func (p *parser) quoted(start, end int) string {
	const limit = 40
	text := string(p.text[start:min(end, start+limit*utf8.UTFMax)])
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		text = text[:i] + "…"
	}
	if utf8.RuneCountInString(text) > limit {
		text = string([]rune(text)[:limit-1]) + "…"
	}
	if len(text) >= 2 && text[0] == '"' {
		if !strings.HasSuffix(text, `"`) {
			return text + `"`
		}
		return text
	}
	return `"` + text + `"`
}

// after returns the end of the token before an offset.
func (p *parser) after(offset int) int {
	comments := p.comments
	for {
		offset = len(bytes.TrimRight(p.text[:offset], " \t\r\n"))
		for len(comments) > 0 && int(comments[len(comments)-1].End) > offset {
			comments = comments[:len(comments)-1]
		}
		if len(comments) == 0 || int(comments[len(comments)-1].End) != offset {
			return offset
		}
		offset = int(comments[len(comments)-1].Start)
	}
}

// title names a container for a message: its kind and, if it has one, its
// name.
func (p *parser) title(id ID) string {
	n := &p.nodes[id]
	kind := map[Kind]string{Object: "object", Array: "array"}[n.Kind]
	switch {
	case n.KeyEnd > n.KeyStart:
		return kind + " " + p.quoted(int(n.KeyStart), int(n.KeyEnd))
	case len(p.open) > 0 && p.open[0] == id:
		return "root " + kind
	}
	return kind
}
