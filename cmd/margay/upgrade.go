package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	stdruntime "runtime"
	"slices"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/upgrade"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/settings"
	"github.com/margay-dev/margay/validate/rules"
)

const (
	flagTo         = "to"
	flagToProvider = "to-provider"
	flagKeep       = "keep"
)

func upgradeFormats() []string { return []string{"text", "json", "markdown", "sarif"} }

func (p *program) upgrade() *cli.Command {
	return &cli.Command{
		Name:        "upgrade",
		Usage:       "say what another Ocelot does with a gateway, the most dangerous first",
		ArgsUsage:   "[PATH…]",
		Description: "Which Ocelot runs the gateway today is said by --ocelot, by .margay.json, or by the project file.",
		Flags: gatewayFlags(append(outputFlags(upgradeFormats()...),
			&cli.StringFlag{Name: flagTo, Usage: "the new Ocelot `VERSION`: " + alternatives(profile.Versions())},
			&cli.StringFlag{Name: flagToProvider, Usage: "`QOS` that the new application registers (default: as before)"},
			&cli.BoolFlag{Name: flagVerbose, Aliases: []string{"v"}, Usage: "name every route of which the same is said"},
			&cli.BoolFlag{Name: flagExitCode, Usage: "make the exit status 1 when something changes"},
			&cli.BoolFlag{Name: flagKeep, Usage: "edits that keep today's behaviour, and what cannot be kept"},
			&cli.BoolFlag{Name: "diff", Usage: "with --keep: print the edits (default)"},
			&cli.BoolFlag{Name: "write", Usage: "with --keep: make the edits"},
		)...),
		Action: p.runUpgrade,
	}
}

// upgraded is one gateway under two releases.
type upgraded struct {
	from, to *emit.Result
	*request
	report *upgrade.Report
}

func (p *program) runUpgrade(c *cli.Context) error {
	if c.String(flagTo) == "" {
		return usage("write --to 25.0, for instance", "to which Ocelot? --%s takes %s", flagTo, alternatives(profile.Versions()))
	}
	if err := keepUsage(c); err != nil {
		return err
	}
	all, problems := p.upgradeAll(c)
	if len(all) == 0 {
		return problems
	}
	if c.Bool(flagKeep) {
		return errors.Join(problems, p.keep(c, all))
	}
	err := p.write(c, upgradeFormats(), func(w io.Writer, format string) error { return printUpgrades(w, format, c.Bool(flagVerbose), all) })
	if c.Bool(flagExitCode) && slices.ContainsFunc(all, func(u *upgraded) bool { return u.report.Changed }) {
		err = errors.Join(err, errFound)
	}
	return errors.Join(problems, err)
}

// upgradeAll compares all gateways at the paths of the command line.
func (p *program) upgradeAll(c *cli.Context) ([]*upgraded, error) {
	paths := c.Args().Slice()
	if len(paths) == 0 {
		paths = []string{"."}
	}
	cache := &settingsCache{explicit: c.IsSet(flagConfig), path: c.String(flagConfig), known: map[string]*settings.Settings{}}
	projects := detections{}
	var all []*upgraded
	var problems []error
	for _, path := range paths {
		req, inputs, err := p.inputs(c, path, cache, projects, rules.All())
		problems = append(problems, err)
		if req == nil {
			continue
		}
		to, err := newRelease(c, req.options.Profile, path)
		if err != nil {
			return nil, errors.Join(append(problems, err)...)
		}
		for _, in := range inputs {
			u, err := compareReleases(c, in, req, to)
			if err != nil {
				problems = append(problems, err)
				continue
			}
			all = append(all, u)
		}
	}
	return all, errors.Join(problems...)
}

// newRelease returns the profile of the new release.
func newRelease(c *cli.Context, from profile.Profile, path string) (profile.Profile, error) {
	if from.Documented() {
		return from, usage("say --ocelot VERSION, or write \"ocelot\" into .margay.json; a project file beside the configuration would say it too",
			"which Ocelot runs %s today?", path)
	}
	to, ok := profile.Find(c.String(flagTo))
	if !ok {
		return to, usage("write it as 24.1 or 25.0.0", "%q is no release of Ocelot; --%s takes %s", c.String(flagTo), flagTo, alternatives(profile.Versions()))
	}
	if to.OlderThan(from) {
		return to, usage(fmt.Sprintf("what going back does is what --ocelot %s --to %s shows, read the other way round", c.String(flagTo), cmp.Or(from.Asked, from.Version)),
			"--%s %s is older than %s, which runs the gateway today", flagTo, c.String(flagTo), cmp.Or(from.Asked, from.Version))
	}
	to.Provider, to.Schemes, to.NoDiscovery = from.Provider, from.Schemes, from.NoDiscovery
	word, err := oneOf(c, flagToProvider, "builtin", "polly", "none")
	if err != nil {
		return to, err
	}
	if word != "" {
		to.Provider, _ = profile.ParseProvider(word)
	}
	if !to.HasProvider() {
		return to, usage("built-in QoS came with 25.0", "Ocelot %s has no %s QoS", c.String(flagTo), to.Provider)
	}
	return to, nil
}

// compareReleases compiles an input as both releases run it, side by side. Rules
// are of use only where a release would not start: they have the words for it.
func compareReleases(c *cli.Context, in load.Input, req *request, to profile.Profile) (*upgraded, error) {
	u := &upgraded{request: req}
	var problems [2]error
	compile := func(p profile.Profile, out **emit.Result, problem *error) {
		opts := req.options
		opts.Profile, opts.Workers, opts.Unchecked = p, stdruntime.GOMAXPROCS(0), true
		r, err := emit.Compile(c.Context, in, opts)
		if err == nil && !r.Starts() {
			opts.Rules, opts.Unchecked = rules.All(), false
			r, err = emit.Compile(c.Context, in, opts)
		}
		*out, *problem = r, err
	}
	var group sync.WaitGroup
	group.Go(func() { compile(req.options.Profile, &u.from, &problems[0]) })
	compile(to, &u.to, &problems[1])
	group.Wait()
	if err := cmp.Or(problems[0], problems[1]); err != nil {
		return nil, err
	}
	u.report = upgrade.Compare(u.from, u.to)
	return u, nil
}

func printUpgrades(w io.Writer, format string, verbose bool, all []*upgraded) error {
	switch format {
	case "json":
		reports := make([]*upgrade.Report, len(all))
		for i, u := range all {
			reports[i] = u.report
		}
		return upgrade.JSON(w, reports)
	case "sarif":
		return printUpgradeFindings(w, format, all)
	}
	for i, u := range all {
		if i > 0 {
			fmt.Fprintln(w)
		}
		var err error
		if format == "markdown" {
			err = upgrade.Markdown(w, u.report)
		} else {
			err = upgrade.Text(w, u.report, upgrade.View{Width: width(w), Color: colored(w), Origin: u.origin, Verbose: verbose})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// printUpgradeFindings prints what changes as findings.
func printUpgradeFindings(w io.Writer, format string, all []*upgraded) error {
	release, _ := build()
	opts := report.Options{Least: diag.Info, Version: release, Base: base(), Rules: upgrade.Rules()}
	var list diag.List
	for _, u := range all {
		list.Add(upgrade.Findings(u.report, u.to)...)
		for _, s := range u.to.Secrets {
			opts.Secrets = append(opts.Secrets, s.Span)
		}
	}
	printer, ok := report.New(format, opts)
	if !ok {
		return fmt.Errorf("print what changes: no format %q", format)
	}
	return printer.Print(w, list.Sorted())
}
