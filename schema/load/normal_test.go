package load_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// flat writes a configuration as "key=value" lines; null keys have no "=".
func flat(result *load.Result) string {
	var b strings.Builder
	for e := range load.Entries(result.Tree, result.Root, "") {
		switch {
		case e.Branch:
		case e.Null:
			b.WriteString(e.Key + "\n")
		default:
			b.WriteString(e.Key + "=" + e.Value + "\n")
		}
	}
	return b.String()
}

func TestNormalForm(t *testing.T) {
	for _, test := range []struct{ text, want, failure string }{
		{`{"a":1,"b":{"c":null},"d":[],"e":{}}`, "a=1\nb:c\nd=\ne\n", ""},
		{`{"a":{"x":1},"A":{"y":2}}`, "a:x=1\na:y=2\n", ""},
		{`{"a":{"x":1},"A":{"X":2}}`, "a:x=1\n", "A duplicate key 'A:X' was found."},
		{`{"a:b":1,"a":{"c":2}}`, "a:b=1\na:c=2\n", ""},
		{`{"a:b":1,"a":{"B":2}}`, "a:b=1\n", "A duplicate key 'a:B' was found."},
		{`{"a":1,"a":{}}`, "a\n", ""},
		{`{"a":{},"a":1}`, "a\n", "A duplicate key 'a' was found."},
		{`{"a":1,"a":[]}`, "a=\n", ""},
		{`{"a":1,"a":{"b":2}}`, "a=1\na:b=2\n", ""},
		{`{"a":[{"x":1}],"a":[{"y":2},3]}`, "a:0:x=1\na:0:y=2\na:1=3\n", ""},
		{`{"a":[1],"a:0":2}`, "a:0=1\n", "A duplicate key 'a:0' was found."},
		{`{"b":{"x":1,"X":2},"a":1,"A":2}`, "b:x=1\na=1\n", "A duplicate key 'b:X' was found."},
		{`{"":{"x":1},"a":{"":2}}`, ":x=1\na:=2\n", ""},
		// A key is looked for before its value is decoded.
		{`{"a":1,"A":"\ud800"}`, "a=1\n", "A duplicate key 'A' was found."},
		{`{"a":"\ud800","A":1}`, "a=1\n", "Cannot read incomplete UTF-16 JSON text as string with missing low surrogate."},
	} {
		result := load.Single(source.NewFile("ocelot.json", []byte(test.text)), load.Options{})
		if got := flat(result); got != test.want {
			t.Errorf("%s:\n got %q\nwant %q", test.text, got, test.want)
		}
		failure := ""
		if result.Failure != nil {
			failure = result.Failure.Cause().Message
		}
		if failure != test.failure {
			t.Errorf("%s: failure %q, want %q", test.text, failure, test.failure)
		}
	}
}

func TestRegularFilesAreNotCopied(t *testing.T) {
	result := load.Single(source.NewFile("ocelot.json", []byte(`{"Routes":[{"Key":"a"}]}`)), load.Options{})
	if got, want := result.Root, result.Texts[0].Root; got != want {
		t.Errorf("Root is %d, want the parsed root %d", got, want)
	}
}

func TestLayers(t *testing.T) {
	for _, test := range []struct{ base, over, want string }{
		{`{"a":1}`, `{"b":2}`, "a=1\nb=2\n"},
		{`{"a":1}`, `{"A":null}`, "A\n"},
		{`{"a":[1,2,3]}`, `{"a":[9]}`, "a:0=9\na:1=2\na:2=3\n"},
		{`{"a":[1,2]}`, `{"a":[]}`, "a=\na:0=1\na:1=2\n"},
		{`{"a":[1,2]}`, `{"a":{"1":9,"x":3}}`, "a:0=1\na:1=9\na:x=3\n"},
		{`{"a":{"b":1}}`, `{"a":"x"}`, "a=x\na:b=1\n"},
		{`{"a":"x"}`, `{"a":{"b":1}}`, "a=x\na:b=1\n"},
		{`{"a":"x"}`, `{"a":{}}`, "a\n"},
		{`{"a":{"b":1}}`, `{"a:b":2}`, "a:b=2\n"},
	} {
		files := fstest.MapFS{"a.json": {Data: []byte(test.base)}, "b.json": {Data: []byte(test.over)}}
		result, err := load.Run(load.Folder{FS: files}, []load.Provider{load.File{Name: "a.json"}, load.File{Name: "b.json"}}, load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := flat(result); got != test.want {
			t.Errorf("%s under %s:\n got %q\nwant %q", test.base, test.over, got, test.want)
		}
	}
}

func TestOverlaidValuesPointAtTheirFile(t *testing.T) {
	files := fstest.MapFS{"a.json": {Data: []byte(`{"a":{"x":1,"y":2}}`)}, "b.json": {Data: []byte(`{"a":{"y":3}}`)}}
	result, err := load.Run(load.Folder{FS: files, Name: "gw"}, []load.Provider{load.File{Name: "a.json"}, load.File{Name: "b.json"}}, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"a:x": "gw/a.json", "a:y": "gw/b.json"} {
		if got := result.Tree.Span(load.Find(result.Tree, result.Root, key)).File.Name; got != want {
			t.Errorf("%s is from %s, want %s", key, got, want)
		}
	}
}

// checkNormal reports members of a normalised tree that .NET would not keep
// apart, and nodes that point outside of their files.
func checkNormal(tree *syntax.Tree, id syntax.ID) error {
	var names []string
	for child := range tree.Children(id) {
		n := tree.Node(child)
		if text := tree.Files[n.File].Text; int(n.End) > len(text) || n.Start > n.End {
			return fmt.Errorf("node %d stands at %d to %d of %d bytes", child, n.Start, n.End, len(text))
		}
		if tree.Node(id).Kind == syntax.Object {
			name := tree.Key(child)
			if strings.Contains(name, ":") {
				return fmt.Errorf("name %q has a colon", name)
			}
			for _, other := range names {
				if ordinal.Equal(name, other) {
					return fmt.Errorf("names %q and %q are the same", name, other)
				}
			}
			names = append(names, name)
		}
		if err := checkNormal(tree, child); err != nil {
			return err
		}
	}
	return nil
}

// FuzzMerge merges two parts and lays a third text over them: whatever they
// say, the result is in normal form.
func FuzzMerge(f *testing.F) {
	f.Add(`{"Routes":[{"Key":"a"}]}`, `{"routes":[{'Key':0x1F,}],"GlobalConfiguration":[]}`, `{"Routes":[{"Key":null}]}`)
	f.Add(`{"Routes":{"0":{}}}`, `{"Routes":[{"a:b":1,"A":{"B":2}}]}`, `{"Routes:0:x":1,"Routes":[]}`)
	f.Add("//\n{}", `{"Aggregates":[{"a":1,"a":{}}]}`, `{"a":{"b":1},"A":2}`)
	f.Fuzz(func(t *testing.T, a, b, over string) {
		files := fstest.MapFS{
			"ocelot.a.json":          {Data: []byte(a)},
			"ocelot.global.json":     {Data: []byte(b)},
			"ocelot.Production.json": {Data: []byte(over)},
		}
		for _, merge := range []load.Provider{load.Merge{Environment: "Production"}, load.Swagger{}} {
			result, err := load.Run(load.Folder{FS: files}, []load.Provider{merge, load.File{Name: "ocelot.Production.json"}}, load.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if result.Root == 0 {
				continue
			}
			if err := checkNormal(result.Tree, result.Root); err != nil {
				t.Errorf("%T of %q and %q under %q: %v", merge, a, b, over, err)
			}
		}
	})
}
