package validate

import (
	"slices"
	"sync"

	"github.com/margay-dev/margay/schema/diag"
)

// Options say how rules run. The zero value runs every rule as it is.
type Options struct {
	// Severities replaces the severity of rules by name; a severity of 0
	// switches the rule off.
	Severities map[string]diag.Severity
	// Workers is how many rules run at the same time; 0 or 1: one by one.
	// The result does not depend on it.
	Workers int
}

// Run runs rules over in and returns what they find together with reported,
// the findings of earlier stages, after severities and comments in the files
// have been applied. Findings come in no particular order; sort them.
func Run(in *Input, rules []*Rule, reported *diag.List, opts Options) *diag.List {
	passes := make([]Pass, len(rules))
	var group sync.WaitGroup
	limit := make(chan struct{}, max(opts.Workers, 1))
	for i, rule := range dearFirst(rules) {
		passes[i] = Pass{Input: in, rule: rule}
		if rule.Check == nil || switchedOff(rule.Name, opts) {
			continue
		}
		limit <- struct{}{}
		group.Go(func() {
			defer func() { <-limit }()
			rule.Check(&passes[i])
		})
	}
	group.Wait()
	all := &diag.List{}
	all.Append(reported)
	for i := range passes {
		all.Add(passes[i].found...)
	}
	return silence(in, rules, adjust(all, opts))
}

func switchedOff(rule string, opts Options) bool {
	severity, ok := opts.Severities[rule]
	return ok && severity == 0
}

// adjust applies the severities of the options.
func adjust(all *diag.List, opts Options) *diag.List {
	if len(opts.Severities) == 0 {
		return all
	}
	kept := &diag.List{}
	for _, d := range all.Sorted() {
		severity, ok := opts.Severities[d.Rule]
		switch {
		case !ok:
			kept.Add(d)
		case severity != 0:
			d.Severity = severity
			kept.Add(d)
		}
	}
	return kept
}

func sorted(names []string) []string {
	slices.Sort(names)
	return names
}

// dearFirst returns the rules with those first that take longest. The order of
// findings does not depend on it.
func dearFirst(rules []*Rule) []*Rule {
	ordered := slices.Clone(rules)
	slices.SortStableFunc(ordered, func(a, b *Rule) int {
		switch {
		case a.Dear == b.Dear:
			return 0
		case a.Dear:
			return -1
		}
		return 1
	})
	return ordered
}
