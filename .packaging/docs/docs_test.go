package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestPages writes the whole site and follows every link within it.
func TestPages(t *testing.T) {
	output := t.TempDir()
	if err := run("../..", output); err != nil {
		t.Fatal(err)
	}
	site := os.DirFS(output)
	pages, links := 0, 0
	err := fs.WalkDir(site, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		pages++
		root := parse(t, filepath.Join(output, name))
		for n := range root.Descendants() {
			to, ok := attribute(n, "href")
			if !ok || n.Data != "a" || strings.Contains(to, "://") {
				continue
			}
			links++
			checkLink(t, output, name, to)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 100 || links < pages {
		t.Errorf("only %d pages with %d links were written", pages, links)
	}
}

// checkLink fails unless the page and the place in it exist.
func checkLink(t *testing.T, output, from, to string) {
	t.Helper()
	file, fragment, _ := strings.Cut(to, "#")
	target := from
	if file != "" {
		target = path.Join(path.Dir(from), file)
	}
	full := filepath.Join(output, filepath.FromSlash(target))
	if _, err := os.Stat(full); err != nil {
		t.Errorf("%s: broken link %s", from, to)
		return
	}
	if fragment == "" {
		return
	}
	for n := range parse(t, full).Descendants() {
		if id, _ := attribute(n, "id"); id == fragment {
			return
		}
	}
	t.Errorf("%s: no place %q in %s", from, fragment, target)
}

func parse(t *testing.T, path string) *html.Node {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	root, err := html.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func attribute(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func TestCommands(t *testing.T) {
	help := "margay: x\n\ncommands:\n  lint          report what is wrong\n                and more\n  version       print\n\n`margay`\n"
	if got := strings.Join(commands(help), ","); got != "lint,version" {
		t.Errorf("got %s", got)
	}
}
