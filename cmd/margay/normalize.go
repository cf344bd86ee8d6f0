package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
)

func (p *program) normalize() *cli.Command {
	return &cli.Command{
		Name:      "normalize",
		Usage:     "replace deprecated names, keeping comments and layout",
		ArgsUsage: "[PATH…]",
		Flags: gatewayFlags(
			&cli.BoolFlag{Name: "diff", Usage: "print what would change (default)"},
			&cli.BoolFlag{Name: "write", Usage: "change the files"},
			&cli.BoolFlag{Name: "prefer-documented", Usage: "keep a route's value where an old global name beats it"},
		),
		Action: p.runNormalize,
	}
}

func (p *program) runNormalize(c *cli.Context) error {
	if c.Bool("diff") && c.Bool("write") {
		return usage("", "--diff and --write exclude each other")
	}
	gateways, problems := p.compile(c, c.Args().Slice())
	done := rewritten{}
	for _, g := range gateways {
		problems = errors.Join(problems, p.normalizeOne(c, g, done))
	}
	return problems
}

func (p *program) normalizeOne(c *cli.Context, g gateway, done rewritten) error {
	if c.Bool("write") && g.Profile.Documented() {
		return usage("say which Ocelot runs it: --ocelot 25.0; releases before 24.1 ignore the new names",
			"%s is not changed: the version is not known", g.Input.Name)
	}
	if c.Bool("write") && g.Input.Piped {
		return usage("leave --write out and apply the difference", "%s cannot be changed", g.streamName())
	}
	if !g.Profile.KnowsNewNames() {
		return p.say("%s: nothing to rename: Ocelot %s does not read the new names, which came with 24.1", g.Input.Name, g.Profile.Number())
	}
	renamed, err := emit.Rename(c.Context, g.Result, normalize.RewriteOptions{PreferDocumented: c.Bool("prefer-documented")})
	if errors.Is(err, emit.ErrNotJSON) {
		return errors.Join(p.printFindings(g, stops(g)), errFound)
	}
	if err != nil {
		return err
	}
	if err := p.printFindings(g, remarks(g, renamed)); err != nil {
		return err
	}
	if !c.Bool("write") {
		return p.printDifferences(g, renamed.Files)
	}
	return p.rewrite(renamed.Files, done)
}

// remarks says what became of values that never counted and of names that stay.
func remarks(g gateway, renamed *emit.Renamed) []diag.Diagnostic {
	var list diag.List
	files := g.Config.Files()
	for _, o := range renamed.Outvoted {
		list.Add(diag.Diagnostic{
			Rule: "global-deprecated-wins", Severity: diag.Warning,
			Message: fmt.Sprintf("Ocelot never used this %s %d: the deprecated name of the global section beats it, with %d", o.Option, o.Value.V, o.Winner.V),
			Span:    files.Span(o.Value.Origin),
			Related: []diag.Related{{Span: files.Span(o.Winner.Origin), Message: "the value that counts"}},
			Help:    "it is taken out, so that nothing changes; --prefer-documented lets it count instead",
			Cause:   "outvoted",
		})
	}
	for _, k := range renamed.Kept {
		tree := g.Loaded.Tree
		list.Add(diag.Diagnostic{
			Rule: "deprecated-option", Severity: diag.Warning,
			Message: strconv.Quote(tree.Key(k.Node)) + " stays: " + kept(k.Why),
			Span:    tree.KeySpan(k.Node),
			Cause:   fmt.Sprintf("kept-%d", k.Why),
		})
	}
	return list.Sorted()
}

func kept(why normalize.KeptWhy) string {
	switch why {
	case normalize.GlobalStays:
		return "the global section keeps its deprecated name, which would beat the new one"
	case normalize.Mixed:
		return "it beats the new name that a route has already, so one of both has to go first"
	case normalize.Joined:
		return "it adds its scheme to a list that stands elsewhere, so the lists have to be joined by hand"
	case normalize.Unwritable:
		return "the new name has no such value"
	}
	return "its section is put together from several places, or has a name twice"
}
