package emit

import (
	"strings"
	"sync"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/syntax"
	"github.com/margay-dev/margay/validate/reach"
)

// Reached says which of a plan's routes take which requests. Routes count from
// 0 in the order of the plan, aggregates go on behind them.
type Reached struct {
	*reach.Table
	// At are the routes by their position in the table, which has those with a
	// path template only.
	At []int
	// Shadows are the routes that no request reaches; By are routes, not
	// positions.
	Shadows map[int]reach.Shadow
}

// Reach builds the table of a plan and finds its shadowed routes, on two cores.
func Reach(p *plan.Plan) *Reached {
	r := &Reached{}
	var entries []reach.Entry
	add := func(i int, m *plan.Match) {
		if m.Kind == plan.Static {
			entries = append(entries, ReachEntry(m))
			r.At = append(r.At, i)
		}
	}
	for i := range p.Routes {
		add(i, &p.Routes[i].Match)
	}
	for i := range p.Aggregates {
		add(len(p.Routes)+i, &p.Aggregates[i].Match)
	}
	r.Table = reach.New(entries)
	half := len(entries) / 2
	var second map[int]reach.Shadow
	var group sync.WaitGroup
	group.Go(func() { second = r.shadowsIn(half, len(entries)) })
	r.Shadows = r.shadowsIn(0, half)
	group.Wait()
	for i, shadow := range second {
		r.Shadows[i] = shadow
	}
	return r
}

func (r *Reached) shadowsIn(from, to int) map[int]reach.Shadow {
	found := map[int]reach.Shadow{}
	for i := from; i < to; i++ {
		if shadow, ok := r.Shadow(i); ok {
			for n, by := range shadow.By {
				shadow.By[n] = r.At[by]
			}
			found[r.At[i]] = shadow
		}
	}
	return found
}

// ReachEntry returns what decides which requests a route of a plan takes.
func ReachEntry(m *plan.Match) reach.Entry {
	e := reach.Entry{Template: m.Path, CaseSensitive: m.CaseSensitive, Host: m.Host, Methods: m.Methods, Priority: int32(m.Priority)}
	for _, h := range m.Headers {
		e.Headers = append(e.Headers, reach.Header{Name: h.Name, Template: h.Template})
	}
	return e
}

// WrittenEntry reads which requests a static route was meant to take that Ocelot
// drops, as far as it can be read.
func WrittenEntry(tree *syntax.Tree, element config.Section) reach.Entry {
	text := func(name string) string {
		if id := tree.Find(element.Node, name); id != 0 && tree.Node(id).Kind == syntax.String {
			return tree.Text(id)
		}
		return ""
	}
	e := reach.Entry{Template: text("UpstreamPathTemplate"), Host: text("UpstreamHost"), Priority: 1}
	if id := tree.Find(element.Node, "RouteIsCaseSensitive"); id != 0 {
		e.CaseSensitive = strings.EqualFold(strings.TrimSpace(tree.Text(id)), "true")
	}
	id := tree.Find(element.Node, "UpstreamHttpMethod")
	if id == 0 || tree.Node(id).Kind != syntax.Array {
		return e
	}
	for child := range tree.Children(id) {
		e.Methods = append(e.Methods, strings.ToUpper(strings.TrimSpace(tree.Text(child))))
	}
	return e
}
