package main

import (
	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
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

// stopping counts the findings that keep Ocelot from starting.
func (g *gateway) stopping(ds []diag.Diagnostic) int {
	type reason struct {
		ocelot string
		at     source.Span // where it begins: findings underline the bracket of an object
	}
	begin := func(at source.Span) source.Span { return source.Span{File: at.File, Start: at.Start} }
	stops := map[reason]bool{}
	for _, e := range g.StartErrors() {
		stops[reason{e.Ocelot, begin(e.At)}] = true
	}
	n := 0
	for _, d := range ds {
		if d.Severity == diag.Error && (stops[reason{d.Ocelot, begin(d.Span)}] || d.Ocelot != "" && stops[reason{ocelot: d.Ocelot}]) {
			n++
		}
	}
	return n
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
