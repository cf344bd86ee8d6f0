package route

import (
	"iter"
	"slices"

	"github.com/margay-dev/margay/runtime/plan"
)

// Match is a request's route with the values of its placeholders. It is a
// value: copies are independent, and each is used by one goroutine. The zero
// value is no match.
type Match struct {
	table     *Table
	entry     *entry // nil for a dynamic route
	index     int
	aggregate bool
	service   string
	namespace string

	inline [inlineValues]string
	many   []string // in place of inline
	set    []placeholder
}

// inlineValues is the number of values that need no memory of their own.
const inlineValues = 6

type placeholder struct{ name, value string }

// Route returns the route, or nil when an aggregate takes the request.
func (m *Match) Route() *plan.Route {
	if m.table == nil || m.aggregate {
		return nil
	}
	return &m.table.plan.Routes[m.index]
}

// Aggregate returns the aggregate, or nil when a route takes the request.
func (m *Match) Aggregate() *plan.Aggregate {
	if m.table == nil || !m.aggregate {
		return nil
	}
	return &m.table.plan.Aggregates[m.index]
}

// Index returns the place of the route in plan.Routes, or of the aggregate in
// plan.Aggregates.
func (m *Match) Index() int { return m.index }

// Service returns the service that a request for a dynamic route names, and
// its namespace; both are empty for other routes.
func (m *Match) Service() (service, namespace string) { return m.service, m.namespace }

// Values returns the placeholders with their values, those of the path in the
// order of the template, then those of the headers, then those of [Match.Set].
// Where a name occurs twice, the first one counts.
func (m *Match) Values() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for i, value := range m.values() {
			if !m.isSet(m.entry.names[i]) && !yield(m.entry.names[i], value) {
				return
			}
		}
		for _, p := range m.set {
			if !yield(p.name, p.value) {
				return
			}
		}
	}
}

// Value returns the value of a placeholder.
func (m *Match) Value(name string) (value string, ok bool) {
	for n, v := range m.Values() {
		if n == name {
			return v, true
		}
	}
	return "", false
}

// Set gives a placeholder a value in place of the captured one. Claims and the
// parameters of aggregates use it.
func (m *Match) Set(name, value string) {
	for i := range m.set {
		if m.set[i].name == name {
			m.set[i].value = value
			return
		}
	}
	// A Match is copied like a value: what is set in one copy is not set in others.
	m.set = append(slices.Clip(m.set), placeholder{name, value})
}

func (m *Match) isSet(name string) bool {
	return slices.ContainsFunc(m.set, func(p placeholder) bool { return p.name == name })
}

// values returns the captured values, in the order of the entry's names.
func (m *Match) values() []string {
	if m.entry == nil {
		return nil
	}
	if m.many != nil {
		return m.many
	}
	return m.inline[:len(m.entry.names)]
}

// capture finds the values of the placeholders in a request that fits.
func (m *Match) capture(r *Request) {
	e := m.entry
	if len(e.names) == 0 {
		return
	}
	if len(e.names) > inlineValues {
		m.many = make([]string, len(e.names))
	}
	values := m.values()
	text := r.Target.Path()
	if e.template.whole {
		text = r.Target.text
	}
	var few [inlineValues]span
	spans := few[:min(len(few), len(e.template.names))]
	if len(e.template.names) > len(few) {
		spans = make([]span, len(e.template.names))
	}
	e.template.capture(text, r.Target.path, spans)
	for i, s := range spans {
		values[i] = text[s.from:s.to]
	}
	values = values[len(spans):]
	for i := range e.headers {
		h := &e.headers[i]
		h.capture(r, values[:len(h.names)])
		values = values[len(h.names):]
	}
}
