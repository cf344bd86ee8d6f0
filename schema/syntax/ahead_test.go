package syntax_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
	"github.com/margay-dev/margay/testdata/gatewaygen"
)

// expectSame parses a text with and without a second parser and wants the same
// tree, defects and comments.
func expectSame(t interface {
	Helper()
	Fatalf(string, ...any)
}, text []byte) {
	t.Helper()
	file := source.NewFile("ocelot.json", text)
	var one, two syntax.Tree
	alone, together := syntax.ParseWith(&one, file, false), syntax.ParseWith(&two, file, true)
	if got, want := outline(&two, together.Root), outline(&one, alone.Root); got != want {
		t.Fatalf("the trees differ for\n%s\ngot  %s\nwant %s", shortened(text), got, want)
	}
	if !reflect.DeepEqual(together.Defects, alone.Defects) {
		t.Fatalf("the defects differ for\n%s\ngot  %+v\nwant %+v", shortened(text), together.Defects, alone.Defects)
	}
	if !slices.Equal(together.Comments, alone.Comments) || together.Irregular != alone.Irregular {
		t.Fatalf("the comments or the irregularity differ for\n%s", shortened(text))
	}
}

func shortened(text []byte) []byte { return text[:min(len(text), 2000)] }

// outline writes all places and flags of a tree.
func outline(tree *syntax.Tree, id syntax.ID) string {
	var b strings.Builder
	var write func(syntax.ID)
	write = func(id syntax.ID) {
		n := tree.Node(id)
		fmt.Fprint(&b, n.KeyStart, n.KeyEnd, n.Start, n.End, n.Kind, n.Flags, "(")
		for c := range tree.Children(id) {
			write(c)
		}
		b.WriteString(")")
	}
	write(id)
	return b.String()
}

// TestSecondParserChangesNothing damages gateways at random places, of sorts
// that make the second parser begin in the wrong place, or meet what is wrong.
func TestSecondParserChangesNothing(t *testing.T) {
	damages := []string{"", ",", "}", "]", "{", "[", `"`, "/*", "*/", "//", "\n    {", `"a": {`, "\\u12", "'x'", "<<<<<<< ours\n", "\x00", `"A":1,"a":2,`}
	rapid.Check(t, func(t *rapid.T) {
		text := gatewaygen.Bytes(rapid.IntRange(1, 30).Draw(t, "routes"), rapid.Uint64Range(0, 50).Draw(t, "seed"))
		if rapid.Bool().Draw(t, "minified") {
			text = minified(text)
		}
		if rapid.Bool().Draw(t, "nested") {
			text = slices.Concat([]byte("{ \"Gateway\":\n"), text, []byte("}"))
		}
		for range rapid.IntRange(0, 3).Draw(t, "damages") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			cut := rapid.IntRange(0, 3).Draw(t, "cut")
			text = slices.Concat(text[:at], []byte(rapid.SampledFrom(damages).Draw(t, "damage")), text[min(at+cut, len(text)):])
		}
		expectSame(t, text)
	})
}

// minified takes comments out, and every blank outside of strings.
func minified(text []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		line, _, _ = bytes.Cut(line, []byte(" //"))
		line, _, _ = bytes.Cut(line, []byte("/*"))
		if line = bytes.TrimSpace(line); !bytes.HasPrefix(line, []byte("//")) {
			out.Write(bytes.ReplaceAll(line, []byte(`": `), []byte(`":`)))
		}
	}
	return out.Bytes()
}

func TestSecondParserOfTables(t *testing.T) {
	var texts []string
	for _, test := range good {
		texts = append(texts, test[0])
	}
	for _, test := range bad {
		texts = append(texts, test[0])
	}
	const element = `{"UpstreamPathTemplate": "/a"}`
	for _, text := range texts {
		expectSame(t, []byte(text))
		for _, list := range []string{"[\n " + element + ",\n %s,\n " + element + ",\n " + element + "\n]", "[" + element + ",%s," + element + "]"} {
			expectSame(t, []byte(`{"Routes": `+strings.ReplaceAll(list, "%s", text)+"}"))
		}
	}
}

// TestSecondParserIsOfUse fails where the beginning of an element in the second
// half is not found any more: everything would still be right, and slow.
func TestSecondParserIsOfUse(t *testing.T) {
	text := gatewaygen.Bytes(100, 1)
	for name, text := range map[string][]byte{"lines": text, "minified": minified(text), "carriage returns": bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))} {
		if !syntax.Joined(source.NewFile("ocelot.json", text)) {
			t.Errorf("%s: got one parser, want two", name)
		}
	}
}
