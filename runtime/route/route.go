// Package route decides which route of a plan takes a request, what the
// placeholders of its template stand for, and which path and query its backend
// is asked for.
//
// [New] compiles the routes of a plan into a [Table], which is read-only and
// safe for concurrent use. [ParseTarget] turns the target of a request line
// into the text that templates are compared with. [Table.Match] finds the
// route; [Match.BackendTarget] builds what goes out. The answers are those of
// Ocelot 25.0 (recordings templates and routing), except where an entry of
// [Differences] says otherwise.
//
// A lookup walks radix trees over the fixed texts of the templates: one pair
// for the routes of the request's host, one for those of every host. Its cost
// follows the length of the path, not the number of routes. Templates are
// compared by token; only a template that is a regular expression in disguise
// costs one, a linear-time one at that.
//
// The package does no I/O, chooses no host and judges no security setting.
package route

import (
	"errors"
	"net/http"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

// Errors of [Table.Match] and [Match.BackendTarget].
var (
	// ErrNoRoute means that no route takes the request: 404.
	ErrNoRoute = errors.New("no route takes the request")
	// ErrEscape means that a captured value would change parts of the backend's
	// path outside of its place: 400 (difference prefix-escape).
	ErrEscape = errors.New("a captured value leaves its place in the backend's path")
	// ErrEmptyPath means that nothing is left of the backend's path: 500.
	ErrEmptyPath = errors.New("the backend's path is empty")
)

// NameError means that the template of a route which fits the request has a
// placeholder whose name is not a word: 500. Ocelot uses names as names of
// groups in a regular expression, which fails for every request that the
// route fits, even when another route would take it (ph-dash/001).
type NameError struct {
	Route string // the ID of the route
	Name  string // the name of the placeholder
}

// Error says which placeholder is meant.
func (e *NameError) Error() string {
	return "placeholder {" + e.Name + "} of route " + e.Route + " has a name that is not a word"
}

// Request is what routing looks at.
type Request struct {
	Method string
	// Host is the Host header as it came, with its port.
	Host   string
	Target Target
	// Header holds the other headers; nil is none.
	Header http.Header
}

// Table answers which route takes a request. It never changes.
type Table struct {
	plan     *plan.Plan
	entries  []entry // in order of precedence
	backends []backend
	byHost   map[string]*level
	anyHost  *level
	services map[string][]listed
	unlisted int // index into plan.Routes, or -1
	// anyBroken is set when a route has a placeholder without a usable name.
	anyBroken bool
}

// listed is a dynamic route that names a service.
type listed struct {
	namespace string
	index     int
}

// Match returns the route that takes r: among the routes whose method, host,
// path and headers fit, one with a host before one without, then the highest
// priority, then the first of the plan. It fails with [ErrNoRoute] or a
// [*NameError].
func (t *Table) Match(r *Request) (Match, error) {
	if len(t.entries) == 0 {
		return t.service(r.Target)
	}
	host, _, _ := strings.Cut(r.Host, ":")
	of := t.byHost[host]
	if t.anyBroken {
		if e := t.broken(r, of); e != nil {
			return Match{}, e.broken
		}
	}
	rank := t.find(r, of, false)
	if rank == none {
		rank = t.find(r, t.anyHost, false)
	}
	if rank == none {
		return Match{}, ErrNoRoute
	}
	e := &t.entries[rank]
	m := Match{table: t, entry: e, index: e.index, aggregate: e.aggregate}
	m.capture(r)
	return m, nil
}

// broken returns a fitting route whose placeholders cannot be named.
func (t *Table) broken(r *Request, of *level) *entry {
	for _, l := range [...]*level{of, t.anyHost} {
		if rank := t.find(r, l, true); rank != none {
			return &t.entries[rank]
		}
	}
	return nil
}

// service returns the dynamic route of the service that the first segment
// names, as [NAMESPACE.]SERVICE with the first dot as the border. The first
// route of the service is taken when the request states no namespace
// (dyn-listed).
func (t *Table) service(in Target) (Match, error) {
	path := in.Path()
	if len(t.services) == 0 && t.unlisted < 0 || path == "" {
		return Match{}, ErrNoRoute
	}
	name, _, _ := strings.Cut(path[1:], "/")
	namespace, service, dotted := strings.Cut(name, ".")
	if !dotted {
		namespace, service = "", name
	}
	m := Match{table: t, index: t.unlisted, service: service, namespace: namespace}
	for _, l := range t.services[service] {
		if namespace == "" || l.namespace == namespace {
			m.index = l.index
			break
		}
	}
	if m.index < 0 {
		return Match{}, ErrNoRoute
	}
	return m, nil
}
