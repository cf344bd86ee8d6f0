package schema_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// TestCorpusFindings keeps count of the findings about real files, so that a
// change in behaviour shows. UPDATE=1 writes the counts.
func TestCorpusFindings(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(oracletest.CorpusDir(t), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	counts := map[string]int{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range check(string(text), schema.CheckOptions{}) {
			counts[d.Rule]++
		}
	}
	var got strings.Builder
	for _, rule := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&got, "%s %d\n", rule, counts[rule])
	}
	golden := filepath.Join("testdata", "corpus-findings.txt")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}
