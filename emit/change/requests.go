package change

import (
	"cmp"
	"slices"

	"github.com/margay-dev/margay/validate/reach"
)

// requests finds requests that another route takes now, although both routes are
// there before and after. Only routes whose place in the order of precedence
// changed are looked at, and each only together with those that its template
// overlaps with.
func (c *comparison) requests() {
	o := newOrder(c)
	seen := map[[2]int]bool{}
	for at := range c.new.At {
		if !o.moved[at] {
			continue
		}
		for _, rival := range c.new.Table.Rivals(at) {
			key := [2]int{min(at, rival), max(at, rival)}
			if seen[key] || !o.swapped(at, rival) {
				continue
			}
			seen[key] = true
			if request, ok := c.new.Table.Contested(at, rival, o.settled); ok {
				o.report(request)
			}
		}
	}
}

// order compares who goes first in both sides. Positions are those in the
// tables.
type order struct {
	*comparison
	// oldAt are the positions in the old table by those in the new one; -1: the
	// route is new.
	oldAt []int
	newAt []int
	moved []bool
	told  map[[2]int]bool
	// headers are those of the request that was asked about last.
	headers []reach.Header
}

func newOrder(c *comparison) *order {
	o := &order{comparison: c, told: map[[2]int]bool{}, oldAt: make([]int, len(c.new.At)),
		newAt: make([]int, len(c.old.At)), moved: make([]bool, len(c.new.At))}
	position := map[int]int{}
	for at, i := range c.new.At {
		position[i], o.oldAt[at] = at, -1
	}
	for at, i := range c.old.At {
		o.newAt[at] = -1
		if j := c.partner[i]; j >= 0 {
			if to, ok := position[j]; ok {
				o.newAt[at], o.oldAt[to] = to, at
			}
		}
	}
	o.mark()
	return o
}

// mark finds the routes that moved: those outside of the longest run that both
// sides have in the same order, and those that match otherwise than before.
func (o *order) mark() {
	var old, at []int
	for i, before := range o.oldAt {
		if before >= 0 {
			old, at = append(old, before), append(at, i)
		}
	}
	stays := map[int]bool{}
	for _, i := range longestRun(old) {
		stays[at[i]] = true
	}
	for i, before := range o.oldAt {
		if before >= 0 {
			o.moved[i] = !stays[i] || !sameMatch(&o.old.entries[o.old.At[before]], &o.new.entries[o.new.At[i]])
		}
	}
}

func sameMatch(a, b *entry) bool {
	return a.match.Path == b.match.Path && a.match.Priority == b.match.Priority && a.match.Host == b.match.Host &&
		a.match.CaseSensitive == b.match.CaseSensitive && slices.Equal(a.match.Methods, b.match.Methods) && slices.Equal(a.match.Headers, b.match.Headers)
}

// longestRun returns the positions of a longest ascending subsequence, by
// patience sorting.
func longestRun(list []int) []int {
	var tops []int // by length, the position of the smallest last item
	before := make([]int, len(list))
	for i, v := range list {
		n, _ := slices.BinarySearchFunc(tops, v, func(at, v int) int { return cmp.Compare(list[at], v) })
		before[i] = -1
		if n > 0 {
			before[i] = tops[n-1]
		}
		if n == len(tops) {
			tops = append(tops, i)
		} else {
			tops[n] = i
		}
	}
	run := make([]int, len(tops))
	if len(tops) == 0 {
		return run
	}
	for n, i := len(tops)-1, tops[len(tops)-1]; n >= 0; n, i = n-1, before[i] {
		run[n] = i
	}
	return run
}

// swapped says whether it may differ between both sides who of two routes takes
// a request that fits both.
func (o *order) swapped(i, j int) bool {
	a, b := o.oldAt[i], o.oldAt[j]
	if a < 0 || b < 0 {
		return false // told with the route that is new
	}
	entry := func(s *Side, at int) *entry { return &s.entries[s.At[at]] }
	if !sameTemplate(entry(o.old, a), entry(o.comparison.new, i)) || !sameTemplate(entry(o.old, b), entry(o.comparison.new, j)) {
		return true
	}
	first := func(s *Side, x, y int) bool {
		p, q := entry(s, x).match.Priority, entry(s, y).match.Priority
		return p > q || p == q && x < y
	}
	return first(o.old, a, b) != first(o.comparison.new, i, j)
}

func sameTemplate(a, b *entry) bool {
	return a.match.Path == b.match.Path && a.match.Host == b.match.Host && a.match.CaseSensitive == b.match.CaseSensitive &&
		slices.Equal(a.match.Methods, b.match.Methods) && slices.Equal(a.match.Headers, b.match.Headers)
}

// settled says that both sides give a request to the same route.
func (o *order) settled(r reach.Request, headers []reach.Header) (taker int, settled bool) {
	o.headers = headers
	taker = o.comparison.new.Table.TakerOf(r, headers)
	before := o.old.Table.TakerOf(r, headers)
	switch {
	case taker < 0 || before < 0:
		return taker, taker == before || taker < 0
	}
	return taker, o.oldAt[taker] == before
}

// report adds a request, unless one that moves between the same routes is there.
func (o *order) report(r reach.Request) {
	before, after := o.old.Table.TakerOf(r, o.headers), o.comparison.new.Table.TakerOf(r, o.headers)
	if before < 0 || after < 0 || o.told[[2]int{before, after}] {
		return
	}
	o.told[[2]int{before, after}] = true
	if _, dark := o.comparison.new.Shadows[o.partner[o.old.At[before]]]; dark {
		return // told with the route that nothing reaches any more
	}
	from, to := &o.old.entries[o.old.At[before]], &o.comparison.new.entries[o.comparison.new.At[after]]
	lost := lessProtected(accessOf(from), accessOf(to))
	a, b := o.mask(from.id), o.mask(to.id)
	o.comparison.report.Requests = append(o.comparison.report.Requests, Request{
		Request: o.mask(r.String()), Old: &a, New: &b, LessProtected: lost != "", At: textPlace(newSide, to.at()),
	})
}
