package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/project"
	"github.com/margay-dev/margay/schema/prose"
	"github.com/margay-dev/margay/schema/settings"
)

// The options of init.
const (
	flagForce  = "force"
	flagDryRun = "dry-run"
)

func (p *program) initCommand() *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write what the .NET project says about a gateway to .margay.json",
		ArgsUsage: "[FOLDER]",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: flagDryRun, Usage: "print it, write nothing"},
			&cli.BoolFlag{Name: flagForce, Usage: "replace the file that is there"},
			&cli.StringFlag{Name: flagOcelot, Usage: "the Ocelot `VERSION`, where the project does not say it"},
			&cli.StringFlag{Name: flagProvider, Usage: "the `QOS` that is registered: builtin, polly, none"},
			&cli.StringFlag{Name: flagEnv, Usage: "`NAME` of the host's environment (default Production)"},
		},
		Action: p.runInit,
	}
}

func (p *program) runInit(c *cli.Context) error {
	dir := cmp.Or(c.Args().First(), ".")
	if c.NArg() > 1 {
		return usage("name one folder", "init takes one folder, got %d", c.NArg())
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("read %s: %w", dir, cause(err))
	}
	if !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	w, err := p.newSettings(c, dir)
	if err != nil {
		return err
	}
	question := w.found.question(dir, w.said)
	if c.Bool(flagDryRun) {
		_, err := fmt.Fprint(p.stdout, w.text())
		return errors.Join(err, question)
	}
	if question != nil {
		return question
	}
	return p.writeSettings(filepath.Join(dir, settings.Name), []byte(w.text()), c.Bool(flagForce))
}

// writeSettings writes the file: a new one, or over the old one where that is
// wanted.
func (p *program) writeSettings(name string, text []byte, force bool) error {
	err := createFile(name, text)
	if errors.Is(err, os.ErrExist) {
		if !force {
			return usage("--force replaces it, --dry-run prints what would be written", "%s is there already", name)
		}
		err = overwriteFile(name, text)
	}
	if err != nil {
		return err
	}
	return p.say("%s written", name)
}

// newSettings looks at the project of a folder and at the options.
func (p *program) newSettings(c *cli.Context, dir string) (*settingsWriter, error) {
	found, err := detections{}.at(c, dir, &settings.Settings{Detect: new(true)})
	if err != nil {
		return nil, err
	}
	w := &settingsWriter{c: c, found: found, dir: dir}
	if _, err := oneOf(c, flagProvider, "builtin", "polly", "none"); err != nil {
		return nil, err
	}
	if version := c.String(flagOcelot); version != "" {
		if _, ok := profile.Find(version); !ok {
			return nil, usage("", "%q is no version of Ocelot; --%s takes a number such as %s", version, flagOcelot, alternatives(profile.Versions()))
		}
	}
	if found.File == "" && !c.IsSet(flagOcelot) && !c.IsSet(flagProvider) {
		return nil, usage("say --ocelot VERSION and --provider, and they are written",
			"no project that uses Ocelot is found from %s up to %s", dir, found.root)
	}
	return w, nil
}

// settingsWriter writes the text of a settings file.
type settingsWriter struct {
	c     *cli.Context
	found *detection
	dir   string
	b     strings.Builder
}

func (w *settingsWriter) said(o project.Option) bool { return w.c.IsSet(string(o)) }

// text returns the file: each setting with where it comes from, and what is not
// sure as a comment to fill in.
func (w *settingsWriter) text() string {
	w.b.Reset()
	fmt.Fprintf(&w.b, "{\n  // Written by `margay init`. Options on the command line win over this file;\n  // `margay schema --of settings` describes all of it.\n  \"$schema\": %q", settings.SchemaURL)
	f := w.found
	w.setting(project.Ocelot, "the Ocelot that runs the gateway", quoted(f.Ocelot), "24.1")
	w.setting(project.Provider, "the QoS provider: builtin, polly or none", quoted(f.Provider), "polly")
	w.setting(project.Load, "how the files of this folder are loaded", quoted(f.Load), "layer")
	w.setting(project.Section, "the section that Ocelot binds", quoted(f.Section), "Gateway")
	w.setting(project.Schemes, "the authentication schemes that are registered", schemesWritten(f.Schemes), "[…]")
	w.setting(project.Discovery, "whether a service discovery provider is registered", boolWritten(f.Discovery), "true|false")
	if env := w.c.String(flagEnv); env != "" {
		fmt.Fprintf(&w.b, ",\n\n  // the host's environment (--env)\n  \"env\": %q", env)
	}
	return w.b.String() + "\n}\n"
}

// written is a fact as it stands in the file; its value is "" if it is not
// known.
type written struct {
	value string
	at    []project.Place
}

func quoted(f project.Fact[string]) written {
	if !f.Known {
		return written{}
	}
	return written{fmt.Sprintf("%q", f.Value), f.At}
}

func schemesWritten(f project.Fact[[]string]) written {
	if !f.Known {
		return written{}
	}
	var names []string
	for _, name := range f.Value {
		names = append(names, fmt.Sprintf("%q", name))
	}
	return written{"[" + strings.Join(names, ", ") + "]", f.At}
}

func boolWritten(f project.Fact[bool]) written {
	if !f.Known {
		return written{}
	}
	return written{fmt.Sprint(f.Value), f.At}
}

// setting writes one setting, or why it is not known.
func (w *settingsWriter) setting(o project.Option, what string, fact written, example string) {
	if w.said(o) {
		fmt.Fprintf(&w.b, ",\n\n  // %s (--%s)\n  %q: %q", what, o, o, w.c.String(string(o)))
		return
	}
	var doubts []string
	for _, d := range w.found.Doubts {
		if d.Option == o {
			doubts = append(doubts, comment(fmt.Sprintf("not sure: %s (%s)", d.Text, w.places(d.At))))
		}
	}
	switch {
	case fact.value != "":
		fmt.Fprintf(&w.b, ",\n\n  // %s (%s)\n%s  %q: %s", what, w.places(fact.at), strings.Join(doubts, ""), o, fact.value)
	case len(doubts) > 0:
		fmt.Fprintf(&w.b, ",\n\n  // %s\n%s  // %q: %s", what, strings.Join(doubts, ""), o, placeholder(o, example))
	}
}

func placeholder(o project.Option, example string) string {
	if o == project.Schemes || o == project.Discovery {
		return example
	}
	return fmt.Sprintf("%q", example)
}

// comment wraps a text into comment lines of 80 columns.
func comment(text string) string {
	var b strings.Builder
	prose.Paragraph(&b, "  // ", "  //   ", text, usualWidth)
	return b.String()
}

// places shows places as seen from the folder of the file.
func (w *settingsWriter) places(at []project.Place) string {
	abs, err := filepath.Abs(w.dir)
	if err != nil {
		return w.found.places(at)
	}
	var texts []string
	for _, p := range at {
		rel, err := filepath.Rel(abs, filepath.Join(w.found.root, filepath.FromSlash(p.File)))
		if err != nil {
			rel = p.File
		}
		if text := fmt.Sprintf("%s:%d", filepath.ToSlash(rel), p.Line); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ", ")
}
