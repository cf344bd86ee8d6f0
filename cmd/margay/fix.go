package main

import (
	"context"
	"errors"

	"github.com/margay-dev/margay/emit"
)

// fix makes the safe fixes of the findings that are reported, and says whether
// there were any. What goes wrong with one file keeps no other from being fixed.
func (p *program) fix(ctx context.Context, gateways []gateway) (changed bool, problems error) {
	done := rewritten{}
	for _, g := range gateways {
		fixed, err := p.fixes(ctx, g)
		problems = errors.Join(problems, err)
		if len(fixed) > 0 && g.Input.Piped {
			problems = errors.Join(problems, usage("write it to a file first, or take --"+flagDiff, "--%s cannot change %s", flagFix, g.streamName()))
			continue
		}
		problems = errors.Join(problems, p.rewrite(fixed, done))
		changed = changed || len(fixed) > 0
	}
	return changed, problems
}

// printFixes prints the safe fixes of the findings that are reported as a
// difference.
func (p *program) printFixes(ctx context.Context, gateways []gateway) error {
	var problems []error
	for _, g := range gateways {
		fixed, err := p.fixes(ctx, g)
		problems = append(problems, err, p.printDifferences(g, fixed))
	}
	return errors.Join(problems...)
}

// fixes returns the files with the fixes made, and says which fixes are left out
// because they would do harm.
func (p *program) fixes(ctx context.Context, g gateway) ([]emit.Rewritten, error) {
	fixed, err := g.FixAll(ctx, g.options, g.shown)
	for _, d := range fixed.Harmful {
		at := d.Span.Position()
		err = errors.Join(err, p.say("%s:%d:%d: not fixed, since Ocelot would not start with it or drop a route: %s [%s]",
			d.Span.File.Name, at.Line, at.Column, g.Mask(d.Message), d.Rule))
	}
	return fixed.Files, err
}
