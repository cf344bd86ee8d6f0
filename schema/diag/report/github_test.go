package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
)

// GitHub shows ten annotations of each level. All others are counted.
func TestGitHubIsCapped(t *testing.T) {
	for _, test := range []struct{ errors, warnings, wantErrors, wantWarnings int }{
		{0, 0, 0, 0}, {1, 9, 1, 9}, {10, 10, 10, 10}, {11, 2, 10, 2}, {3, 900, 3, 10},
	} {
		var ds []diag.Diagnostic
		for i := range test.errors + test.warnings {
			d := about("r", fmt.Sprint(i), "")
			if i < test.errors {
				d.Severity = diag.Error
			}
			ds = append(ds, d)
		}
		out := output(t, "github", report.Options{}, ds)
		if e, w := strings.Count(out, "::error "), strings.Count(out, "::warning "); e != test.wantErrors || w != test.wantWarnings {
			t.Errorf("%d and %d: got %d errors and %d warnings, want %d and %d", test.errors, test.warnings, e, w, test.wantErrors, test.wantWarnings)
		}
		counted := strings.Count(out, "title=r::")
		for line := range strings.Lines(out) {
			var more int
			if _, text, ok := strings.Cut(line, "title=margay::"); ok {
				if _, err := fmt.Sscanf(text, "%d more", &more); err != nil {
					t.Error(err)
				}
				counted += more
			}
		}
		if counted != len(ds) {
			t.Errorf("%d and %d: got %d findings in all, want %d", test.errors, test.warnings, counted, len(ds))
		}
	}
}
