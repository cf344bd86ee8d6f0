package report

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
)

// block is what one mistake has brought about: findings of one rule with the
// same cause, or a single finding without one.
type block struct {
	diag.Diagnostic // the first one, with the worst severity of all
	all             []diag.Diagnostic
}

// blocks groups findings, in the order of the first of each group.
func blocks(ds []diag.Diagnostic) []block {
	type key struct{ rule, cause string }
	index := map[key]int{}
	var out []block
	for i := range ds {
		d := &ds[i]
		at, found := index[key{d.Rule, d.Cause}]
		if d.Cause == "" || !found {
			at = len(out)
			out = append(out, block{Diagnostic: *d})
			if d.Cause != "" {
				index[key{d.Rule, d.Cause}] = at
			}
		}
		b := &out[at]
		b.all = append(b.all, *d)
		b.Severity = max(b.Severity, d.Severity)
	}
	return out
}

// count says in how many places and routes a block holds; "" for one place.
func (b *block) count() string {
	if len(b.all) == 1 {
		return ""
	}
	routes := map[string]bool{}
	for i := range b.all {
		if route := b.all[i].Subject.Route; route != "" {
			routes[route] = true
		}
	}
	places := fmt.Sprintf("in %d places", len(b.all))
	if len(routes) > 1 {
		return fmt.Sprintf("%s of %d routes", places, len(routes))
	}
	return places
}
