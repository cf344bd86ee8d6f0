package emit

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/testdata/oracletest"
	"github.com/margay-dev/margay/validate/baseline"
)

// TestCorpusBaselinesSurviveMovedLines moves every line of real files: what was
// known is known, and nothing is gone.
func TestCorpusBaselinesSurviveMovedLines(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(oracletest.CorpusDir(t), "*.json"))
	known := 0
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before := compileText(t, raw)
		if before.garbled() || before.Loaded.Texts[0].File.Encoding.Mark() != "" {
			continue
		}
		b := (&baseline.Baseline{}).With("g", before.Findings, before.Mask)
		moved := append([]byte("// a new first line\n"), bytes.ReplaceAll(raw, []byte("\n"), []byte("\n\n    "))...)
		s := b.Split("g", compileText(t, moved).Findings, func(diag.Diagnostic) bool { return false })
		if len(s.Fresh) > 0 || len(s.Gone) > 0 {
			t.Errorf("%s: got %d fresh, %d gone of %d: %+v %+v", filepath.Base(name), len(s.Fresh), len(s.Gone), len(before.Findings), s.Fresh, s.Gone)
		}
		known += len(s.Held)
	}
	if known == 0 {
		t.Error("nothing was known")
	}
}
