package validatetest

import (
	"cmp"
	"regexp"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

// Page lints the examples of a rule's page: what is under Avoid has the rule's
// finding, what is under Prefer has none, and neither has an error of a rule
// that the page does not name.
func Page(t *testing.T, rule *validate.Rule, lint Linter) {
	t.Helper()
	_, rest, _ := strings.Cut(rule.Doc, "## Avoid")
	avoid, prefer, _ := strings.Cut(rest, "## Prefer")
	example(t, rule, lint, examples(avoid), true)
	example(t, rule, lint, examples(prefer), false)
}

var fenced = regexp.MustCompile("(?s)```jsonc?(?: (\\S+))?\n(.*?)```")

// examples returns the files that a page shows: ocelot.json, or what is named
// behind the fence.
func examples(page string) Parts {
	parts := Parts{}
	for _, m := range fenced.FindAllStringSubmatch(page, -1) {
		parts[cmp.Or(m[1], "ocelot.json")] = m[2]
	}
	return parts
}

func example(t *testing.T, rule *validate.Rule, lint Linter, parts Parts, fires bool) {
	t.Helper()
	if len(parts) == 0 {
		t.Error("the page lacks an example")
		return
	}
	found := false
	for _, d := range lint(t, parts) {
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
