package syntax_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tidwall/jsonc"

	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// FuzzParse holds what must be true of any text: the tree is one, everything
// stands inside of the text and of its parent, and texts that other readers
// take for JSON give the same values here, and a second parser changes nothing.
func FuzzParse(f *testing.F) {
	for _, test := range good {
		f.Add([]byte(test[0]))
	}
	for _, test := range bad {
		f.Add([]byte(test[0]))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		file := source.NewFile("ocelot.json", raw)
		tree := &syntax.Tree{}
		doc := syntax.Parse(tree, file)
		checkTree(t, tree, doc, len(file.Text))
		checkDefects(t, doc, file.Text)
		checkDifferential(t, tree, doc, file.Text)
		checkNet(t, doc, file.Text)
		expectSame(t, raw)
	})
}

func TestInvariantsOfTables(t *testing.T) {
	check := func(text string) {
		tree, doc := parse(text)
		checkTree(t, tree, doc, len(source.NewFile("", []byte(text)).Text))
		checkDefects(t, doc, []byte(text))
		checkNet(t, doc, source.NewFile("", []byte(text)).Text)
	}
	for _, test := range good {
		check(test[0])
		// Every text cut short, too: recovery must stand the end anywhere.
		for i := range test[0] {
			check(test[0][:i])
		}
	}
	for _, test := range bad {
		check(test[0])
		for i := range test[0] {
			check(test[0][:i])
		}
	}
}

// checkTree walks all nodes below the root. Spans lie inside of the parent's,
// in order, and no node has two parents.
func checkTree(t *testing.T, tree *syntax.Tree, doc syntax.Document, size int) {
	t.Helper()
	seen := make([]bool, tree.Len())
	var walk func(id syntax.ID, from, to uint32)
	walk = func(id syntax.ID, from, to uint32) {
		n := tree.Node(id)
		if seen[id] {
			t.Fatalf("node %d has two parents", id)
		}
		seen[id] = true
		first := n.Start
		if n.KeyEnd > 0 {
			first = n.KeyStart
			if n.KeyStart > n.KeyEnd || n.KeyEnd > n.Start {
				t.Fatalf("node %d: name [%d, %d) and value [%d, %d)", id, n.KeyStart, n.KeyEnd, n.Start, n.End)
			}
		}
		if first < from || n.Start > n.End || n.End > to {
			t.Fatalf("node %d [%d, %d) is not inside of [%d, %d)", id, first, n.End, from, to)
		}
		at := n.Start
		for c := range tree.Children(id) {
			if c <= id {
				t.Fatalf("node %d is a child of %d", c, id)
			}
			tree.Key(c)
			tree.Text(c)
			walk(c, at, n.End)
			at = tree.Node(c).End
		}
	}
	walk(doc.Root, 0, uint32(size))
}

func checkDefects(t *testing.T, doc syntax.Document, text []byte) {
	t.Helper()
	size := len(text)
	for i, d := range doc.Defects {
		if d.Start < 0 || d.Start > d.End || d.End > size {
			t.Fatalf("defect %q at [%d, %d) of %d bytes", d.Message, d.Start, d.End, size)
		}
		if d.Message == "" || d.Help == "" || strings.Contains(d.Message, "%!") && !bytes.Contains(text, []byte("%!")) {
			t.Fatalf("defect %d has message %q and help %q", i, d.Message, d.Help)
		}
		if d.Fix != nil {
			for _, e := range d.Fix.Edits {
				if e.Span.Start > e.Span.End || e.Span.End > size {
					t.Fatalf("fix of %q edits [%d, %d)", d.Message, e.Span.Start, e.Span.End)
				}
			}
		}
	}
	if stop := doc.Stop(); stop != nil && stop.Net == "" {
		t.Fatalf("the defect that stops .NET, %q, has no text of .NET", stop.Message)
	}
	for i := 1; i < len(doc.Comments); i++ {
		if doc.Comments[i].Start < doc.Comments[i-1].End {
			t.Fatalf("comments %d and %d overlap", i-1, i)
		}
	}
}

// checkNet compares what Parse says of .NET, while it recovers, with a reader
// that stops where .NET stops.
func checkNet(t *testing.T, doc syntax.Document, text []byte) {
	t.Helper()
	got := ""
	if stop := doc.Stop(); stop != nil {
		got = stop.Net
	}
	if want := refusedBy(text); got != want {
		t.Fatalf("%q: .NET says\n got %s\nwant %s", text, got, want)
	}
}

// checkDifferential compares with tidwall/jsonc and encoding/json. jsonc takes
// more than .NET: [,] and {,}, line separators in comments, comments before a
// colon; encoding/json knows no limit of 64 levels and forgives half
// surrogates. What .NET takes, both take.
func checkDifferential(t *testing.T, tree *syntax.Tree, doc syntax.Document, text []byte) {
	t.Helper()
	plain := jsonc.ToJSON(text)
	valid := json.Valid(plain)
	switch {
	case loneCarriageReturn(text, doc):
		return
	case len(doc.Defects) == 0 && !valid:
		t.Fatalf("%q: no defect, but %q is not valid", text, plain)
	case len(doc.Defects) > 0 && valid && !forgiven(doc):
		t.Fatalf("%q: valid JSON, but %q", text, doc.Defects[0].Message)
	case len(doc.Defects) > 0:
		return
	}
	var want any
	d := json.NewDecoder(strings.NewReader(string(plain)))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Fatalf("%q: %v", plain, err)
	}
	if got := toAny(tree, doc.Root); !reflect.DeepEqual(got, want) {
		t.Fatalf("%q: got %v, want %v", text, got, want)
	}
}

// forgiven says whether the first defect is one of those that the two other
// readers let pass.
func forgiven(doc syntax.Document) bool {
	for _, why := range []string{"half a character", "nested too deeply", "line separator", "comment stands between", "before the first", "the file is "} {
		if strings.Contains(doc.Defects[0].Message, why) {
			return true
		}
	}
	return false
}

// loneCarriageReturn says whether a // comment ends at a carriage return,
// where jsonc goes on to the line feed.
func loneCarriageReturn(text []byte, doc syntax.Document) bool {
	for _, c := range doc.Comments {
		if end := int(c.End); end < len(text) && text[end] == '\r' {
			return true
		}
	}
	return false
}

// toAny builds what encoding/json would, the last of duplicates winning.
func toAny(tree *syntax.Tree, id syntax.ID) any {
	switch tree.Node(id).Kind {
	case syntax.Object:
		m := map[string]any{}
		for c := range tree.Children(id) {
			m[tree.Key(c)] = toAny(tree, c)
		}
		return m
	case syntax.Array:
		a := []any{}
		for c := range tree.Children(id) {
			a = append(a, toAny(tree, c))
		}
		return a
	case syntax.String:
		return tree.Text(id)
	case syntax.Number:
		return json.Number(tree.Text(id))
	case syntax.True:
		return true
	case syntax.False:
		return false
	case syntax.Null:
		return nil
	}
	return fmt.Errorf("node %d is %v", id, tree.Node(id).Kind)
}
