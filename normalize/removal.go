package normalize

import (
	"bytes"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

// cut is a piece of text that goes.
type cut struct{ start, end int }

// appendEdits turns what was asked of an object into edits; nothing was asked
// of one that is not plain.
func (o *objectText) appendEdits(edits []diag.Edit) []diag.Edit {
	if !o.plain {
		return edits
	}
	edits = o.appendWritten(edits)
	for i := range o.members {
		if m := &o.members[i]; m.renamed != "" && !m.isGone {
			edits = append(edits, diag.Edit{Span: m.key, NewText: `"` + m.renamed + `"`})
		}
	}
	for _, c := range joined(o.file.Text, o.cuts()) {
		c = c.widened(o.file.Text)
		edits = append(edits, diag.Edit{Span: source.Span{File: o.file, Start: c.start, End: c.end}})
	}
	return edits
}

// cuts returns the marks and values of the members that go, in order. Each
// takes the comma behind it along, so that the commas between the others stay
// as they are; the last one, which may have none, takes that of the last member
// that stays.
func (o *objectText) cuts() []cut {
	bare := o.lastBare()
	var cuts []cut
	for i := range o.members {
		m := &o.members[i]
		if m.isGone {
			cuts = append(cuts, cut{m.key.Start, m.key.End}, cut{m.colon, m.colon + 1}, cut{m.value[0], m.value[1]})
		}
		if (m.isGone || i == bare) && m.comma >= 0 {
			cuts = append(cuts, cut{m.comma, m.comma + 1})
		}
	}
	return cuts
}

// lastBare returns the last member that stays, if those behind it go and leave
// it no comma to have; else -1.
func (o *objectText) lastBare() int {
	last := len(o.members) - 1
	if last < 0 || o.members[last].comma >= 0 || !o.members[last].isGone {
		return -1
	}
	for last >= 0 && o.members[last].isGone {
		last--
	}
	return last
}

// joined joins cuts with nothing but white space between them; comments stay.
func joined(text []byte, cuts []cut) []cut {
	var out []cut
	for _, c := range cuts {
		if n := len(out); n > 0 && len(bytes.TrimSpace(text[out[n-1].end:c.start])) == 0 {
			out[n-1].end = c.end
			continue
		}
		out = append(out, c)
	}
	return out
}

// widened takes in the blanks around a cut on one side, or the whole line if
// nothing else is on it.
func (c cut) widened(text []byte) cut {
	before := c.start - trailingBlanks(text[:c.start])
	after := c.end + leadingBlanks(text[c.end:])
	startsLine := before == 0 || text[before-1] == '\n'
	switch lineEnd := lineEndLength(text[after:]); {
	case startsLine && lineEnd > 0:
		return cut{before, after + lineEnd}
	case before == c.start && bytes.HasPrefix(text[after:], []byte("/")):
		return c // the blank parts what is before from a comment
	case startsLine || lineEnd == 0 && !bytes.HasPrefix(text[after:], []byte("}")):
		return cut{c.start, after}
	}
	return cut{before, c.end}
}

func trailingBlanks(text []byte) int { return len(text) - len(bytes.TrimRight(text, " \t")) }

func leadingBlanks(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " \t")) }

func lineEndLength(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("\r\n")):
		return 2
	case bytes.HasPrefix(text, []byte("\n")):
		return 1
	}
	return 0
}
