package proxy

import (
	"net/http"
	"slices"

	"github.com/margay-dev/margay/runtime/plan"
)

// Guard stands in front of the strategies of one route: it judges and changes
// requests on their way in and answers on their way out. A guard serves many
// requests at once.
type Guard interface {
	// Serve returns the outcome of the exchange: that of next, which sends the
	// request on, or one of its own. A response that is not returned must have
	// its body closed. An error is answered as the proxy answers errors; a
	// *StatusError says with which status.
	Serve(x *Exchange, next Next) (*http.Response, error)
}

// Next is the rest of the way to the backend, and back. It may be called more
// than once only if the body of the request is replaced in between.
type Next func(x *Exchange) (*http.Response, error)

// GuardFunc makes a Guard of a function.
type GuardFunc func(x *Exchange, next Next) (*http.Response, error)

// Serve calls f.
func (f GuardFunc) Serve(x *Exchange, next Next) (*http.Response, error) { return f(x, next) }

// Unenforced is a setting of a route that nobody enforces.
type Unenforced struct {
	// Setting is its name, by which Options.AllowUnenforced lets the route be
	// served all the same: "authentication", "claims", "client-ips",
	// "rate-limit", "cache", "handlers", …
	Setting string
	// Reason says why, in one clause.
	Reason string
	// Unreadable says that it is written in a way that nothing can read: to mend
	// it is the way out.
	Unreadable bool
}

// Refusal is a route or aggregate that is not served.
type Refusal struct {
	// ID is that of the route or aggregate, At where it is written.
	ID, At string
	// Unenforced are at least one.
	Unenforced []Unenforced
}

// chain puts guards around the rest of the way, once for all requests.
func chain(guards []Guard, last Next) Next {
	for _, g := range slices.Backward(guards) {
		next := last
		last = func(x *Exchange) (*http.Response, error) { return g.Serve(x, next) }
	}
	return last
}

// unguarded returns the settings of a route that only guards enforce.
func unguarded(r *plan.Route) (out []Unenforced) {
	const reason = "nothing in this program enforces it"
	for _, s := range []struct {
		name string
		set  bool
	}{
		{"client-ips", r.ClientIPs != nil},
		{"rate-limit", r.RateLimit != nil},
		{"authentication", r.Authentication != nil},
		{"claims", r.Claims != nil},
		{"cache", r.Cache != nil},
		{"request-headers", len(r.RequestHeaders) > 0},
		{"response-headers", len(r.ResponseHeaders) > 0},
		{"request-id", r.RequestIDHeader != ""},
		{"handlers", len(r.Handlers) > 0},
	} {
		if s.set {
			out = append(out, Unenforced{Setting: s.name, Reason: reason})
		}
	}
	return out
}

// StatusError is an outcome that is answered with a status.
type StatusError struct {
	// Status is that of the answer.
	Status int
	// Header is added to the answer; nil adds nothing.
	Header http.Header
	// Body is that of the answer; its type is in Header.
	Body string
	// Err says what happened, for logs; nil leaves it at the status.
	Err error
}

// Error returns what happened.
func (e *StatusError) Error() string {
	if e.Err != nil {
		return e.Err.Error()
	}
	return http.StatusText(e.Status)
}

// Unwrap returns Err.
func (e *StatusError) Unwrap() error { return e.Err }
