// Package headers changes headers on the way to the backend and back, as
// Ocelot's UpstreamHeaderTransform and DownstreamHeaderTransform do
// (HeaderFindAndReplaceCreator, AddHeadersToRequest, HttpResponseHeaderReplacer;
// recordings ut-*, dt-*, tr-*).
//
// All replacements come first, then all new values, each in the order of the
// configuration. A result that is empty removes the header. What frames a
// message or belongs to one connection is left alone: nobody outside can make
// a body longer or shorter than it is.
package headers

import (
	"net/http"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

// Client is what placeholders say of the client of a request.
type Client struct {
	// Address is that of its connection, for {RemoteIpAddress}.
	Address string
	// Host is the Host header as it was sent, for {UpstreamHost}.
	Host string
}

// replacement changes a part of a header's first value; other values go.
type replacement struct {
	name          string // in canonical form
	find, replace string
	findsBackend  bool // finds the base URL of the backend
}

// assignment gives a header a value.
type assignment struct {
	name  string // in canonical form
	value string
	from  origin
}

// origin is where a value comes from.
type origin uint8

const (
	fixed         origin = iota
	clientAddress        // {RemoteIpAddress}
	clientHost           // {UpstreamHost}
	nowhere              // a placeholder that nobody knows
)

// compile sorts transforms into replacements and assignments.
func compile(list []plan.HeaderTransform, baseURL string) (replace []replacement, assign []assignment) {
	for _, t := range list {
		name := http.CanonicalHeaderKey(t.Name)
		if untouchable(name) {
			continue
		}
		if t.Kind == plan.SetHeader {
			assign = append(assign, newAssignment(name, t.Value, baseURL))
			continue
		}
		with, ok := withBaseURL(t.Value, baseURL)
		if !ok || t.Find == "" {
			continue
		}
		r := replacement{name: name, find: t.Find, replace: with}
		if t.Find == "{DownstreamBaseUrl}" {
			r.findsBackend, r.replace = true, strings.TrimSuffix(with, "/")+"/"
		}
		replace = append(replace, r)
	}
	return replace, assign
}

// untouchable reports whether a header frames the message.
func untouchable(name string) bool {
	return name == "Content-Length" || name == "Transfer-Encoding" || name == "Trailer"
}

// newAssignment reads a placeholder, which is one only as the whole value.
func newAssignment(name, value, baseURL string) assignment {
	a := assignment{name: name, value: value}
	if !strings.HasPrefix(value, "{") || !strings.HasSuffix(value, "}") {
		return a
	}
	switch value {
	case "{BaseUrl}":
		a.value = baseURL
	case "{RemoteIpAddress}":
		a.from = clientAddress
	case "{UpstreamHost}":
		a.from = clientHost
	default:
		a.from = nowhere
	}
	return a
}

// withBaseURL puts the base URL into a replacement. Ocelot looks at its first
// placeholder only, and drops a transform where that is another one (ut-19 to
// ut-21, ut-39 to ut-41).
func withBaseURL(value, baseURL string) (string, bool) {
	const placeholder = "{BaseUrl}"
	i := strings.IndexByte(value, '{')
	if i < 0 {
		return value, true
	}
	if !strings.HasPrefix(value[i:], placeholder) {
		return "", false
	}
	return strings.ReplaceAll(value, placeholder, baseURL), true
}

// value returns what is assigned in a request; false is nothing.
func (a *assignment) valueFor(c Client) (string, bool) {
	switch a.from {
	case clientAddress:
		return c.Address, true
	case clientHost:
		return c.Host, true
	case nowhere:
		return "", false
	}
	return a.value, true
}

// put sets a header, or removes it where the value is empty.
func put(h http.Header, name, value string) {
	if value == "" {
		delete(h, name)
		return
	}
	h[name] = []string{value}
}
