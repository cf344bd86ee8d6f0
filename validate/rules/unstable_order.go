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

// checkUnstableOrder looks requests up twice, with the parts in the order of
// their names and in the opposite one: of two parts, each goes first once. Where
// the answers differ, nothing but the order of the parts decides; Priority would
// decide the same way both times. It tries an ordinary request of every route,
// and then, for routes of two parts whose templates overlap, the requests that
// fit both.
func checkUnstableOrder(p *validate.Pass) {
	if p.Gateway == nil || !sorted(p.Loaded) {
		return
	}
	o := newOrders(newReachable(p))
	report := func(first, second, of int, request reach.Request) {
		p.Report(undecided(p, o.routes[first], o.routes[second], example(o.entries[of], request)))
	}
	for i := range o.routes {
		if taker, request := o.forward.Taker(o.entries[i]); taker >= 0 && o.contest(request, o.entries[i].Headers) {
			report(o.first, o.second, i, request)
		}
	}
	for i := range o.routes {
		for _, j := range o.forward.Rivals(i) {
			if j < i || !o.canSwap(i, j) {
				continue
			}
			request, ok := o.forward.Contested(i, j, o.settled)
			if !ok || !o.isNew() {
				continue
			}
			of := i
			if len(o.entries[i].Methods) == 0 {
				of = j
			}
			report(o.first, o.second, of, request)
		}
	}
}

// orders are the static routes of a gateway with its parts in two orders.
type orders struct {
	routes            []*normalize.Route
	entries           []reach.Entry
	forward, backward *reach.Table
	// back are the positions in entries by those in backward.
	back []int
	seen map[[2]int]bool
	// first and second take the request that was asked about last, in the one
	// and in the other order.
	first, second int
}

func newOrders(r reachable) *orders {
	static := len(r.routes)
	for static > 0 && r.routes[static-1].Static == nil {
		static-- // aggregates stand behind the routes, whatever file they are in
	}
	o := &orders{routes: r.routes[:static], entries: r.entries[:static], seen: map[[2]int]bool{}}
	o.back = reversed(o.routes)
	entries := make([]reach.Entry, static)
	for i, at := range o.back {
		entries[i] = o.entries[at]
	}
	o.forward, o.backward = reach.New(o.entries), reach.New(entries)
	return o
}

// settled says that a request gets to the same route in both orders.
func (o *orders) settled(request reach.Request, headers []reach.Header) (taker int, settled bool) {
	o.first, o.second = o.forward.TakerOf(request, headers), o.backward.TakerOf(request, headers)
	if o.second >= 0 {
		o.second = o.back[o.second]
	}
	return o.first, o.first == o.second
}

// contest says whether two routes that have not been reported take a request.
func (o *orders) contest(request reach.Request, headers []reach.Header) bool {
	_, settled := o.settled(request, headers)
	return !settled && o.isNew()
}

// isNew says whether the two routes that were found last are no duplicates and
// have not been reported.
func (o *orders) isNew() bool {
	pair := [2]int{o.first, o.second}
	if o.first < 0 || o.second < 0 || o.seen[pair] || isDuplicate(&o.entries[o.first], &o.entries[o.second]) {
		return false
	}
	o.seen[pair] = true
	return true
}

// canSwap says whether the order of parts can decide between two routes, and
// nothing has been said about them.
func (o *orders) canSwap(i, j int) bool {
	a, b := &o.entries[i], &o.entries[j]
	return file(o.routes[i]) != file(o.routes[j]) && a.Host == b.Host && a.Precedence() == b.Precedence() &&
		!o.seen[[2]int{i, j}] && !o.seen[[2]int{j, i}]
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
