package template_test

import (
	"testing"

	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/template"
)

// TestPattern: the forms of patterns, with the expressions that the programs
// made (routeName of ver-many-0032 and others).
func TestPattern(t *testing.T) {
	for _, tt := range []struct{ text, of22, of23, of24 string }{
		{"/a", "^(?i)/a$", "^(?i)/a$", "^(?i)/a$"},
		{"/a/", "^(?i)/a(/|)$", "^(?i)/a(/|)$", "^(?i)/a(/|)$"},
		{"/", "^/$", "^/$", "^/$"},
		{"/{catchall}", "^/.*", "^/.*", "^/.*"},
		{"/x/{id}?q={q}", `^(?i)/x/.+\?q=.+$`, `^(?i)/x(?:|/.*(|\?)q=.*)$`, `^(?i)/x/[^/]+(/$|/\?|\?|$)q=.*$`},
		{"/x/{id}/y", "^(?i)/x/[^/]+/y$", "^(?i)/x/[^/]+/y$", "^(?i)/x/[^/]+/y$"},
		{"/x/{id}", "^(?i)/x/.+$", "^(?i)/x(?:|/.*)$", "^(?i)/x(?:|/.*)$"},
	} {
		for form, want := range map[profile.PatternForm]string{profile.PatternOf22: tt.of22, profile.PatternOf23: tt.of23, profile.PatternOf24: tt.of24} {
			if got, err := template.Pattern(tt.text, template.Options{Form: form}); err != nil || got != want {
				t.Errorf("%s in form %d: got %s %v want %s", tt.text, form, got, err, want)
			}
		}
	}
	if got, err := template.Pattern("/A", template.Options{CaseSensitive: true}); err != nil || got != "^/A$" {
		t.Errorf("got %s %v", got, err)
	}
	for _, text := range []string{"/a/{b", "/{a}/{a}", "{a}", "{a}{b}", ".", ".a"} {
		if got, err := template.Pattern(text, template.Options{}); err == nil {
			t.Errorf("%s: got %s", text, got)
		}
	}
}
