package rules_test

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/rules"
	"github.com/margay-dev/margay/validate/validatetest"
)

const cases = "../../testdata/rules"

// TestCases proves every rule on its own cases.
func TestCases(t *testing.T) {
	all := rules.All()
	for _, r := range all {
		t.Run(r.Name, func(t *testing.T) { validatetest.Run(t, filepath.Join(cases, r.Name), all, r) })
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

var fenced = regexp.MustCompile("(?s)```jsonc?(?: (\\S+))?\n(.*?)```")

// TestPagesAreTrue lints the examples of every page: what is under Avoid has
// the rule's finding, what is under Prefer has none, and neither has an error
// of another rule.
func TestPagesAreTrue(t *testing.T) {
	all := rules.All()
	for _, r := range all {
		t.Run(r.Name, func(t *testing.T) {
			_, rest, _ := strings.Cut(r.Doc, "## Avoid")
			avoid, prefer, _ := strings.Cut(rest, "## Prefer")
			check(t, all, r, examples(avoid), true)
			check(t, all, r, examples(prefer), false)
		})
	}
}

// examples returns the files that a page shows: ocelot.json, or what is named
// behind the fence.
func examples(page string) validatetest.Parts {
	parts := validatetest.Parts{}
	for _, m := range fenced.FindAllStringSubmatch(page, -1) {
		parts[cmp.Or(m[1], "ocelot.json")] = m[2]
	}
	return parts
}

func check(t *testing.T, all []*validate.Rule, rule *validate.Rule, parts validatetest.Parts, fires bool) {
	t.Helper()
	if len(parts) == 0 {
		t.Error("the page lacks an example")
		return
	}
	found := false
	for _, d := range validatetest.Lint(t, parts, validatetest.ProfileOf(t, parts), all) {
		switch {
		case d.Rule == rule.Name:
			found = true
		case d.Severity == diag.Error && !strings.Contains(rule.Doc, "`"+d.Rule+"`"): // a consequence is named on the page
			t.Errorf("the example has an error of another rule, %s: %s\n%v", d.Rule, d.Message, parts)
		}
	}
	if found != fires {
		t.Errorf("got a finding: %v, want %v, in\n%v", found, fires, parts)
	}
}
