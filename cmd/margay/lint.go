package main

import (
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/schema/diag/report"
)

func (p *program) lint() *cli.Command {
	return &cli.Command{
		Name:      "lint",
		Usage:     "say what is wrong or surprising, with file, line and column",
		ArgsUsage: "[PATH…]",
		Flags: gatewayFlags(append(append(outputFlags(report.Formats()...), ruleFlags()...),
			&cli.StringFlag{Name: flagFailOn, Usage: "`SEVERITY` that makes the exit status 1: error, warning or info (default error)"},
			&cli.StringFlag{Name: flagSeverity, Usage: "mildest `SEVERITY` that is shown (default warning)"},
			&cli.BoolFlag{Name: flagVerbose, Aliases: []string{"v"}, Usage: "list every place of findings with one cause"},
			&cli.BoolFlag{Name: flagFix, Usage: "make the safe fixes in the files, then report what is left"},
			&cli.BoolFlag{Name: flagDiff, Usage: "print what --fix would change, for git apply or patch, and no findings"},
			&cli.StringFlag{Name: flagBaseline, Usage: "hold back the findings that `FILE` knows; empty: none"},
			&cli.BoolFlag{Name: flagUpdate, Usage: "write what is found now into the baseline"},
			&cli.StringFlag{Name: flagSince, Usage: "only what the changes since `REVISION` of git have brought about"},
			&cli.BoolFlag{Name: flagShowConfig, Usage: "print every setting with where it comes from, and check nothing"},
		)...),
		Action: p.runLint,
	}
}

func (p *program) runLint(c *cli.Context) error {
	if err := excluding(c, flagFix, flagDiff, flagShowConfig); err != nil {
		return err
	}
	if err := lintUnheeded(c); err != nil {
		return err
	}
	if c.Bool(flagShowConfig) {
		return p.showConfig(c)
	}
	gateways, problems := p.compile(c, c.Args().Slice())
	var unfixed error
	if c.Bool(flagFix) || c.Bool(flagDiff) {
		if err := p.choose(c, gateways, looking); err != nil {
			return errors.Join(problems, err)
		}
		if c.Bool(flagDiff) {
			return errors.Join(problems, p.printFixes(c.Context, gateways), verdict(gateways))
		}
		var changed bool
		if changed, unfixed = p.fix(c.Context, gateways); changed {
			gateways, problems = p.compile(c, c.Args().Slice())
		}
	}
	if err := p.choose(c, gateways, takingIn); err != nil {
		return errors.Join(problems, unfixed, err)
	}
	if len(gateways) == 0 {
		return errors.Join(problems, unfixed)
	}
	return errors.Join(problems, unfixed, p.report(c, gateways), verdict(gateways))
}

// lintUnheeded refuses options that a way to run lint does not look at.
func lintUnheeded(c *cli.Context) error {
	switch {
	case c.Bool(flagShowConfig):
		return unheeded(c, "--"+flagShowConfig+" checks nothing", flagOutput, flagVerbose, flagUpdate, flagSince)
	case c.Bool(flagDiff):
		return unheeded(c, "--"+flagDiff+" prints no findings", flagFormat, flagOutput, flagVerbose, flagUpdate)
	}
	return nil
}

// excluding refuses more than one of the options.
func excluding(c *cli.Context, options ...string) error {
	var given []string
	for _, name := range options {
		if c.Bool(name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) > 1 {
		return usage("", "%s exclude each other", strings.Join(given, " and "))
	}
	return nil
}
