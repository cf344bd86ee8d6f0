package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestParseRevision tells revisions from paths.
func TestParseRevision(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll(filepath.Join("origin"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ arg, rev, path string }{
		{"HEAD~1:gateway/ocelot.json", "HEAD~1", "gateway/ocelot.json"},
		{"origin/main:gateway", "origin/main", "gateway"},
		{"HEAD:", "HEAD", ""},
		{"HEAD:./x.json", "HEAD", "./x.json"},
		{"v1.2:a:b.json", "v1.2", "a:b.json"},
		{"C:ocelot.json", "C", "ocelot.json"},
		{`C:\ocelot.json`, "", ""},
		{"C:/ocelot.json", "", ""},
		{"c:", "", ""},
		{"ocelot.json", "", ""},
		{"./a:b", "", ""},
		{"/a:b", "", ""},
		{":ocelot.json", "", ""},
		{"gate*:b", "", ""},
		{"-", "", ""},
	} {
		r, ok, err := parseRevision(c.arg)
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.arg, err)
		case ok != (c.rev != ""):
			t.Errorf("%s: got a revision: %v", c.arg, ok)
		case ok && (r.rev != c.rev || r.path != c.path):
			t.Errorf("%s: got %q and %q want %q and %q", c.arg, r.rev, r.path, c.rev, c.path)
		}
	}
	if _, _, err := parseRevision("--upload-pack=x:y"); err == nil {
		t.Error("an option is taken for a revision")
	}
}
