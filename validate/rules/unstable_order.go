package rules

import (
	"fmt"
	"slices"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/reach"
)

func unstableOrder() *validate.Rule {
	return &validate.Rule{
		Name:     "unstable-order",
		Summary:  "Routes of several parts take the same request, and the order of the directory decides between them.",
		Severity: diag.Info,
		Category: validate.Files,
		Check:    checkUnstableOrder,
	}
}

// checkUnstableOrder looks an ordinary request of every route up twice, with
// the parts in the order of their names and in the opposite one: of two parts,
// each goes first once. Where the answers differ, nothing but the order of the
// parts decides; Priority would decide the same way both times.
func checkUnstableOrder(p *validate.Pass) {
	if p.Gateway == nil || !sorted(p.Loaded) {
		return
	}
	r := newReachable(p)
	static := len(r.routes)
	for static > 0 && r.routes[static-1].Static == nil {
		static-- // aggregates stand behind the routes, whatever file they are in
	}
	back := reversed(r.routes[:static])
	entries := make([]reach.Entry, static)
	for i, at := range back {
		entries[i] = r.entries[at]
	}
	forward, backward := reach.New(r.entries[:static]), reach.New(entries)
	seen := map[[2]int]bool{}
	for i := range static {
		one, request := forward.Taker(r.entries[i])
		other, _ := backward.Taker(r.entries[i])
		if one < 0 || other < 0 {
			continue
		}
		pair := [2]int{one, back[other]}
		if pair[0] == pair[1] || seen[pair] || r.isDuplicate(pair[0], pair[1]) {
			continue
		}
		seen[pair] = true
		p.Report(undecided(p, r.routes[pair[0]], r.routes[pair[1]], example(r.entries[i], request)))
	}
}

// sorted says whether the routes of several parts were put into an order that
// the program leaves to the directory.
func sorted(loaded *load.Result) bool {
	return slices.ContainsFunc(loaded.Notes, func(n load.Note) bool { return n.Kind == load.Sorted && n.Text == "Routes" })
}

// reversed returns the positions of routes with their files in the opposite
// order. Routes of one file keep theirs.
func reversed(routes []*normalize.Route) []int {
	order := make([]int, 0, len(routes))
	for end := len(routes); end > 0; {
		start := end - 1
		for start > 0 && file(routes[start-1]) == file(routes[end-1]) {
			start--
		}
		for i := start; i < end; i++ {
			order = append(order, i)
		}
		end = start
	}
	return order
}

func file(r *normalize.Route) uint16 { return r.Section().Origin.File }

// example is the request as text; of a route of every method only the path.
func example(e reach.Entry, request reach.Request) string {
	if len(e.Methods) == 0 && request.Host == "" {
		return request.Target
	}
	return request.String()
}

func undecided(p *validate.Pass, first, second *normalize.Route, request string) diag.Diagnostic {
	at, other := p.Span(templateOf(second).Origin), p.Span(templateOf(first).Origin)
	d := diag.Diagnostic{
		Message: fmt.Sprintf("%s fits this route and %q of another file, with equal Priority", request, templateOf(first).V),
		Span:    at,
		Effect:  "Ocelot merges files in the order in which the directory lists them, which differs between machines",
		Related: []diag.Related{{Span: other, Message: "the other route"}},
		Help:    "give the route that is meant a higher Priority",
		Subject: validate.Subject(second, "Priority"),
	}
	if at.File != nil && other.File != nil {
		d.Cause = other.File.Name + " " + at.File.Name
	}
	return d
}
