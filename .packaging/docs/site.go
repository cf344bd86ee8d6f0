package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/surprise"
	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/validate/rules"
)

// page is one page before it is HTML.
type page struct {
	// path is where it stands, such as "rules/two-breakers.html".
	path, title string
	// facts stand below the title: severity, section.
	facts string
	// markdown or text is what it says; text is shown as a terminal would.
	markdown, text string
	// source is the file of the project that links in markdown are relative
	// to.
	source string
}

// site is all pages, and where files of the project have theirs.
type site struct {
	pages []page
	// bySource maps a file of the project to the path of its page.
	bySource map[string]string
}

// collect gathers the pages from the project.
func collect(root string) (*site, error) {
	s := &site{bySource: map[string]string{}}
	for _, f := range [...][3]string{{"README.md", "index.html", "margay"}, {"CHANGELOG.md", "changelog.html", "Changes"}} {
		text, err := os.ReadFile(filepath.Join(root, f[0]))
		if err != nil {
			return nil, err
		}
		s.add(page{path: f[1], title: f[2], markdown: string(text), source: f[0]})
	}
	for _, r := range rules.All() {
		facts := []string{r.Severity.String(), r.Category.String()}
		if r.Fixable {
			facts = append(facts, "can be fixed")
		}
		s.add(page{
			path: "rules/" + r.Name + ".html", title: r.Name, facts: strings.Join(facts, " · "), markdown: r.Doc,
			source: "validate/rules/" + strings.ReplaceAll(r.Name, "-", "_") + ".md",
		})
	}
	if err := s.addUpgrades(); err != nil {
		return nil, err
	}
	s.addDifferences()
	return s, s.addCommands(root)
}

// addUpgrades adds what each version of Ocelot does, and a page per surprise
// of an upgrade.
func (s *site) addUpgrades() error {
	var versions strings.Builder
	if err := emit.VersionsMarkdown(&versions); err != nil {
		return err
	}
	var list strings.Builder
	list.WriteString("\n\n## Surprises\n\n| | from → to | what changes |\n|---|---|---|\n")
	for _, u := range surprise.Surprises() {
		name := strings.ToLower(u.ID)
		fmt.Fprintf(&list, "| [%s](%s.html) | %s → %s | %s |\n", u.ID, name, u.From, u.To, u.Title)
		s.add(page{path: "upgrades/" + name + ".html", title: u.ID + ": " + u.Title, facts: u.From + " → " + u.To, markdown: u.Page})
	}
	s.add(page{path: "upgrades/index.html", title: "What each version of Ocelot does", markdown: versions.String() + list.String()})
	return nil
}

// addDifferences adds what the proxy does otherwise than Ocelot on purpose.
func (s *site) addDifferences() {
	var table strings.Builder
	table.WriteString("For security, for data that would be lost, or because of a plain bug; everything else that was recorded of the real program `margay serve` does just so.\n\n| | Ocelot 25.0 | margay |\n|---|---|---|\n")
	for _, d := range guard.Differences() {
		fmt.Fprintf(&table, "| %s | %s | %s |\n", d.ID, cell(d.Ocelot), cell(d.Margay))
	}
	s.add(page{path: "differences.html", title: "Where the proxy differs from Ocelot", markdown: table.String()})
}

// cell is text that may stand in a table of Markdown and names nothing in it.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "{", "&#123;", "<", "&lt;").Replace(text)
}

// addCommands adds a page per command: what its --help prints.
func (s *site) addCommands(root string) error {
	help, err := margay(root, "--help")
	if err != nil {
		return err
	}
	s.add(page{path: "commands/index.html", title: "Commands", text: help})
	for _, name := range commands(help) {
		text, err := margay(root, name, "--help")
		if err != nil {
			return err
		}
		s.add(page{path: "commands/" + name + ".html", title: "margay " + name, text: text})
	}
	return nil
}

func (s *site) add(p page) {
	s.pages = append(s.pages, p)
	if p.source != "" {
		s.bySource[p.source] = p.path
	}
}

// commands returns the names in the list of commands that margay prints.
func commands(help string) []string {
	var names []string
	_, list, _ := strings.Cut(help, "\ncommands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	for line := range strings.Lines(list) {
		// A description that goes on stands further to the right.
		if name, ok := strings.CutPrefix(line, "  "); ok && !strings.HasPrefix(name, " ") {
			names = append(names, strings.Fields(name)[0])
		}
	}
	return names
}

func margay(root string, args ...string) (string, error) {
	cmd := exec.Command("go", append([]string{"run", "./cmd/margay"}, args...)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("margay %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}
