package settings

import (
	"path/filepath"
	"testing"

	"github.com/margay-dev/margay/schema/source"
)

func TestOverridesCover(t *testing.T) {
	root := t.TempDir()
	name := filepath.Join(root, Name)
	for _, tt := range []struct {
		pattern, file string
		want          bool
	}{
		{"legacy/**", "legacy/ocelot.json", true},
		{"legacy/**", "legacy/a/b/ocelot.json", true},
		{"legacy/**", "legacy.json", false},
		{"legacy/*", "legacy/a/ocelot.json", false},
		{"./legacy/**", "legacy/ocelot.json", true},
		{"ocelot.*.json", "a/b/ocelot.orders.json", true},
		{"ocelot.*.json", "ocelot.json", false},
		{"**/ocelot.json", "ocelot.json", true},
		{"**/ocelot.json", "a/b/ocelot.json", true},
		{"{a,b}/ocelot.json", "b/ocelot.json", true},
		{"Legacy/**", "legacy/ocelot.json", false},
		{"**", "../ocelot.json", false},
		{"*.json", "../ocelot.json", false},
	} {
		o := Override{Files: []string{"none", tt.pattern}, folder: filepath.Dir(name)}
		if got := o.Covers(source.NewFile(filepath.Join(root, tt.file), nil)); got != tt.want {
			t.Errorf("%s for %s: got %t want %t", tt.pattern, tt.file, got, tt.want)
		}
	}
	if (&Override{Files: []string{"**"}}).Covers(nil) {
		t.Error("what is in no file is covered")
	}
}

func TestOverridesHavePlaces(t *testing.T) {
	s, found := Read(source.NewFile(Name, []byte(`{"overrides": [{"files": ["a"], "rules": {}}, {"files": ["b"], "rules": {"x": "off"}}]}`)))
	if len(found) > 0 {
		t.Fatalf("got findings %v", found)
	}
	if got := s.OverrideSpan(1, "x"); got.Text() != `"x"` || got.Position().Column != 74 {
		t.Errorf("got %q in column %d", got.Text(), got.Position().Column)
	}
	if got := s.OverrideSpan(0, "x"); !got.IsZero() {
		t.Errorf("got %q for what is not there", got.Text())
	}
}
