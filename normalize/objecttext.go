package normalize

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// objectTexts edits members of objects in the texts of a tree.
type objectTexts struct {
	tree    *syntax.Tree
	objects map[syntax.ID]*objectText
	order   []*objectText // in the order of first use
}

// objectText is one object as it is written.
type objectText struct {
	file    *source.File
	members []memberText
	// plain says that the object in the tree is exactly this text: loading
	// put nothing in, left nothing out and read every name as it stands.
	plain bool
	// start is where the object starts; added are the members to put in.
	start int
	added []string
}

// memberText is one member of an object and the comma behind it.
type memberText struct {
	node         syntax.ID
	key          source.Span
	colon, comma int    // offsets; comma is -1 if there is none
	value        [2]int // from and to
	renamed      string // the new name; empty if it stays
	written      string // the new value; empty if it stays
	isGone       bool
}

func newObjectTexts(tree *syntax.Tree) *objectTexts {
	return &objectTexts{tree: tree, objects: map[syntax.ID]*objectText{}}
}

// plain says whether an object can be edited.
func (t *objectTexts) plain(object syntax.ID) bool { return object != 0 && t.of(object).plain }

// has says whether an object has a member of a name, without regard to case.
func (t *objectTexts) has(object syntax.ID, name string) bool { return t.member(object, name) != 0 }

// member returns the member of a name, without regard to case; 0 if none.
func (t *objectTexts) member(object syntax.ID, name string) syntax.ID {
	if object == 0 {
		return 0
	}
	for id := range t.tree.Children(object) {
		if ordinal.Equal(t.tree.Key(id), name) {
			return id
		}
	}
	return 0
}

// remove takes a member out of a plain object.
func (t *objectTexts) remove(object syntax.ID, name string) {
	if m := t.of(object).find(t.member(object, name)); m != nil {
		m.isGone = true
	}
}

// rename gives a member of a plain object another name, in the same case of
// its first letter.
func (t *objectTexts) rename(object syntax.ID, from, to string) {
	m := t.of(object).find(t.member(object, from))
	if m == nil {
		return
	}
	first, _ := utf8.DecodeRuneInString(t.tree.Key(m.node))
	if unicode.IsLower(first) {
		to = strings.ToLower(to[:1]) + to[1:]
	}
	m.renamed = to
}

// write gives a member of a plain object another value, written as JSON.
func (t *objectTexts) write(object syntax.ID, name, value string) {
	if m := t.of(object).find(t.member(object, name)); m != nil {
		m.written = value
	}
}

func (o *objectText) find(node syntax.ID) *memberText {
	for i := range o.members {
		if o.members[i].node == node {
			return &o.members[i]
		}
	}
	return nil
}

// of reads an object's text once.
func (t *objectTexts) of(object syntax.ID) *objectText {
	if o := t.objects[object]; o != nil {
		return o
	}
	o := t.read(object)
	t.objects[object] = o
	t.order = append(t.order, o)
	return o
}

func (t *objectTexts) read(object syntax.ID) *objectText {
	n := t.tree.Node(object)
	span := t.tree.Span(object)
	if n.Kind != syntax.Object || n.Flags&syntax.Made != 0 || span.IsZero() {
		return &objectText{}
	}
	o := &objectText{file: span.File, start: span.Start, members: readMembers(span)}
	count := 0
	for id := range t.tree.Children(object) {
		isWritten := t.tree.Node(id).Flags&(syntax.Replaced|syntax.Made) == 0
		if !isWritten || count == len(o.members) || o.members[count].key != t.tree.KeySpan(id) {
			return o
		}
		o.members[count].node = id
		count++
	}
	o.plain = count == len(o.members)
	return o
}

// edits returns all edits, by file and place.
func (t *objectTexts) edits() []diag.Edit {
	var edits []diag.Edit
	for _, o := range t.order {
		edits = o.appendEdits(edits)
	}
	files := map[*source.File]int{}
	for i, file := range t.tree.Files {
		files[file] = i
	}
	slices.SortStableFunc(edits, func(a, b diag.Edit) int {
		return cmp.Or(cmp.Compare(files[a.Span.File], files[b.Span.File]), cmp.Compare(a.Span.Start, b.Span.Start))
	})
	return edits
}
