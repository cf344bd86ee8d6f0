package schema

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// disagreement compares the walk with the library on every part of a
// configuration that Check judges by itself; "" if they agree. Nulls that
// matter only to .NET's versions, and scalars beside entries, are what the walk
// alone looks for.
func disagreement(text string) string {
	res := load.Single(source.NewFile("ocelot.json", []byte(text)), load.Options{})
	if res.Bound == 0 || res.Tree.Node(res.Bound).Kind != syntax.Object {
		return ""
	}
	quiet := newQuiet(nil)
	root := &place{id: res.Bound, shape: shapes().root}
	for id := range res.Tree.Children(res.Bound) {
		member, name := root.shape.find(res.Tree.Key(id))
		if !member.isSection() {
			continue
		}
		at := &place{id: id, shape: member, parent: root, name: name}
		parts := []*place{at}
		if member.isList() && isList(res.Tree, id) {
			parts = nil
			for element := range res.Tree.Children(id) {
				parts = append(parts, &place{id: element, shape: member.items, parent: at})
			}
		}
		for _, part := range parts {
			if difference := compare(res.Tree, &quiet, part); difference != "" {
				return difference
			}
		}
	}
	return ""
}

func compare(tree *syntax.Tree, quiet *quiet, at *place) string {
	w := walk{tree: tree, quiet: quiet}
	found := w.judge(at.shape, at.id)
	silent := found == good
	in := instance{tree: tree, quiet: quiet, places: map[string]*place{}}
	complaints := in.judge(at)
	notable := false
	for _, p := range in.order {
		n := tree.Node(p.id)
		entry := p.parent != nil && p.parent.shape.isDict()
		notable = notable || n.Kind == syntax.Null && (p.shape.nullMatters() || entry || p.parent != nil && p.parent.shape.isList() && p.shape.isText()) ||
			entry && n.Flags&syntax.AlsoValue != 0
	}
	for _, c := range complaints {
		if found == unknownNames && c.keyword != "additionalProperties" {
			return fmt.Sprintf("the walk sees names only and hides %q at %s", c.keyword, tree.Span(c.at.id).Text())
		}
	}
	switch {
	case silent && len(complaints) > 0:
		return fmt.Sprintf("the walk hides %q at %s", complaints[0].keyword, tree.Span(complaints[0].at.id).Text())
	case !silent && len(complaints) == 0 && !notable:
		return fmt.Sprintf("the walk stops for nothing at %s", tree.Span(at.id).Text())
	}
	return ""
}

func TestOracleShortcut(t *testing.T) {
	tally := oracletest.NewTally("load")
	oracletest.Each(t, "load.jsonl.gz", func(rec struct {
		ID, Group string
		Files     map[string]string
	}) {
		for name, text := range rec.Files {
			if difference := disagreement(text); difference != "" {
				tally.Differ(rec.Group, rec.ID, "%s: %s\n%s", name, difference, text)
				return
			}
		}
		tally.Agree(rec.Group)
	})
	tally.Report(t)
}

func TestShortcutOnCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(oracletest.CorpusDir(t), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if difference := disagreement(string(text)); difference != "" {
			t.Errorf("%s: %s", filepath.Base(name), difference)
		}
	}
}

// TestShortcutHidesNothing draws configurations in which names and values are
// often those of the schema, and often not.
func TestShortcutHidesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawObject(t, shapes().root, 6)
		if difference := disagreement(text); difference != "" {
			t.Fatalf("%s\n%s", difference, text)
		}
	})
}

func drawObject(t *rapid.T, s *shape, depth int) string {
	var members []string
	seen := map[string]bool{}
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		name := drawName(t, s)
		if seen[strings.ToLower(name)] {
			continue
		}
		seen[strings.ToLower(name)] = true
		member, _ := s.find(name)
		if member == nil {
			member = orAny(s.entries)
		}
		quoted, _ := json.Marshal(name)
		members = append(members, string(quoted)+":"+drawValue(t, member, depth-1))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func drawName(t *rapid.T, s *shape) string {
	if len(s.names) > 0 && rapid.IntRange(0, 5).Draw(t, "known") > 0 {
		name := rapid.SampledFrom(s.names).Draw(t, "name")
		if rapid.Bool().Draw(t, "lower") {
			name = strings.ToLower(name)
		}
		return name
	}
	return rapid.SampledFrom([]string{"x", "_n", "Timeout ", "a~b/c", "é", "0", "1", "swaggerKey", ""}).Draw(t, "other")
}

// drawValue draws a value that fits a schema four times of five.
func drawValue(t *rapid.T, s *shape, depth int) string {
	if depth <= 0 || rapid.IntRange(0, 4).Draw(t, "fits") == 0 {
		return drawAnything(t)
	}
	switch {
	case s.isList():
		var items []string
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			items = append(items, drawValue(t, orAny(s.items), depth-1))
		}
		return "[" + strings.Join(items, ",") + "]"
	case s.types.has(objectType) || s.types == 0:
		return drawObject(t, s, depth)
	}
	return drawAnything(t)
}

func drawAnything(t *rapid.T) string {
	return rapid.SampledFrom([]string{
		"null", "true", "false", "5", "-1", "5.0", "1.5", "1e3", "1e400", "1e9999999", "99999999999", "123456789012345678901234567890",
		`""`, `" "`, `"5"`, `"5s"`, `"true"`, `"0x10"`, `"NaN"`, `"Linear"`, `"5xx"`, `"x"`, `"ab"`,
		"{}", "[]", `{"a":1}`, `["a"]`, "[null]", "[[]]", `{"0":"a"}`, `{"Host":"a"}`, `[{"Host":"a"}]`,
	}).Draw(t, "value")
}
