// Package change says what differs between two gateways: what every route gets
// and who may call it, before and after.
//
// It takes two sides, each a compiled configuration or a plan, and gives back a
// report, which it writes as text, JSON or Markdown. Both sides are compared in
// the form of plans, in which only what is in force is left, so comments,
// layout, the order of names and the place of a value make no difference. Routes
// are matched by the stable IDs of plans; nothing is compared pair by pair.
package change

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/prose"
)

// Compare reports what differs between two sides.
func Compare(old, new *Side) *Report {
	c := &comparison{old: old, new: new, ofRoute: shapeOf(reflect.TypeFor[plan.Route](), ""), ofAggregate: shapeOf(reflect.TypeFor[plan.Aggregate](), ""), report: &Report{
		Version: Version, Old: old.describe(oldSide), New: new.describe(newSide),
		Settings: []Change{}, Routes: []Route{}, Requests: []Request{},
	}}
	if old.readable() && new.readable() {
		c.run()
	}
	c.conclude()
	return c.report
}

const (
	oldSide = "old"
	newSide = "new"
)

// comparison is the state of one Compare.
type comparison struct {
	old, new *Side
	report   *Report
	pairs    []pair
	// partner are the positions in new of entries of old; -1: gone.
	partner []int
	// sameText says that both sides are one text, read by two programs.
	sameText bool
	// ofRoute and ofAggregate are the members that are compared.
	ofRoute, ofAggregate shape
}

func (c *comparison) run() {
	var group sync.WaitGroup
	group.Go(c.old.prepare)
	c.new.prepare()
	group.Wait()
	c.sameText = c.old.result != nil && c.new.result != nil && c.old.result.Profile.String() != c.new.result.Profile.String() && c.sameBytes()
	c.match()
	c.settings()
	c.routes()
	c.requests()
	c.sort()
}

// sort puts less protected routes first; the others come in the order of the
// new side, those that are gone before those that are new.
func (c *comparison) sort() {
	rank := map[Kind]int{Changed: 0, Renamed: 0, Dropped: 1, Removed: 1, Added: 2}
	slices.SortStableFunc(c.report.Routes, func(a, b Route) int {
		switch {
		case a.LessProtected != b.LessProtected && a.LessProtected:
			return -1
		case a.LessProtected != b.LessProtected:
			return 1
		}
		return cmp.Compare(rank[a.Kind], rank[b.Kind])
	})
	slices.SortStableFunc(c.report.Requests, func(a, b Request) int {
		switch {
		case a.LessProtected == b.LessProtected:
			return 0
		case a.LessProtected:
			return -1
		}
		return 1
	})
}

// conclude sums up.
func (c *comparison) conclude() {
	r := c.report
	for i := range r.Routes {
		r.LessProtected += count(r.Routes[i].LessProtected)
	}
	for i := range r.Requests {
		r.LessProtected += count(r.Requests[i].LessProtected)
	}
	r.Changed = len(r.Settings)+len(r.Routes)+len(r.Requests) > 0 ||
		r.Old.Starts != r.New.Starts || r.Old.Readable != r.New.Readable
	r.Summary = c.summary()
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *comparison) summary() string {
	r := c.report
	switch {
	case !r.Old.Readable || !r.New.Readable:
		return "the routes are not compared: what stands in a text that is not JSON is partly guessed"
	case !r.Changed:
		return c.nothing()
	case len(r.Routes) == 0 && len(r.Requests) == 0 && len(r.Settings) == 0:
		return fmt.Sprintf("no route changes (%s)", prose.Plural(int64(r.New.Routes), "route"))
	}
	text := fmt.Sprintf("%s of %s %s", prose.Grouped(int64(len(r.Routes))),
		prose.Plural(int64(max(r.Old.Routes, r.New.Routes)), "route"), verb(len(r.Routes), "changes", "change"))
	if len(r.Routes) == 0 {
		text = "no route changes by itself"
	}
	if n := len(r.Requests); n > 0 {
		text += fmt.Sprintf("; requests move to another route in %s", prose.Plural(int64(n), "place"))
	}
	if n := r.LessProtected; n > 0 {
		text += fmt.Sprintf("; %d less protected", n)
	}
	return text
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
