package report

import (
	"path/filepath"
	"testing"
)

func TestBase(t *testing.T) {
	root, err := filepath.Abs("repo")
	if err != nil {
		t.Fatal(err)
	}
	base := Base{Root: root, Dir: filepath.Join(root, "a")}
	for name, want := range map[string]string{
		"ocelot.json":                            filepath.Join("a", "ocelot.json"),
		filepath.Join("..", "b", "ocelot.json"):  filepath.Join("b", "ocelot.json"),
		filepath.Join(root, "c", "ocelot.json"):  filepath.Join("c", "ocelot.json"),
		"":                                       "a",
		filepath.Join("..", "..", "ocelot.json"): filepath.Join("..", "..", "ocelot.json"),
		filepath.Join("..", "..."):               "...",
		root + "x":                               root + "x",
	} {
		if got := base.name(name); got != want {
			t.Errorf("%q: got %q want %q", name, got, want)
		}
		if got := (Base{}).name(name); got != name {
			t.Errorf("%q without a root: got %q", name, got)
		}
	}
}
