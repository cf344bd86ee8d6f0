package profile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/profile"
)

// TestMatrix: every aspect says something of every program, from old to new,
// and programs that do the same are one case.
func TestMatrix(t *testing.T) {
	all := []string{"22.0", "23.2", "23.4", "24.0", "24.1", "25.0 Polly", "25.0 built-in"}
	for _, aspect := range profile.Matrix() {
		var programs []string
		for i, c := range aspect.Cases {
			programs = append(programs, c.Programs...)
			switch {
			case c.Text == "" || strings.HasSuffix(c.Text, "."):
				t.Errorf("%s: %s: %q is no clause", aspect.Name, c.Span(), c.Text)
			case i > 0 && aspect.Cases[i-1].Text == c.Text:
				t.Errorf("%s: %s and %s do the same", aspect.Name, aspect.Cases[i-1].Span(), c.Span())
			}
		}
		if !slices.Equal(programs, all) {
			t.Errorf("%s: got %q", aspect.Name, programs)
		}
	}
}

func TestCaseSpan(t *testing.T) {
	for want, programs := range map[string][]string{
		"22.0":               {"22.0"},
		"22.0 to 24.0":       {"22.0", "23.2", "24.0"},
		"25.0":               {"25.0 Polly", "25.0 built-in"},
		"24.1 to 25.0":       {"24.1", "25.0 Polly", "25.0 built-in"},
		"22.0 to 25.0 Polly": {"22.0", "24.1", "25.0 Polly"},
		"25.0 built-in":      {"25.0 built-in"},
	} {
		if got := (profile.Case{Programs: programs}).Span(); got != want {
			t.Errorf("%q: got %q want %q", programs, got, want)
		}
	}
}
