package main

import "errors"

// fix makes the safe fixes of the findings that are reported, and says whether
// there were any. What goes wrong with one file keeps no other from being fixed.
func (p *program) fix(gateways []gateway) (changed bool, problems error) {
	done := rewritten{}
	for _, g := range gateways {
		files := g.Fix(g.shown)
		if len(files) > 0 && g.path == "-" {
			problems = errors.Join(problems, usage("write it to a file first, or take --"+flagDiff, "--%s cannot change standard input", flagFix))
			continue
		}
		problems = errors.Join(problems, p.rewrite(files, done))
		changed = changed || len(files) > 0
	}
	return changed, problems
}

// printFixes prints the safe fixes of the findings that are reported as a
// difference.
func (p *program) printFixes(gateways []gateway) error {
	var problems []error
	for _, g := range gateways {
		problems = append(problems, p.printDifferences(g, g.Fix(g.shown)))
	}
	return errors.Join(problems...)
}
