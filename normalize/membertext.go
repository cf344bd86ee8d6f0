package normalize

import (
	"bytes"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

// readMembers finds the members of an object in its text, which has no syntax
// errors.
func readMembers(object source.Span) []memberText {
	text := object.File.Text
	var members []memberText
	for at := skipBlank(text, object.Start+1); at < object.End && text[at] == '"'; {
		m := memberText{comma: -1}
		end := skipValue(text, at)
		m.key = source.Span{File: object.File, Start: at, End: end}
		colon := skipBlank(text, end)
		m.end = skipValue(text, skipBlank(text, colon+1))
		at = skipBlank(text, m.end)
		if at < object.End && text[at] == ',' {
			m.comma = at
			at = skipBlank(text, at+1)
		}
		members = append(members, m)
	}
	return members
}

// skipBlank returns the offset of the next character that is neither white
// space nor in a comment.
func skipBlank(text []byte, at int) int {
	for at < len(text) {
		switch {
		case text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r':
			at++
		case bytes.HasPrefix(text[at:], []byte("//")):
			at += lineLength(text[at:])
		case bytes.HasPrefix(text[at:], []byte("/*")):
			_, after, _ := bytes.Cut(text[at+2:], []byte("*/"))
			at = len(text) - len(after)
		default:
			return at
		}
	}
	return at
}

// lineLength returns the length of a text's first line without its end.
func lineLength(text []byte) int {
	if end := bytes.IndexAny(text, "\r\n"); end >= 0 {
		return end
	}
	return len(text)
}

// skipValue returns the offset behind the value that starts at an offset.
func skipValue(text []byte, at int) int {
	depth := 0
	for at < len(text) {
		switch text[at] {
		case '"':
			at = skipString(text, at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		default:
			at = skipWord(text, at)
		}
		if depth == 0 {
			return at
		}
		at = skipBlank(text, at)
	}
	return at
}

func skipString(text []byte, at int) int {
	for at++; at < len(text) && text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return min(at+1, len(text))
}

// skipWord skips a number, a word, or one mark.
func skipWord(text []byte, at int) int {
	end := at + 1
	for end < len(text) && bytes.IndexByte([]byte(" \t\r\n,:]}[{\"/"), text[end]) < 0 {
		end++
	}
	return end
}

// appendEdits turns what was asked of an object into edits. A member that goes
// takes the comma behind it along, so that the commas between the others stay
// as they are; the last one, which may have none, takes that of the last member
// that stays.
func (o *objectText) appendEdits(edits []diag.Edit) []diag.Edit {
	last := -1 // the last member that stays
	for i := range o.members {
		if !o.members[i].isGone {
			last = i
		}
	}
	for i := range o.members {
		m := &o.members[i]
		switch {
		case m.isGone:
			edits = o.appendRemoval(edits, m)
		case m.renamed != "":
			edits = append(edits, diag.Edit{Span: m.key, NewText: `"` + m.renamed + `"`})
		}
	}
	if end := len(o.members) - 1; last >= 0 && last < end && o.members[end].comma < 0 {
		edits = append(edits, o.edit(o.members[last].comma, o.members[last].comma+1))
	}
	return edits
}

func (o *objectText) edit(start, end int) diag.Edit {
	return diag.Edit{Span: source.Span{File: o.file, Start: start, End: end}}
}

// appendRemoval takes out a member and its comma, and the lines that would be
// left empty; comments stay.
func (o *objectText) appendRemoval(edits []diag.Edit, m *memberText) []diag.Edit {
	text := o.file.Text
	start, end := m.key.Start, m.end
	if m.comma >= 0 {
		if len(bytes.TrimSpace(text[m.end:m.comma])) > 0 { // a comment
			edits = append(edits, o.edit(m.comma, m.comma+1))
		} else {
			end = m.comma + 1
		}
	}
	before := start - trailingBlanks(text[:start])
	after := end + leadingBlanks(text[end:])
	ownLine := before == 0 || text[before-1] == '\n'
	switch lineEnd := lineEndLength(text[after:]); {
	case ownLine && lineEnd > 0:
		start, end = before, after+lineEnd
	case ownLine || lineEnd == 0 && !bytes.HasPrefix(text[after:], []byte("}")):
		end = after
	default:
		start = before
	}
	return append(edits, o.edit(start, end))
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
