package route

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

func TestNewRefuses(t *testing.T) {
	for template, want := range map[string]string{
		"/a/{x":     "a brace is never closed",
		"/a/{{x}}":  "a placeholder holds another brace or a question mark",
		"/{x}/{x}":  "placeholder {x} occurs twice",
		"a":         "it does not start with a slash",
		`/(a)\1`:    `"\\1" refers back to a group, which no linear-time matcher can do`,
		`/a\Z`:      `"\\Z" has no counterpart in a linear-time matcher`,
		"/[a-[b]]":  `"-[" subtracts a class, which has no counterpart in a linear-time matcher`,
		"/[{x}]":    "a placeholder stands inside of brackets, where it captures nothing",
		`/\{x}`:     "a placeholder stands behind a backslash, where it captures nothing",
		"/a/{x}*":   `a placeholder is repeated by "*"`,
		"/[a":       "a bracket is never closed",
		`/a\`:       "it ends in a backslash",
		"/a/?(?=b)": `a group that starts with "(?=" has no counterpart in a linear-time matcher`,
	} {
		_, err := New(&plan.Plan{Routes: []plan.Route{static(template, "/d")}})
		invalid, ok := errors.AsType[*plan.InvalidError](err)
		if !ok || len(invalid.Problems) != 1 {
			t.Errorf("%s: got %v, want one problem", template, err)
			continue
		}
		p := invalid.Problems[0]
		if p.Path != "routes[0].match.path" || p.Reason != fmt.Sprintf("got %q: %s", template, want) {
			t.Errorf("%s: got %s, want %s", template, p, want)
		}
	}
}

func TestNewRefusesHeaders(t *testing.T) {
	for template, want := range map[string]string{
		"{header:v-w}": `placeholder "{header:v-w}" has a name that is not a word`,
		"a(?=b)":       `a group that starts with "(?=" has no counterpart in a linear-time matcher`,
		"a(?<!b)":      `a group that starts with "(?<!" has no counterpart in a linear-time matcher`,
		"(":            "as a regular expression it does not compile: error parsing regexp: missing closing ): `(?s)^(?i)($`",
	} {
		r := static("/a", "/d")
		r.Match.Headers = []plan.HeaderMatch{{Name: "a", Template: "ok"}, {Name: "b", Template: template}}
		_, err := New(&plan.Plan{Routes: []plan.Route{r}})
		invalid, ok := errors.AsType[*plan.InvalidError](err)
		if !ok || len(invalid.Problems) != 1 {
			t.Errorf("%s: got %v, want one problem", template, err)
			continue
		}
		if p := invalid.Problems[0]; p.Path != "routes[0].match.headers[1].template" || p.Reason != fmt.Sprintf("got %q: %s", template, want) {
			t.Errorf("%s: got %s, want %s", template, p, want)
		}
	}
}

// TestTooManyPlaceholders are refused: they are counted in 16 bits.
func TestTooManyPlaceholders(t *testing.T) {
	var path, value strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&path, "/{p%d}", i)
		fmt.Fprintf(&value, "{header:p%d}-", i)
	}
	for _, m := range []plan.Match{
		{Kind: plan.Static, Path: path.String()},
		{Kind: plan.Static, Path: "/a", Headers: []plan.HeaderMatch{{Name: "X", Template: value.String()}}},
	} {
		if _, err := New(&plan.Plan{Routes: []plan.Route{{Match: m}}}); err == nil || !strings.HasSuffix(err.Error(), errCrowded.Error()) {
			t.Errorf("got %.200v", err)
		}
	}
}
