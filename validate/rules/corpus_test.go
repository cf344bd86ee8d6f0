package rules_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/testdata/oracletest"
	"github.com/margay-dev/margay/validate/rules"
	"github.com/margay-dev/margay/validate/validatetest"
)

// TestCorpusFindings counts what every rule finds in real files. The golden
// holds rules and counts only, so a change of behaviour shows up in review.
func TestCorpusFindings(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(oracletest.CorpusDir(t), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d files, %v", len(files), err)
	}
	all, counts := rules.All(), map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// The name is not that of a part, so that the file stands alone.
		for _, d := range validatetest.Lint(t, validatetest.Parts{"gateway.json": string(text)}, profile.Profile{}, all) {
			counts[d.Rule]++
		}
	}
	var out strings.Builder
	for _, rule := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&out, "%s %d\n", rule, counts[rule])
	}
	golden := filepath.Join(cases, "corpus.golden")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the counts of findings have changed (UPDATE=1 accepts them):\ngot\n%s\nwant\n%s", out.String(), want)
	}
}
