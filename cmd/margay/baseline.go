package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/prose"
	"github.com/margay-dev/margay/schema/settings"
	"github.com/margay-dev/margay/validate/baseline"
)

// baselines are the baselines that were read, by their files.
type baselines struct {
	*program
	known map[string]*baseline.Baseline
	// yetToCome says that a baseline that is not there will be written.
	yetToCome bool
}

// read returns the baseline of a file. What is wrong in it is printed.
func (b *baselines) read(name string) (*baseline.Baseline, error) {
	if known := b.known[name]; known != nil {
		return known, nil
	}
	file, err := settings.Open(name)
	if err != nil {
		return nil, err
	}
	known, found := baseline.Read(file)
	if len(found) > 0 {
		err := fmt.Errorf("read %s: the baseline cannot be used", file.Name)
		return nil, errors.Join(b.printProblems(found), err)
	}
	b.known[name] = known
	return known, nil
}

// holdBack takes out of the findings of a gateway what its baseline knows.
func (b *baselines) holdBack(g *gateway) error {
	if g.baseline == "" {
		return nil
	}
	known, err := b.read(g.baseline)
	if errors.Is(err, fs.ErrNotExist) && b.yetToCome {
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return usage("write it with --"+flagUpdate, "there is no baseline %s", g.baseline)
	}
	if err != nil {
		return err
	}
	split := known.Split(g.inBaseline(), g.shown, g.lasting)
	g.shown = split.Fresh
	l := report.Left{Reason: report.LeftBaseline, Source: g.baseline, Findings: len(split.Held), Stops: g.Stopping(split.Held)}
	for _, gone := range split.Gone {
		if g.options.SwitchesOff(gone.Rule) {
			continue // nobody has looked for it, at least not everywhere
		}
		l.Gone += gone.Count
	}
	g.left = append(g.left, l)
	return nil
}

// inBaseline is the name of a gateway in its baseline: its path from the folder
// of that file, so that it is the same wherever margay is called.
func (g *gateway) inBaseline() string {
	if g.path == "-" && g.paths.StdinName == "" {
		return g.Input.Name
	}
	path, err := filepath.Abs(g.Input.Name)
	dir, err2 := filepath.Abs(filepath.Dir(g.baseline))
	if err != nil || err2 != nil {
		return filepath.ToSlash(g.Input.Name)
	}
	if rel, err := filepath.Rel(dir, path); err == nil {
		path = rel
	}
	return filepath.ToSlash(path)
}

// update writes what is found now, as what is to be held back.
func (b *baselines) update(c *cli.Context, gateways []gateway) error {
	for _, partial := range []string{flagSince, flagOnly, flagRule} {
		if c.IsSet(partial) {
			return usage("leave one of them out", "--%s takes in all findings and --%s leaves some out", flagUpdate, partial)
		}
	}
	before := map[string]*baseline.Baseline{}
	for i := range gateways {
		g := &gateways[i]
		if g.baseline == "" {
			return usage("say --"+flagBaseline+" FILE, or \"baseline\" in "+settings.Name, "--%s does not know where to write", flagUpdate)
		}
		if before[g.baseline] == nil {
			old, err := b.read(g.baseline)
			if errors.Is(err, fs.ErrNotExist) {
				old, err = &baseline.Baseline{}, nil
			}
			if err != nil {
				return err
			}
			before[g.baseline], b.known[g.baseline] = old, old
		}
		b.known[g.baseline] = b.known[g.baseline].With(g.inBaseline(), g.worthKeeping(), g.Mask)
	}
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(before)) {
		b.known[name] = withoutLost(name, b.known[name])
		problems = append(problems, b.write(name, before[name], b.known[name]))
	}
	return errors.Join(problems...)
}

// withoutLost forgets gateways whose files are gone: nobody would ever update
// them. Standard input has no file.
func withoutLost(name string, known *baseline.Baseline) *baseline.Baseline {
	for _, gateway := range known.Gateways() {
		at := filepath.FromSlash(gateway)
		if !filepath.IsAbs(at) {
			at = filepath.Join(filepath.Dir(name), at)
		}
		if _, err := os.Stat(at); errors.Is(err, fs.ErrNotExist) && !strings.HasPrefix(gateway, "<") {
			known = known.With(gateway, nil, nil)
		}
	}
	return known
}

// worthKeeping are the findings that would be shown or would fail.
func (g *gateway) worthKeeping() []diag.Diagnostic {
	least := min(g.least, g.failOn)
	return slices.DeleteFunc(slices.Clone(g.Findings), func(d diag.Diagnostic) bool { return d.Severity < least || g.lasting(d) })
}

func (b *baselines) write(name string, before, after *baseline.Baseline) error {
	if err := replaceOrCreate(name, after.Bytes()); err != nil {
		return err
	}
	_, err := fmt.Fprintf(b.stderr, "%s: %s held back, %d before\n", name, prose.Plural(int64(after.Total()), "finding"), before.Total())
	return err
}

// baselinePath returns the file of the baseline: that of the option, from the
// working directory, or that of the settings, from theirs; "" for none.
func baselinePath(c *cli.Context, s *settings.Settings) string {
	if c.IsSet(flagBaseline) {
		return c.String(flagBaseline)
	}
	at := s.Span("baseline")
	if s.Baseline == "" || filepath.IsAbs(s.Baseline) || at.IsZero() {
		return s.Baseline
	}
	return filepath.Join(filepath.Dir(at.File.Name), filepath.FromSlash(s.Baseline))
}
