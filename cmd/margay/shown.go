package main

import (
	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate/baseline"
)

// choosing is a way to choose findings.
type choosing uint8

const (
	takingIn choosing = iota
	looking
)

// choose decides which findings are reported: all but those that a baseline
// holds back, and those that the changes since a revision have not brought
// about. With --update-baseline, the baselines are written first, unless it only
// looks: what is fixed after that is not to be taken in.
func (p *program) choose(c *cli.Context, gateways []gateway, way choosing) error {
	known := &baselines{program: p, known: map[string]*baseline.Baseline{}}
	update := c.Bool(flagUpdate)
	switch {
	case update && way == looking:
		known.yetToCome = true
	case update:
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
