package route

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

// entry is a static route or an aggregate, ready to be compared.
type entry struct {
	id        string
	index     int // in plan.Routes or plan.Aggregates
	aggregate bool
	match     *plan.Match
	priority  int
	template  *template
	headers   []header
	// names are the placeholders of the path and then of the headers.
	names []string
	// broken is set when the values cannot be named.
	broken *NameError
}

// New compiles the routes of a plan, which has passed its Check and is not
// changed from then on. The error is a [*plan.InvalidError] that names every
// template without a meaning here: those that stop Ocelot from starting, and
// those that are regular expressions with constructs of which no linear-time
// matcher knows.
func New(p *plan.Plan) (*Table, error) {
	c := compiler{table: &Table{plan: p, byHost: map[string]*level{}, anyHost: &level{}, unlisted: -1}}
	for i := range p.Routes {
		c.route(i)
	}
	for i := range p.Aggregates {
		a := &p.Aggregates[i]
		c.entry(entry{id: a.ID, index: i, aggregate: true, match: &a.Match}, "aggregates")
	}
	if len(c.problems) > 0 {
		return nil, &plan.InvalidError{Problems: c.problems}
	}
	c.table.index()
	return c.table, nil
}

// compiler collects what is wrong with a plan.
type compiler struct {
	table    *Table
	problems []plan.Problem
}

func (c *compiler) route(i int) {
	t := c.table
	r := &t.plan.Routes[i]
	switch r.Match.Kind {
	case plan.Dynamic:
		if t.services == nil {
			t.services = map[string][]listed{}
		}
		name := r.Backend.Service
		t.services[name] = append(t.services[name], listed{namespace: r.Backend.Namespace, index: i})
	case plan.Unlisted:
		t.unlisted = i
	default:
		c.entry(entry{id: r.ID, index: i, match: &r.Match}, "routes")
	}
	fabric := t.plan.Discovery != nil && strings.EqualFold(t.plan.Discovery.Type, "ServiceFabric")
	t.backends = append(t.backends, newBackend(&r.Backend, fabric))
}

func (c *compiler) entry(e entry, list string) {
	tmpl, err := newTemplate(e.match.Path, e.match.CaseSensitive)
	if err != nil {
		c.refuse(list, e.index, ".match.path", fmt.Sprintf("got %q: %v", e.match.Path, err))
		return
	}
	e.template = tmpl
	e.names = slices.Clip(tmpl.names)
	e.priority = e.match.Priority
	if tmpl.everything {
		e.priority = 0
	}
	if tmpl.hasBroken {
		e.broken = &NameError{Route: e.id, Name: tmpl.broken}
	}
	for i, h := range e.match.Headers {
		compiled, err := newHeader(h, e.match.CaseSensitive)
		if err != nil {
			c.refuse(list, e.index, fmt.Sprintf(".match.headers[%d].template", i), fmt.Sprintf("got %q: %v", h.Template, err))
			continue
		}
		e.headers = append(e.headers, compiled)
		e.names = append(e.names, compiled.names...)
	}
	c.table.entries = append(c.table.entries, e)
}

func (c *compiler) refuse(list string, index int, member, reason string) {
	path := fmt.Sprintf("%s[%d]%s", list, index, member)
	c.problems = append(c.problems, plan.Problem{Path: path, Reason: reason})
}

// index sorts the entries by precedence and puts them into the trees. Priority
// decides, then the order of the plan, with aggregates behind the routes.
func (t *Table) index() {
	slices.SortStableFunc(t.entries, func(a, b entry) int { return cmp.Compare(b.priority, a.priority) })
	for rank := range t.entries {
		e := &t.entries[rank]
		of := t.levelOf(e.match.Host)
		if e.broken != nil {
			of.broken.add(int32(rank), e.template)
			t.anyBroken = true
		} else {
			of.sound.add(int32(rank), e.template)
		}
	}
}

func (t *Table) levelOf(host string) *level {
	if host == "" {
		return t.anyHost
	}
	of := t.byHost[host]
	if of == nil {
		of = &level{}
		t.byHost[host] = of
	}
	return of
}

// admits reports whether method and headers fit. Methods are compared without
// regard to case (pick-method).
func (e *entry) admits(r *Request) bool {
	if !e.admitsMethod(r.Method) {
		return false
	}
	for i := range e.headers {
		if !e.headers[i].fits(r) {
			return false
		}
	}
	return true
}

func (e *entry) admitsMethod(method string) bool {
	if len(e.match.Methods) == 0 {
		return true
	}
	for _, m := range e.match.Methods {
		if m == method || strings.EqualFold(m, method) {
			return true
		}
	}
	return false
}
