package main

import (
	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate/baseline"
)

// choose decides which findings are reported: all but those that a baseline
// holds back, and those that the changes since a revision have not brought
// about. With update, the baselines are written first.
func (p *program) choose(c *cli.Context, gateways []gateway, update bool) error {
	known := &baselines{program: p, known: map[string]*baseline.Baseline{}}
	if update {
		if err := known.update(c, gateways); err != nil {
			return err
		}
	}
	past := history{revision: c.String(flagSince)}
	for i := range gateways {
		g := &gateways[i]
		g.shown, g.left = g.Findings, nil
		if err := known.holdBack(g); err != nil {
			return err
		}
		if !c.IsSet(flagSince) {
			continue
		}
		if err := past.leaveOut(c.Context, g); err != nil {
			return err
		}
	}
	return nil
}

// lasting says whether a finding can be held back by nothing: what stands in its
// file is not what Ocelot reads.
func (g *gateway) lasting(d diag.Diagnostic) bool {
	for _, r := range g.options.Rules {
		if r.Name == d.Rule {
			return r.Unsilenceable
		}
	}
	return false
}
