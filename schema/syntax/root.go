package syntax

import (
	"bytes"
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
)

// emptyText reports a text without a value.
func (p *parser) emptyText() {
	p.stop(noTokens, len(p.text))
	if p.quiet {
		return
	}
	p.quiet = true
	d := Defect{Message: nothing(p.comments, "a configuration is an object in braces"), Help: `write { "Routes": [] } for a gateway without routes`, NoValue: true}
	if len(p.comments) > 0 {
		d.Start, d.End = int(p.comments[0].Start), int(p.comments[0].End)
	}
	p.report(d)
}

// Nothing words that a text holds no value. expected says what belongs there:
// "settings are an object in braces".
func (d *Document) Nothing(expected string) string { return nothing(d.Comments, expected) }

func nothing(comments []Comment, expected string) string {
	if len(comments) > 0 {
		return "the file holds nothing but comments: " + expected
	}
	return "the file is empty: " + expected
}

// checkRoot reports a root that is no object. .NET comes to this only when
// the whole text is JSON.
func (p *parser) checkRoot(root ID) {
	n, kind := &p.nodes[root], p.nodes[root].Kind
	switch {
	case kind == Bad && len(p.defects) == 1 && p.defects[0].Phase == Unescaping:
		kind = String // half a character in it comes to light later still
	case kind == Object || kind == Bad || kind != Array && len(p.defects) > 0:
		return
	}
	name := map[Kind]string{Array: "Array", String: "String", Number: "Number", True: "True", False: "False", Null: "Null"}[kind]
	d := Defect{
		Start: int(n.Start), End: int(n.End), Phase: TopLevel,
		Net:     fmt.Sprintf("Top-level JSON element must be an object. Instead, '%s' was found.", name),
		Message: fmt.Sprintf("the file is %s: a configuration is an object in braces", kind),
		Help:    `write { "Routes": [] } for a gateway without routes`,
	}
	if kind == Array {
		d.End = d.Start + 1
		d.Help = `put the list under a name: { "Routes": [ … ] }`
	}
	p.report(d)
}

// textAfterRoot reports what follows the root. Where the root has been closed
// too early it reads the rest of its members.
func (p *parser) textAfterRoot(root ID) {
	p.stop(afterRoot, p.pos)
	kind := p.nodes[root].Kind
	if kind == Object && p.conflict() {
		if p.next(); p.pos >= len(p.text) {
			return
		}
	}
	start := p.pos
	if c := p.text[start]; kind == Object && (c == ',' || c == '"') {
		p.closedEarly(root)
		p.resume(root)
		return
	}
	end := max(p.bareEnd(start, false), start+1)
	p.pos = len(p.text)
	d := Defect{Start: start, End: end, Message: fmt.Sprintf("%s follows the end of the configuration", p.quoted(start, end)), Help: "remove it"}
	switch c := p.text[start]; {
	case kind == Bad && p.net == "":
		return // the file has begun with something else; that has been said
	case c == '}' || c == ']':
		d = p.closerTooMany(start)
	case c == '{':
		d.End = start + 1
		d.Message = "a second object follows the end of the configuration"
		d.Help = "put everything into one object"
	case kind == String && c == ':':
		d = Defect{Start: int(p.nodes[root].Start), End: start + 1, Message: "the file begins with a name: a configuration is an object in braces", Help: "put everything into { }"}
	}
	p.report(d)
}

// closerTooMany describes the closing bracket at start, or an earlier one
// that by its indentation is the one too many.
func (p *parser) closerTooMany(start int) Defect {
	d := Defect{Start: start, End: start + 1, Message: p.quoted(start, start+1) + " closes nothing", Help: "remove it", Fix: p.replace("remove it", start, start+1, "")}
	if id, ok := p.crooked(p.first, closesRight); ok {
		close := int(p.nodes[id].End) - 1
		d.Start, d.End, d.Fix = close, close+1, nil
		d.Message = "this " + p.quoted(close, close+1) + " is probably one too many"
		d.Related = []diag.Related{{Span: p.span(start, start+1), Message: "nothing is left for this bracket to close"}}
	}
	return d
}

// closedEarly reports that members follow the root's closing brace.
func (p *parser) closedEarly(root ID) {
	at := int(p.nodes[root].End) - 1
	if id, ok := p.crooked(p.first, closesRight); ok {
		at = int(p.nodes[id].End) - 1
	}
	p.report(Defect{
		Start: at, End: at + 1, Message: `this "}" is probably one too many: it ends the configuration before the last member`,
		Help:    "remove it, or the comma and what follows",
		Related: []diag.Related{{Span: p.span(p.pos, p.pos+1), Message: "the configuration goes on here"}},
	})
}

// resume reads the members after the root's first end.
func (p *parser) resume(root ID) {
	if p.text[p.pos] == ',' {
		p.pos++
	}
	p.open = append(p.open, root)
	p.quiet = true // what closes the root has been read already
	p.members(root, p.last(root))
	p.open = p.open[:0]
	p.nodes[root].End = uint32(p.pos)
}

// finish replaces the defects of a file that is no text by a single one.
func (p *parser) finish() {
	if len(p.defects) == 0 || !p.binary() {
		return
	}
	first := p.defects[0]
	p.defects = p.defects[:1]
	p.defects[0] = Defect{
		Message: "the file is not text, so it is no JSON", Help: "save it as UTF-8",
		Phase: first.Phase, Net: first.Net,
	}
	if p.wide() {
		p.defects[0].Message = "the file looks like UTF-16 without a byte order mark, which .NET reads as UTF-8"
	}
}

// binary says whether the text has bytes that no text has.
func (p *parser) binary() bool {
	const sample = 8000
	head := p.text[:min(len(p.text), sample)]
	if bytes.IndexByte(head, 0) < 0 {
		return false
	}
	start := bytes.TrimLeft(head, " \t\r\n")
	return p.wide() || len(start) == 0 || start[0] != '{'
}

// wide says whether every other of the first bytes is zero.
func (p *parser) wide() bool {
	return len(p.text) >= 4 && (p.text[0] == 0) != (p.text[1] == 0) && p.text[0] == 0 == (p.text[2] == 0) && p.text[1] == 0 == (p.text[3] == 0)
}
