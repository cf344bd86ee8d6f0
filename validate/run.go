package validate

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
)

// Options say how rules run. The zero value runs every rule as it is.
type Options struct {
	// Severities replaces the severity of rules by name; a severity of 0
	// switches the rule off.
	Severities map[string]diag.Severity
	// Overrides win over Severities for findings in some files; later ones over
	// earlier ones.
	Overrides []Override
	// Workers is how much runs at the same time; 0 or 1: one by one. The
	// result does not depend on it.
	Workers int
}

// blockSize is how many routes all rules look at before they go on: what one
// rule has fetched from memory, the next ones find in the cache.
const blockSize = 128

// Run runs rules over in and returns what they find together with reported,
// the findings of earlier stages, after severities and comments in the files
// have been applied. Findings come in no particular order; sort them.
func Run(in *Input, rules []*Rule, reported *diag.List, opts Options) *diag.List {
	r := newRun(in, rules, opts)
	r.work(max(opts.Workers, 1))
	all := &diag.List{}
	all.Grow(reported.Len() + r.count())
	all.Append(reported)
	r.collect(all)
	return identify(in, silence(in, rules, adjust(all, opts), opts))
}

// run is one call of Run. Rules that look at routes one by one do so in blocks
// of routes; each block, each other rule, and all the dear rules together are a
// task.
type run struct {
	in *Input
	// whole are the rules that look at everything at once, byRoute those that
	// have a CheckRoutes.
	whole, byRoute []*Rule
	// passes belong to whole, one each.
	passes []Pass
	blocks []block
}

// block is a part of the routes and what rules have found there; both lists
// hold an element for each rule of byRoute, or are nil where there is nothing.
type block struct {
	routes []normalize.Route
	found  [][]diag.Diagnostic
	marked [][]*normalize.Route
}

func newRun(in *Input, rules []*Rule, opts Options) *run {
	r := &run{in: in}
	for _, rule := range rules {
		switch {
		case switchedOff(rule.Name, opts):
		case rule.CheckRoutes != nil:
			r.byRoute = append(r.byRoute, rule)
		case rule.Check != nil:
			r.whole = append(r.whole, rule)
		}
	}
	r.passes = make([]Pass, len(r.whole))
	if in.Gateway != nil && len(r.byRoute) > 0 {
		for routes := range slices.Chunk(in.Gateway.Routes, blockSize) {
			r.blocks = append(r.blocks, block{routes: routes})
		}
	}
	return r
}

// work does all tasks. The dear ones go first, one after the other because they
// share what takes so long, so that the others fill the remaining workers.
func (r *run) work(workers int) {
	tasks := 1 + len(r.whole) + len(r.blocks)
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(workers, tasks) {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				switch {
				case i >= tasks:
					return
				case i == 0:
					r.checkDear()
				case i <= len(r.whole):
					r.check(i-1, false)
				default:
					r.checkBlock(&r.blocks[i-1-len(r.whole)])
				}
			}
		})
	}
	group.Wait()
}

func (r *run) checkDear() {
	for i := range r.whole {
		r.check(i, true)
	}
}

// check runs one rule over everything, if it is as dear as asked for.
func (r *run) check(i int, dear bool) {
	if rule := r.whole[i]; rule.Dear == dear {
		r.passes[i] = Pass{Input: r.in, rule: rule}
		rule.Check(&r.passes[i])
	}
}

func (r *run) checkBlock(b *block) {
	for i, rule := range r.byRoute {
		p := Pass{Input: r.in, rule: rule, block: b.routes, inBlock: true}
		rule.CheckRoutes(&p)
		if len(p.found) > 0 {
			b.found = fitted(b.found, len(r.byRoute))
			b.found[i] = p.found
		}
		if len(p.marked) > 0 {
			b.marked = fitted(b.marked, len(r.byRoute))
			b.marked[i] = p.marked
		}
	}
}

func fitted[T any](list []T, n int) []T {
	if list == nil {
		return make([]T, n)
	}
	return list
}

// count is how many findings there are before rules look at what they marked.
func (r *run) count() int {
	n := 0
	for i := range r.passes {
		n += len(r.passes[i].found)
	}
	for i := range r.blocks {
		for _, found := range r.blocks[i].found {
			n += len(found)
		}
	}
	return n
}

// collect adds what has been found, rule by rule and in the order of the
// routes, after rules have seen which routes they marked.
func (r *run) collect(all *diag.List) {
	for i := range r.passes {
		all.Add(r.passes[i].found...)
	}
	for i, rule := range r.byRoute {
		p := Pass{Input: r.in, rule: rule}
		for b := range r.blocks {
			if found := r.blocks[b].found; found != nil {
				all.Add(found[i]...)
			}
			if marked := r.blocks[b].marked; marked != nil {
				p.marked = append(p.marked, marked[i]...)
			}
		}
		if rule.Check != nil {
			rule.Check(&p)
			all.Add(p.found...)
		}
	}
}
