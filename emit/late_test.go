package emit_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate/rules"
	"github.com/margay-dev/margay/validate/validatetest"
)

// TestLateRules proves the rules that a plan brings up, on their cases and
// pages.
func TestLateRules(t *testing.T) {
	for _, r := range rules.All() {
		if r.Late {
			t.Run(r.Name, func(t *testing.T) {
				validatetest.Run(t, filepath.Join("../testdata/rules", r.Name), r, lintAndPlan)
				validatetest.Page(t, r, lintAndPlan)
			})
		}
	}
}

// lintAndPlan returns the findings of a lint for margay, and holds that making
// the plan has the same ones.
func lintAndPlan(t testing.TB, parts validatetest.Parts) []diag.Diagnostic {
	t.Helper()
	in := load.Input{Name: "ocelot.json", File: source.NewFile("ocelot.json", []byte(parts["ocelot.json"]))}
	for name, text := range parts {
		in = load.Input{Name: name, File: source.NewFile(name, []byte(text))}
	}
	opts := emit.Options{Rules: rules.All(), Margay: true, Profile: validatetest.ProfileOf(t, parts)}
	r, err := emit.Compile(context.Background(), in, opts)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Starts() {
		return r.Findings
	}
	p, planned := emit.Plan(r)
	if p != nil {
		planned = emit.PlanDiffers(r)
	}
	late := slices.DeleteFunc(slices.Clone(r.Findings), func(d diag.Diagnostic) bool { return !strings.HasPrefix(d.Rule, "plan-") })
	if (p == nil) != (diag.Count(late, diag.Error) > 0) || !slices.EqualFunc(planned.Sorted(), late, func(a, b diag.Diagnostic) bool { return diag.Compare(a, b) == 0 }) {
		t.Errorf("got findings %v of the plan, and %v of the lint", planned.Sorted(), late)
	}
	return r.Findings
}
