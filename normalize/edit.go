package normalize

import (
	"bytes"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// Editor edits members of objects in the texts of a tree, which have no syntax
// errors. Comments, layout and the style of commas stay. Only plain objects are
// edited: what is asked of others is passed over.
type Editor struct{ texts *objectTexts }

// NewEditor returns an editor that has nothing to do yet.
func NewEditor(tree *syntax.Tree) *Editor { return &Editor{newObjectTexts(tree)} }

// IsPlain says whether an object stands in a text as it is in the tree: loading
// put nothing in, left nothing out and read every name as it stands.
func (e *Editor) IsPlain(object syntax.ID) bool { return e.texts.plain(object) }

// Remove takes a member out.
func (e *Editor) Remove(object syntax.ID, name string) {
	if e.IsPlain(object) {
		e.texts.remove(object, name)
	}
}

// Rename gives a member another name, with its first letter in the same case.
func (e *Editor) Rename(object syntax.ID, from, to string) {
	if e.IsPlain(object) {
		e.texts.rename(object, from, to)
	}
}

// Set gives a member a value, written as JSON; where there is no such member, it
// comes first in the object.
func (e *Editor) Set(object syntax.ID, name, value string) {
	if !e.IsPlain(object) {
		return
	}
	o := e.texts.of(object)
	if m := o.find(e.texts.member(object, name)); m != nil {
		m.isGone, m.written = false, value
		return
	}
	o.added = append(o.added, `"`+name+`": `+value)
}

// Edits returns all edits, by file and place.
func (e *Editor) Edits() []diag.Edit { return e.texts.edits() }

// appendWritten adds the new values and the new members of an object. The
// members are laid out as its first one is.
func (o *objectText) appendWritten(edits []diag.Edit) []diag.Edit {
	stays := false
	for i := range o.members {
		m := &o.members[i]
		stays = stays || !m.isGone
		if m.written != "" && !m.isGone {
			edits = append(edits, diag.Edit{Span: source.Span{File: o.file, Start: m.value[0], End: m.value[1]}, NewText: m.written})
		}
	}
	if len(o.added) == 0 {
		return edits
	}
	gap := o.gap()
	text := gap + strings.Join(o.added, ","+gap)
	if stays {
		text += ","
	} else if !strings.Contains(gap, "\n") && !o.blankBehind() {
		text += " "
	}
	return append(edits, diag.Edit{Span: source.Span{File: o.file, Start: o.start + 1, End: o.start + 1}, NewText: text})
}

// gap is the white space in front of the first member.
func (o *objectText) gap() string {
	if len(o.members) == 0 {
		return " "
	}
	between := o.file.Text[o.start+1 : o.members[0].key.Start]
	if at := bytes.LastIndexByte(between, '\n'); at >= 0 {
		if at > 0 && between[at-1] == '\r' {
			at--
		}
		return string(between[at:])
	}
	return " "
}

// blankBehind says whether white space follows the brace.
func (o *objectText) blankBehind() bool {
	next := o.start + 1
	return next < len(o.file.Text) && bytes.IndexByte([]byte(" \t\r\n"), o.file.Text[next]) >= 0
}
