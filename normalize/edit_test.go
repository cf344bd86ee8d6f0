package normalize_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tidwall/jsonc"
	"pgregory.net/rapid"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
)

// TestEditorKeepsEverythingElse edits objects of any layout: the text that comes
// out is JSON that says what was asked for, and no comment is lost.
func TestEditorKeepsEverythingElse(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A", "B", "C", "D", "E"}), 0, 5, rapid.ID[string]).Draw(rt, "names")
		text, comments := objectText(rt, names)
		file := source.NewFile("ocelot.json", []byte(text))
		loaded := load.Single(file, load.Options{})
		root := loaded.Bound
		want := map[string]float64{}
		for i, name := range names {
			want[name] = float64(i)
		}
		editor := normalize.NewEditor(loaded.Tree)
		if !editor.IsPlain(root) {
			rt.Fatalf("not plain: %s", text)
		}
		for _, name := range []string{"A", "B", "C", "X", "Y"} {
			switch rapid.SampledFrom([]string{"stay", "remove", "set"}).Draw(rt, "what of "+name) {
			case "remove":
				editor.Remove(root, name)
				delete(want, name)
			case "set":
				editor.Set(root, name, "70")
				want[name] = 70
			}
		}
		if _, ok := want["D"]; ok && rapid.Bool().Draw(rt, "rename") {
			editor.Rename(root, "D", "Z")
			want["Z"] = want["D"]
			delete(want, "D")
		}
		got := string(diag.Apply(file, editor.Edits()))
		var back map[string]float64
		if err := json.Unmarshal(jsonc.ToJSON([]byte(got)), &back); err != nil {
			rt.Fatalf("%v: %s\nfrom %s", err, got, text)
		}
		if !reflect.DeepEqual(back, want) && len(back)+len(want) > 0 {
			rt.Fatalf("got %v want %v: %s\nfrom %s", back, want, got, text)
		}
		for _, c := range comments {
			if !strings.Contains(got, c) {
				rt.Fatalf("comment %s is lost: %s\nfrom %s", c, got, text)
			}
		}
	})
}

// objectText draws a layout.
func objectText(rt *rapid.T, names []string) (text string, comments []string) {
	var b strings.Builder
	blank := func() {
		kind := rapid.IntRange(0, 5).Draw(rt, "blank")
		comment := fmt.Sprintf("c%d-", len(comments))
		switch kind {
		case 0:
			b.WriteString("\n  ")
		case 1:
			b.WriteString("\r\n\t")
		case 2:
			b.WriteString(" // " + comment + "\n")
			comments = append(comments, comment)
		case 3:
			b.WriteString("/* " + comment + " */")
			comments = append(comments, comment)
		}
	}
	b.WriteString("{")
	for i, name := range names {
		blank()
		fmt.Fprintf(&b, "%q:", name)
		blank()
		fmt.Fprintf(&b, "%d", i)
		blank()
		if i < len(names)-1 || rapid.Bool().Draw(rt, "trailing comma") {
			b.WriteString(",")
		}
	}
	blank()
	b.WriteString("}")
	return b.String(), comments
}
