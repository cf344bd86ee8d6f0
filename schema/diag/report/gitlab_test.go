package report_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
)

// GitLab takes only issues that have all of these members, and shows one of
// those with the same fingerprint.
func TestGitLabHasWhatGitLabWants(t *testing.T) {
	ds, secrets := findings()
	ds = append(ds, ds...)
	for _, list := range [][]diag.Diagnostic{nil, ds} {
		var issues []struct {
			Description, Fingerprint, Severity *string
			CheckName                          *string `json:"check_name"`
			Location                           *struct {
				Path  *string
				Lines *struct{ Begin *int }
			}
		}
		out := output(t, "gitlab", report.Options{Secrets: secrets, Least: diag.Info}, list)
		if err := json.Unmarshal([]byte(out), &issues); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if len(issues) != len(list) || issues == nil {
			t.Fatalf("got %d issues, want a list of %d", len(issues), len(list))
		}
		seen := map[string]bool{}
		for i, issue := range issues {
			if issue.Description == nil || issue.Fingerprint == nil || issue.Severity == nil || issue.CheckName == nil ||
				issue.Location == nil || issue.Location.Path == nil || issue.Location.Lines == nil || issue.Location.Lines.Begin == nil {
				t.Fatalf("issue %d lacks a member: %s", i, out)
			}
			if !slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, *issue.Severity) || *issue.Location.Lines.Begin < 1 {
				t.Errorf("issue %d: got severity %s in line %d", i, *issue.Severity, *issue.Location.Lines.Begin)
			}
			if seen[*issue.Fingerprint] {
				t.Errorf("issue %d: got fingerprint %s again", i, *issue.Fingerprint)
			}
			seen[*issue.Fingerprint] = true
		}
	}
}
