package validate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/validate"
)

// seventh reports every seventh route by itself and then says how many there
// were, in their order.
var seventh = &validate.Rule{
	Name: "seventh-route", Summary: "A route is a seventh.", Severity: diag.Info,
	CheckRoutes: func(p *validate.Pass) {
		for r := range p.Resolved {
			if r.Index%7 == 0 {
				p.Mark(r)
				p.Report(diag.Diagnostic{Message: fmt.Sprintf("route %05d", r.Index)})
			}
		}
	},
	Check: func(p *validate.Pass) {
		marked := p.Marked()
		inOrder := slices.IsSortedFunc(marked, func(a, b *normalize.Route) int { return a.Index - b.Index })
		p.Report(diag.Diagnostic{Message: fmt.Sprintf("seventh routes: %d, in order: %v", len(marked), inOrder)})
	},
}

// TestBlocksMakeOneAnswer holds that neither the number of workers nor that of
// blocks shows.
func TestBlocksMakeOneAnswer(t *testing.T) {
	for _, count := range []int{0, 1, 7, 127, 128, 129, 3000} {
		gateway := &normalize.Gateway{Routes: make([]normalize.Route, count)}
		for i := range gateway.Routes {
			gateway.Routes[i].Index = i
		}
		sevenths := (count + 6) / 7
		for _, workers := range []int{0, 1, 2, 9} {
			in := &validate.Input{Loaded: &load.Result{}, Gateway: gateway}
			found := validate.Run(in, []*validate.Rule{seventh}, nil, validate.Options{Workers: workers}).Sorted()
			if len(found) != sevenths+1 {
				t.Fatalf("%d routes, %d workers: got %d findings, want %d", count, workers, len(found), sevenths+1)
			}
			for i, d := range found[:sevenths] {
				if want := fmt.Sprintf("route %05d", 7*i); d.Message != want || d.Rule != "seventh-route" {
					t.Fatalf("%d routes, %d workers: got %q, want %q", count, workers, d.Message, want)
				}
			}
			if got, want := found[sevenths].Message, fmt.Sprintf("seventh routes: %d, in order: true", sevenths); got != want {
				t.Errorf("%d routes, %d workers: got %q, want %q", count, workers, got, want)
			}
		}
	}
}
