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
