package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that somebody else has changed meanwhile is left as that left it.
func TestReplaceFileRefusesWhatHasChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ocelot.json")
	if err := os.WriteFile(name, []byte("theirs"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := replaceFile(name, []byte("as it was read"), []byte("ours"))
	if err == nil || !strings.Contains(err.Error(), "has been changed since it was read; nothing was written") {
		t.Errorf("got %v", err)
	}
	holds(t, name, "theirs")
	if err := replaceFile(name, []byte("theirs"), []byte("ours")); err != nil {
		t.Error(err)
	}
	holds(t, name, "ours")
}

// Trouble leaves neither a changed file nor anything beside it.
func TestReplaceFileLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"gone.json": "", "folder": "folder"} {
		if text == "folder" {
			if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := replaceFile(filepath.Join(dir, name), nil, []byte("x")); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("got %v, %v; want the folder alone", entries, err)
	}
}

func holds(t *testing.T, name, want string) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	beside, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".*"))
	if len(beside) > 0 {
		t.Errorf("left behind: %v", beside)
	}
}
