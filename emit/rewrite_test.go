package emit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/oracletest"
	"github.com/margay-dev/margay/validate/rules"
)

func compileText(t *testing.T, raw []byte) *Result {
	t.Helper()
	in := load.Input{Name: "ocelot.json", File: source.NewFile("ocelot.json", raw)}
	r, err := Compile(t.Context(), in, Options{Rules: rules.All()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRenameInPartsOfAMerge(t *testing.T) {
	folder := load.Folder{Name: "gateway", FS: fstest.MapFS{
		"ocelot.a.json":      {Data: []byte("{\"Routes\":[{\"UpstreamPathTemplate\":\"/a\",\"QoSOptions\":{\"TimeoutValue\":5000}}]}")},
		"ocelot.b.json":      {Data: []byte("{\"Routes\":[{\"UpstreamPathTemplate\":\"/b\"}]}")},
		"ocelot.global.json": {Data: []byte("{\"GlobalConfiguration\":{\"QoSOptions\":{\"DurationOfBreak\":1000}}}")},
	}}
	plan, err := load.Detect(folder, load.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Compile(t.Context(), load.Input{Name: "gateway", Folder: folder, Plan: plan}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	renamed, err := Rename(t.Context(), r, normalize.RewriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range renamed.Files {
		got = append(got, f.File.Name+" "+string(f.Raw))
	}
	want := []string{
		`gateway/ocelot.a.json {"Routes":[{"UpstreamPathTemplate":"/a","QoSOptions":{"Timeout":5000}}]}`,
		`gateway/ocelot.global.json {"GlobalConfiguration":{"QoSOptions":{"BreakDuration":1000}}}`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestRenameKeepsTheEncoding(t *testing.T) {
	text := "{\r\n\t\"Routes\": [{ \"QoSOptions\": { \"TimeoutValue\": 5000 } }]\r\n}"
	raw := source.UTF16LE.Encode([]byte(text))
	renamed, err := Rename(t.Context(), compileText(t, raw), normalize.RewriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := source.UTF16LE.Encode([]byte(strings.ReplaceAll(text, "TimeoutValue", "Timeout")))
	if len(renamed.Files) != 1 || string(renamed.Files[0].Raw) != string(want) {
		t.Errorf("got %v want %q", renamed.Files, want)
	}
}

func TestRenameRefusesWhatIsNotJSON(t *testing.T) {
	_, err := Rename(t.Context(), compileText(t, []byte(`{"Routes":[`)), normalize.RewriteOptions{})
	if !errors.Is(err, ErrNotJSON) {
		t.Errorf("got %v want ErrNotJSON", err)
	}
}

// TestFixMakesWholeFixes leaves out the second of two fixes that touch each
// other, with all of its edits.
func TestFixMakesWholeFixes(t *testing.T) {
	r := compileText(t, []byte(`{"Routes":[]}`))
	file := r.Loaded.Texts[0].File
	edit := func(start, end int, text string) diag.Edit {
		return diag.Edit{Span: source.Span{File: file, Start: start, End: end}, NewText: text}
	}
	r.Findings = []diag.Diagnostic{
		{Fix: &diag.Fix{Edits: []diag.Edit{edit(10, 12, "[ ]"), edit(1, 1, " ")}}},
		{Fix: &diag.Fix{Edits: []diag.Edit{edit(11, 11, "{}"), edit(13, 13, "!")}}},
		{Fix: &diag.Fix{Edits: []diag.Edit{edit(2, 3, "r")}, Unsafe: true}},
		{Fix: &diag.Fix{Edits: []diag.Edit{edit(8, 8, "x")}}},
	}
	files := r.Fix(r.Findings)
	if len(files) != 1 || string(files[0].Text) != `{ "Routesx":[ ]}` {
		t.Errorf("got %v", files)
	}
}

// TestCorpusRewrites renames and fixes real files. Names change nothing of what
// Ocelot computes, which Rename itself checks. Fixes leave a text that is read
// as well as before; that it is read in more places may bring findings to light.
func TestCorpusRewrites(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(oracletest.CorpusDir(t), "*.json"))
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before := compileText(t, raw)
		if _, err := Rename(t.Context(), before, normalize.RewriteOptions{}); err != nil && !errors.Is(err, ErrNotJSON) {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
		for _, f := range before.Fix(before.Findings) {
			got, had := len(compileText(t, f.Raw).Loaded.Texts[0].Defects), len(before.Loaded.Texts[0].Defects)
			if got > had {
				t.Errorf("%s: fixes break the text: got %d defects want at most %d", filepath.Base(name), got, had)
			}
		}
	}
}

// TestRenameRealFiles replaces every deprecated name that can be replaced: what
// is left is named, and the gateway stays the same, which Rename itself checks.
func TestRenameRealFiles(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(oracletest.CorpusDir(t), "*.json"))
	renamed, left := 0, 0
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before := compileText(t, raw)
		r, err := Rename(t.Context(), before, normalize.RewriteOptions{})
		if errors.Is(err, ErrNotJSON) {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(name), err)
			continue
		}
		after := before
		if len(r.Files) > 0 {
			after = compileText(t, r.Files[0].Raw)
		}
		deprecated := 0
		for _, d := range after.Findings {
			if d.Rule == "deprecated-option" {
				deprecated++
			}
		}
		if deprecated != len(r.Kept) {
			t.Errorf("%s: %d deprecated names are left, and %d are named", filepath.Base(name), deprecated, len(r.Kept))
		}
		renamed, left = renamed+r.Renamed, left+deprecated
	}
	t.Logf("%d names replaced, %d left", renamed, left)
	if renamed < 1000 {
		t.Errorf("only %d names were replaced", renamed)
	}
}
