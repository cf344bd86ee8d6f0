package headers

import (
	"iter"
	"net/http"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

// Request changes the headers of requests. Nil changes nothing; it is safe for
// concurrent use.
type Request struct {
	replace []replacement
	assign  []assignment
}

// NewRequest returns what a list of transforms does to requests, nil if
// nothing. BaseURL is the value of {BaseUrl}.
func NewRequest(list []plan.HeaderTransform, baseURL string) *Request {
	r := &Request{}
	r.replace, r.assign = compile(list, baseURL)
	if len(r.replace)+len(r.assign) == 0 {
		return nil
	}
	return r
}

// Apply changes the header of a request of c. An assignment takes the place of
// what the client sent, also where its placeholder has no value: then the
// header goes (ut-06, ut-08).
func (r *Request) Apply(h http.Header, c Client) {
	if r == nil {
		return
	}
	for i := range r.replace {
		one := &r.replace[i]
		if values := h[one.name]; len(values) > 0 && !ofConnection(one.name) {
			put(h, one.name, strings.ReplaceAll(values[0], one.find, one.replace))
		}
	}
	for i := range r.assign {
		one := &r.assign[i]
		if ofConnection(one.name) {
			continue
		}
		value, _ := one.valueFor(c)
		put(h, one.name, value)
	}
}

// Assigned returns the names of the headers that Apply gives values of its own,
// in canonical form.
func (r *Request) Assigned() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range r.assign {
			if name := r.assign[i].name; !ofConnection(name) && !yield(name) {
				return
			}
		}
	}
}

// DropContent removes what describes a body from the header of a request that
// has none (ut-27).
func DropContent(h http.Header) {
	for name := range h {
		if ofBody(name) {
			delete(h, name)
		}
	}
}

// ofConnection reports whether a request header is about the connection, or is
// written with the request line.
func ofConnection(name string) bool {
	switch name {
	case "Host", "Connection", "Keep-Alive", "Proxy-Connection", "Te", "Upgrade":
		return true
	}
	return false
}
