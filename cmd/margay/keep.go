package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/upgrade"
)

// keepUsage refuses options of upgrade that mean nothing together.
func keepUsage(c *cli.Context) error {
	switch keep := c.Bool(flagKeep); {
	case !keep && (c.Bool("diff") || c.Bool("write")):
		return usage("", "--diff and --write go with --%s", flagKeep)
	case c.Bool("diff") && c.Bool("write"):
		return usage("", "--diff and --write exclude each other")
	case keep && (c.IsSet(flagFormat) || c.IsSet(flagOutput) || c.IsSet(flagExitCode)):
		return usage("run it once without --keep for the report", "--%s prints edits, and has no formats and no other status", flagKeep)
	}
	return nil
}

// keep prints or makes the edits that keep today's behaviour. What cannot be kept
// is said on standard error, so that standard output is a patch.
func (p *program) keep(c *cli.Context, all []*upgraded) error {
	var problems []error
	done := rewritten{}
	for _, u := range all {
		problems = append(problems, p.keepOne(c, u, done))
	}
	return errors.Join(problems...)
}

func (p *program) keepOne(c *cli.Context, u *upgraded, done rewritten) error {
	g := gateway{Result: u.to, request: u.request}
	if c.Bool("write") && g.Input.Piped {
		return usage("leave --write out and apply the difference", "%s cannot be changed", g.streamName())
	}
	kept, err := upgrade.Keep(c.Context, u.from, u.to)
	if errors.Is(err, emit.ErrNotJSON) {
		return errors.Join(p.printFindings(g, stops(g)), errFound)
	}
	if err != nil {
		return err
	}
	err = upgrade.KeptText(p.stderr, kept, u.report, upgrade.View{Width: width(p.stderr)})
	if err != nil {
		return err
	}
	if c.Bool("write") {
		return p.rewrite(kept.Files, done)
	}
	return p.printDifferences(g, kept.Files)
}
