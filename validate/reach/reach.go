// Package reach decides which requests reach which route: it finds routes that
// no request can reach, and the route that takes a request.
//
// It follows DownstreamRouteFinder of Ocelot 25.0 (recordings templates and
// routing): a route with a host goes before one without, then the higher
// Priority wins, then the order of the file, routes before aggregates. Templates are
// compared as the regular expressions that Ocelot makes of them, so case,
// slashes at the end, placeholders and metacharacters mean here what they mean
// there.
//
// Nothing compares all pairs of routes. A route is shadowed if its language is
// part of the union of those that go first, and the union is built from
// counterexamples: a request that the route takes is looked up; whoever takes
// it first joins the union; then a request outside of the union is looked for.
// An ordinary route is done after one look-up.
package reach

import (
	"math"
	"slices"
	"strings"
	"sync"
)

// Entry is what decides which requests a route takes.
type Entry struct {
	// Template is UpstreamPathTemplate.
	Template      string
	CaseSensitive bool
	// Host is UpstreamHost; empty takes every host.
	Host string
	// Methods are UpstreamHttpMethod; none takes every method.
	Methods []string
	// Headers are UpstreamHeaderTemplates.
	Headers []Header
	// Priority is the written one, 1 where none is.
	Priority int32
}

// Header is one of UpstreamHeaderTemplates.
type Header struct{ Name, Template string }

// Request is an example of what a route takes.
type Request struct {
	Method, Host string
	// Target is path and query as templates are compared with them.
	Target string
}

// String returns the request as a line that people can send.
func (r Request) String() string {
	if r.Host == "" {
		return r.Method + " " + r.Target
	}
	return r.Method + " " + r.Target + " with Host: " + r.Host
}

// Shadow is why no request reaches a route.
type Shadow struct {
	// By are the positions of the routes that take its requests, the first
	// that was met first; never empty.
	By []int
	// Witness fits the shadowed route and is taken by By[0].
	Witness Request
}

// Table holds the routes of a gateway. It compiles templates when it first
// needs them and may be used by many goroutines.
type Table struct {
	entries []entry
	// hosts are the indexes of the routes by their host; "" are those of every
	// host.
	hosts map[string]*index
	// rivals finds routes whose templates overlap; it is planted at first use.
	rivals struct {
		once sync.Once
		root *branch
	}
}

type entry struct {
	*Entry
	// rank is the place in the order of precedence within one host.
	rank int
	// leaf is the entry's place in the index of its host.
	leaf     leaf
	compile  sync.Once
	language *language // set by compile
}

// New returns the table of routes given in the order of Ocelot's compiled
// configuration.
func New(entries []Entry) *Table {
	t := &Table{entries: make([]entry, len(entries)), hosts: map[string]*index{}}
	order := make([]uint64, len(entries))
	for i := range t.entries {
		e := &t.entries[i]
		e.Entry = &entries[i]
		order[i] = uint64(math.MaxInt32-int64(e.Precedence()))<<32 | uint64(i)
	}
	slices.Sort(order)
	for rank, key := range slices.Backward(order) {
		i := int(uint32(key))
		t.entries[i].rank = rank
		t.hold(i)
	}
	return t
}

// hold puts a route into the index of its host. The last one to come goes before
// all that are there.
func (t *Table) hold(i int) {
	e := &t.entries[i]
	if strings.Contains(e.Host, ":") {
		return // the Host header is cut at its first colon (pick-host)
	}
	x := t.hosts[e.Host]
	if x == nil {
		x = newIndex(room(e.Host, len(t.entries)), t.alike)
		t.hosts[e.Host] = x
	}
	e.leaf = x.add(i, e.Template)
}

// alike says whether the routes at two positions, which have one host, take the
// same requests for being written alike.
func (t *Table) alike(i, j int) bool {
	a, b := t.entries[i].Entry, t.entries[j].Entry
	return a.Template == b.Template && a.CaseSensitive == b.CaseSensitive &&
		slices.Equal(a.Methods, b.Methods) && slices.Equal(a.Headers, b.Headers)
}

// room is how many routes an index is made for: most have no host.
func room(host string, routes int) int {
	if host == "" {
		return routes
	}
	return 0
}

// Precedence is the Priority that counts: it is forced to 0 for /{x}
// (pick-everything-zero).
func (e *Entry) Precedence() int32 {
	if takesEverything(e.Template) {
		return 0
	}
	return e.Priority
}

// takesEverything reports whether a template is a single placeholder.
func takesEverything(template string) bool {
	return strings.HasPrefix(template, "/{") && strings.IndexByte(template, '}') == len(template)-1
}

// lang returns the language of an entry's template; nil where it is no regular
// expression that this package can read.
func (e *entry) lang() *language {
	e.compile.Do(func() { e.language = newLanguage(e.Template, e.CaseSensitive) })
	return e.language
}

// otherMethod stands for every method that no route lists.
const otherMethod = "OPTIONS"

// everyMethod is a method that no route lists.
var everyMethod = [...]string{""}

// methods returns the methods to look at, OPTIONS last: it is seldom what a
// witness should show, for it needs no authentication.
func (e *entry) methods() []string {
	switch len(e.Methods) {
	case 0:
		return everyMethod[:]
	case 1:
		return e.Methods
	}
	isOptions := func(m string) bool { return strings.EqualFold(strings.TrimSpace(m), otherMethod) }
	if !slices.ContainsFunc(e.Methods, isOptions) {
		return e.Methods
	}
	ordered := slices.DeleteFunc(slices.Clone(e.Methods), isOptions)
	for _, m := range e.Methods {
		if isOptions(m) {
			ordered = append(ordered, m)
		}
	}
	return ordered
}

// takes says whether an entry takes a method; "" is a method that none lists.
func (e *entry) takes(method string) bool {
	return len(e.Methods) == 0 ||
		slices.ContainsFunc(e.Methods, func(m string) bool {
			return method != "" && strings.EqualFold(strings.TrimSpace(m), strings.TrimSpace(method))
		})
}

// demandsNoMoreThan says whether every header that e wants is wanted by other too, so
// that a request that fits other's headers fits those of e.
func (e *entry) demandsNoMoreThan(other *entry) bool {
	for _, h := range e.Headers {
		same := func(o Header) bool {
			return strings.EqualFold(o.Name, h.Name) && o.Template == h.Template && (!e.CaseSensitive || other.CaseSensitive)
		}
		if !slices.ContainsFunc(other.Headers, same) {
			return false
		}
	}
	return true
}
