package rules_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load/loadtest"
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

// TestOracleFindings holds findings against recorded starts: what kept Ocelot
// from starting is an error, and no finding says so where it started.
func TestOracleFindings(t *testing.T) {
	tally := oracletest.NewTally("load.jsonl.gz, findings")
	all := rules.All()
	loadtest.Each(t, "load.jsonl.gz", func(r *loadtest.Recording) {
		text, ok := r.Files["ocelot.json"]
		if r.Mode != "file" || !ok || len(r.Opts.After)+len(r.Opts.Before)+len(r.Opts.EnvVars)+len(r.Opts.CommandLine)+len(r.Opts.InMemory) > 0 {
			return
		}
		var want struct{ Phase *string }
		if err := r.Answer(&want); err != nil {
			t.Fatal(err)
		}
		p := profile.Profile{NoDiscovery: !r.Profile.Discovery, Schemes: schemesOf(t, r)}
		p.Provider, _ = profile.ParseProvider(r.Profile.QoS)
		errors, told := 0, ""
		for _, d := range validatetest.Lint(t, validatetest.Parts{"gateway.json": text}, p, all) {
			if d.Severity == diag.Error {
				errors++
			}
			if strings.HasPrefix(d.Effect, "Ocelot does not start") {
				told = d.Rule + ": " + d.Message
			}
		}
		switch {
		case want.Phase != nil && errors == 0:
			tally.Differ(r.Group, r.ID, "Ocelot does not start (%s), and there is no error in %s", *want.Phase, text)
		case want.Phase == nil && told != "":
			tally.Differ(r.Group, r.ID, "Ocelot starts, but got %s in %s", told, text)
		default:
			tally.Agree(r.Group)
		}
	})
	tally.Report(t)
}

func schemesOf(t *testing.T, r *loadtest.Recording) []string {
	t.Helper()
	schemes := []string{}
	if err := json.Unmarshal(r.Profile.Schemes, &schemes); err != nil {
		return nil // a text: every name counts
	}
	return schemes
}
