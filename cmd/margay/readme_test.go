package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/margay-dev/margay/emit/unified"
	"github.com/margay-dev/margay/schema/settings"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/rules"
)

// TestReadme holds README.md against what margay really prints and against
// the catalogue of rules. UPDATE=1 rewrites both parts.
func TestReadme(t *testing.T) {
	name := filepath.Join("..", "..", "README.md")
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got := string(raw)
	want := fill(t, fill(t, got, "session", session(t)), "rules", ruleTable())
	if got == want {
		return
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("README.md is out of date, UPDATE=1 rewrites it:\n%s", unified.Diff("got", "want", got, want))
}

// fill puts a text between <!-- part --> and <!-- end -->.
func fill(t *testing.T, readme, part, text string) string {
	t.Helper()
	start := "<!-- " + part + " -->\n"
	before, rest, ok := strings.Cut(readme, start)
	_, after, closed := strings.Cut(rest, "<!-- end -->")
	if !ok || !closed {
		t.Fatalf("README.md has no part %q", part)
	}
	return before + start + text + "<!-- end -->" + after
}

// session is the session of testdata/script/readme.txtar, as a terminal shows
// it. TestScripts runs it.
func session(t *testing.T) string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("..", "..", "testdata", "script", "readme.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	text := "```jsonc\n" + files["ocelot.json"] + "```\n\n```console\n"
	separator := ""
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "! "))
		if command, ok := strings.CutPrefix(line, "exec "); ok {
			text += separator + "$ " + command + "\n"
			separator = "\n"
		} else if name, ok := strings.CutPrefix(line, "cmp stdout "); ok {
			text += files[name]
		}
	}
	return text + "```\n"
}

// ruleTable lists all rules by category.
func ruleTable() string {
	var b strings.Builder
	all := rules.All()
	for category := validate.Reading; category <= validate.Housekeeping; category++ {
		rows := ""
		for _, r := range all {
			if r.Category == category {
				rows += ruleRow(r)
			}
		}
		if rows != "" {
			fmt.Fprintf(&b, "### %s\n\n| rule | severity | what it says |\n|---|---|---|\n%s\n", category, rows)
		}
	}
	return b.String()
}

func ruleRow(r *validate.Rule) string {
	severity := r.Severity.String()
	if r.Fixable {
		severity += ", fix"
	}
	return fmt.Sprintf("| [%s](validate/rules/%s.md) | %s | %s |\n", r.Name, strings.ReplaceAll(r.Name, "-", "_"), severity, strings.ReplaceAll(r.Summary, "|", `\|`))
}

// TestReadmeSettings reads the settings that the README shows.
func TestReadmeSettings(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(raw), "## `.margay.json`")
	_, rest, _ = strings.Cut(rest, "```jsonc\n")
	text, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("README.md shows no settings")
	}
	s, found := settings.Read(source.NewFile(settings.Name, []byte(text)))
	for _, f := range append(found, ruleProblems(s, rules.All())...) {
		t.Errorf("line %d: %s", f.Span.Position().Line, f.Message)
	}
	if s.Provider != "polly" {
		t.Errorf("got provider %q want polly", s.Provider)
	}
}
