package rules_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/validate/rules"
	"github.com/margay-dev/margay/validate/validatetest"
)

const cases = "../../testdata/rules"

// TestCases proves every rule on its own cases. Those that a plan brings up are
// proved where plans are made.
func TestCases(t *testing.T) {
	lint := validatetest.With(rules.All())
	for _, r := range rules.All() {
		if !r.Late {
			t.Run(r.Name, func(t *testing.T) { validatetest.Run(t, filepath.Join(cases, r.Name), r, lint) })
		}
	}
}

// TestRulesAreComplete demands of every rule what the catalogue promises.
func TestRulesAreComplete(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+(-[a-z0-9]+)*$`)
	var names []string
	for _, r := range rules.All() {
		switch {
		case !name.MatchString(r.Name):
			t.Errorf("%q is not a name in kebab-case", r.Name)
		case !strings.HasSuffix(r.Summary, "."):
			t.Errorf("%s: the summary %q does not end in a full stop", r.Name, r.Summary)
		case r.Severity == 0:
			t.Errorf("%s has no severity", r.Name)
		case !strings.HasPrefix(r.Doc, "# "+r.Name+"\n"):
			t.Errorf("%s: its page is missing or has another title", r.Name)
		}
		for _, heading := range []string{"## Why it hurts", "## Avoid", "## Prefer", "## What makes it quiet"} {
			if !strings.Contains(r.Doc, heading) {
				t.Errorf("%s: its page has no %q", r.Name, heading)
			}
		}
		if slices.Contains(names, r.Name) {
			t.Errorf("there are two rules %s", r.Name)
		}
		names = append(names, r.Name)
	}
	orphans(t, names)
}

// orphans fails for cases and pages that belong to no rule.
func orphans(t *testing.T, names []string) {
	t.Helper()
	entries, err := os.ReadDir(cases)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(names, e.Name()) {
			t.Errorf("testdata/rules/%s belongs to no rule", e.Name())
		}
	}
	pages, _ := filepath.Glob("*.md")
	for _, p := range pages {
		if name := strings.ReplaceAll(strings.TrimSuffix(p, ".md"), "_", "-"); !slices.Contains(names, name) {
			t.Errorf("%s belongs to no rule", p)
		}
	}
}

// TestPagesAreTrue lints the examples of every page.
func TestPagesAreTrue(t *testing.T) {
	lint := validatetest.With(rules.All())
	for _, r := range rules.All() {
		if !r.Late {
			t.Run(r.Name, func(t *testing.T) { validatetest.Page(t, r, lint) })
		}
	}
}
