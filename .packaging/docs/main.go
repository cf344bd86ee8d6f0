// Command docs writes margay's pages as static HTML: the README, a page per
// rule, per command and per surprise of an upgrade, a table of what each version
// of Ocelot does, and a list of what the proxy does otherwise. The words are
// those that margay itself prints, so nothing is written twice. The pages need
// no script and no other host.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", "..", "the project")
	output := flag.String("output", "../dist/docs", "the folder to write to")
	flag.Parse()
	if err := run(*root, *output); err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(2)
	}
}

func run(root, output string) error {
	site, err := collect(root)
	if err != nil {
		return err
	}
	for _, p := range site.pages {
		data, err := site.render(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		path := filepath.Join(output, filepath.FromSlash(p.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d pages in %s\n", len(site.pages), output)
	return nil
}
