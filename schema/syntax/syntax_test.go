package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// parse reads a text and returns its tree as well.
func parse(text string) (*syntax.Tree, syntax.Document) {
	tree := &syntax.Tree{}
	return tree, syntax.Parse(tree, source.NewFile("ocelot.json", []byte(text)))
}

// render writes a tree in one line: strings quoted, numbers as written, ? for
// a Bad node and ! before an irregular object.
func render(tree *syntax.Tree, id syntax.ID) string {
	n := tree.Node(id)
	var items []string
	for c := range tree.Children(id) {
		item := render(tree, c)
		if n.Kind == syntax.Object {
			item = tree.Key(c) + ":" + item
		}
		items = append(items, item)
	}
	list := strings.Join(items, " ")
	switch n.Kind {
	case syntax.Object:
		mark := ""
		if n.Flags&syntax.Irregular != 0 {
			mark = "!"
		}
		return mark + "{" + list + "}"
	case syntax.Array:
		return "[" + list + "]"
	case syntax.String:
		return fmt.Sprintf("%q", tree.Text(id))
	case syntax.Bad:
		return "?"
	case syntax.Null:
		return "null"
	}
	return tree.Text(id)
}

// expectTree parses a text that must have no defect.
func expectTree(t *testing.T, text, want string) {
	t.Helper()
	tree, doc := parse(text)
	for _, d := range doc.Defects {
		t.Errorf("%q: got defect %q, want none", text, d.Message)
	}
	if got := render(tree, doc.Root); got != want {
		t.Errorf("%q: got %s, want %s", text, got, want)
	}
}

// expectDefect parses a text and compares its defects, each as the text that
// it points to and a part of its message: `text -> message`. Where something is
// missing the text is what stands before, with a bar behind it.
func expectDefect(t *testing.T, text string, want ...string) {
	t.Helper()
	_, doc := parse(text)
	var got []string
	for _, d := range doc.Defects {
		at := text[d.Start:d.End]
		if d.Start == d.End {
			at = text[max(0, d.Start-4):d.Start] + "|"
		}
		got = append(got, at+" -> "+d.Message)
		if d.Help == "" {
			t.Errorf("%q: %q has no help", text, d.Message)
		}
	}
	ok := len(got) == len(want)
	for i := 0; ok && i < len(got); i++ {
		place, message, _ := strings.Cut(want[i], " -> ")
		ok = strings.HasPrefix(got[i], place+" -> ") && strings.Contains(got[i][len(place):], message)
	}
	if !ok {
		t.Errorf("%q:\n got %s\nwant %s", text, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// expectRecovery is expectDefect for the tree that is left.
func expectRecovery(t *testing.T, text, want string) {
	t.Helper()
	tree, doc := parse(text)
	if len(doc.Defects) == 0 {
		t.Errorf("%q: got no defect", text)
	}
	if got := render(tree, doc.Root); got != want {
		t.Errorf("%q: got %s, want %s", text, got, want)
	}
}
