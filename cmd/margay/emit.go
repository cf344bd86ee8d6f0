package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/schema/diag"
)

func (p *program) emit() *cli.Command {
	return &cli.Command{
		Name:      "emit",
		Usage:     "write the plan that a runtime carries out",
		ArgsUsage: "[PATH]",
		Flags: gatewayFlags(
			&cli.StringFlag{Name: "target", Usage: "what to write: `TARGET` plan", Value: "plan"},
			&cli.StringFlag{Name: flagOutput, Usage: "write to `FILE` instead of standard output"},
			&cli.BoolFlag{Name: "force", Usage: "write it although Ocelot would not start"},
		),
		Action: p.runEmit,
	}
}

func (p *program) runEmit(c *cli.Context) error {
	if _, err := oneOf(c, "target", "plan"); err != nil {
		return err
	}
	gateways, problems := p.compile(c, c.Args().Slice())
	switch {
	case problems != nil:
		return problems
	case len(gateways) != 1:
		return usage("name one file or folder", "a plan is that of one gateway, and these are %d", len(gateways))
	}
	g := gateways[0]
	if !g.Starts() && !c.Bool("force") {
		return errors.Join(p.explainStop(g), errFound)
	}
	return p.writePlan(c, g)
}

func (p *program) writePlan(c *cli.Context, g gateway) error {
	lowered, found := emit.Plan(g.Result)
	found.Append(emit.PlanDiffers(g.Result))
	if err := p.printFindings(g, found.Sorted()); err != nil {
		return err
	}
	if lowered == nil {
		return errFound
	}
	if name := c.String(flagOutput); name != "" && name != standardOutput {
		return writeVia(name, lowered.Encode)
	}
	if err := lowered.Encode(p.stdout); err != nil {
		return fmt.Errorf("write the plan: %w", err)
	}
	return nil
}

// explainStop says on standard error why nothing is written.
func (p *program) explainStop(g gateway) error {
	if err := p.printFindings(g, stops(g)); err != nil {
		return err
	}
	return p.say("Ocelot would not start with this, so nothing was written (--force writes it)")
}

// stops are what keeps Ocelot from starting, as findings.
func stops(g gateway) []diag.Diagnostic {
	var all []diag.Diagnostic
	for _, e := range g.StartErrors() {
		all = append(all, diag.Diagnostic{Rule: e.Rule, Severity: diag.Error, Message: e.Message, Span: e.At, Ocelot: e.Ocelot})
	}
	return all
}
