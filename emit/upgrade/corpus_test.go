package upgrade_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/emit/upgrade"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// TestRealFiles upgrades every real gateway from 24.0 to 25.0: reports fit the
// terminal, a file against itself changes nothing, and the edits that keep
// today's behaviour lose no comment and break no text.
func TestRealFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(oracletest.CorpusDir(t), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d files, %v", len(files), err)
	}
	changed, kept, read := 0, 0, 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		from, to := compileRaw(t, text, "24.0.1"), compileRaw(t, text, "25.0")
		r := upgrade.Compare(from, to)
		for line := range strings.Lines(textOf(t, r)) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
				t.Errorf("%s: a line has %d columns: %s", filepath.Base(name), n, line)
			}
		}
		if same := change.Compare(change.OfResult(to), change.OfResult(compileRaw(t, text, "25.0"))); same.Changed {
			t.Errorf("%s: differs from itself: %s", filepath.Base(name), same.Summary)
		}
		k, err := upgrade.Keep(t.Context(), from, to)
		if err != nil {
			continue // a text that is not JSON
		}
		read++
		if k.Changing > 0 {
			changed++
		}
		if k.Changing > 0 && len(k.Losses) == 0 {
			kept++
		}
		checkEdits(t, filepath.Base(name), to, k)
	}
	t.Logf("%d files, %d change from 24.0 to 25.0, %d of these are kept whole", read, changed, kept)
	if read < len(files)/2 {
		t.Errorf("only %d of %d files were read", read, len(files))
	}
}

func compileRaw(t testing.TB, text []byte, version string) *emit.Result {
	t.Helper()
	r, err := emit.Compile(t.Context(), load.Input{Name: "ocelot.json", File: source.NewFile("ocelot.json", text)}, emit.Options{Profile: profileOf(t, version)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func checkEdits(t *testing.T, name string, before *emit.Result, k *upgrade.Kept) {
	t.Helper()
	for _, file := range k.Files {
		after := source.NewFile(file.File.Name, file.Raw)
		loaded := load.Single(after, load.Options{})
		if len(loaded.Texts[0].Defects) > 0 {
			t.Errorf("%s: the edited text is no JSON:\n%s", name, file.Text)
		}
		for _, c := range before.Loaded.Texts[0].Comments {
			if text := strings.TrimSpace(string(file.File.Text[c.Start:c.End])); !strings.Contains(string(file.Text), text) {
				t.Errorf("%s: a comment is lost: %s", name, text)
			}
		}
	}
}

// TestCorpusIsKeptBetweenAnyTwoReleases edits every real gateway from each
// release to each later one: the edited bytes, read anew, do what the file did,
// or the report says what is lost.
func TestCorpusIsKeptBetweenAnyTwoReleases(t *testing.T) {
	releases := []string{"22.0.1", "23.2.0", "23.4.3", "24.0.1", "24.1.0", "25.0", "25.0-builtin"}
	files, err := filepath.Glob(filepath.Join(oracletest.CorpusDir(t), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d files, %v", len(files), err)
	}
	changed, kept := 0, 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		results := make([]*emit.Result, len(releases))
		for i, release := range releases {
			results[i] = compileRaw(t, text, release)
		}
		for i, from := range results {
			for j := i + 1; j < len(results); j++ {
				k, err := upgrade.Keep(t.Context(), from, results[j])
				if err != nil {
					continue // a text that is not JSON
				}
				changed += min(k.Changing, 1)
				checkEdits(t, filepath.Base(name), results[j], k)
				if len(k.Losses) > 0 {
					continue
				}
				kept += min(k.Changing, 1)
				after := text
				for _, file := range k.Files {
					after = file.Raw
				}
				if got, want := keptEffects(compileRaw(t, after, releases[j])), keptEffects(from); got != want {
					t.Errorf("%s from %s to %s: got\n%swant\n%s", filepath.Base(name), releases[i], releases[j], got, want)
				}
			}
		}
	}
	t.Logf("%d gateways change between two releases, %d of these are kept whole", changed, kept)
	if kept == 0 {
		t.Error("none is kept")
	}
}
