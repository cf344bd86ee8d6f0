package headers

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

// Response changes the headers of responses. Nil changes nothing; it is safe
// for concurrent use.
type Response struct {
	replace []replacement
	assign  []assignment
}

// NewResponse returns what a list of transforms does to responses, nil if
// nothing. BaseURL is the value of {BaseUrl}.
func NewResponse(list []plan.HeaderTransform, baseURL string) *Response {
	r := &Response{}
	r.replace, r.assign = compile(list, baseURL)
	if len(r.replace)+len(r.assign) == 0 {
		return nil
	}
	return r
}

// Apply changes the header of a response to c. Backend is the base URL of the
// backend that sent it, see [BaseURL]; {DownstreamBaseUrl} finds that.
//
// The backend's own value beats an assignment, except for headers that describe
// the body; those are never searched (dt-01, dt-21, dt-22).
func (r *Response) Apply(h http.Header, c Client, backend string) {
	if r == nil {
		return
	}
	for i := range r.replace {
		r.replace[i].apply(h, backend)
	}
	for i := range r.assign {
		one := &r.assign[i]
		if _, there := h[one.name]; there && !ofBody(one.name) {
			continue
		}
		if value, ok := one.valueFor(c); ok && value != "" {
			h[one.name] = []string{value}
		}
	}
}

func (r *replacement) apply(h http.Header, backend string) {
	values := h[r.name]
	if len(values) == 0 || ofBody(r.name) {
		return
	}
	find, value := r.find, values[0]
	if r.findsBackend {
		find = backend
	}
	if r.name == "Location" {
		value = withPath(value)
	}
	if find != "" {
		value = strings.ReplaceAll(value, find, r.replace)
	}
	put(h, r.name, value)
}

// withPath returns a URL with a slash behind its host where nothing follows.
func withPath(location string) string {
	u, err := url.Parse(location)
	if err != nil || u.Host == "" || u.Path != "" {
		return location
	}
	u.Path = "/"
	return u.String()
}

// ofBody reports whether a header describes the body: a content header of .NET.
func ofBody(name string) bool {
	switch name {
	case "Allow", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Location", "Content-Md5",
		"Content-Range", "Content-Type", "Expires", "Last-Modified":
		return true
	}
	return false
}

// BaseURL returns the base URL of a backend with a slash at its end, without
// the standard port of its scheme.
func BaseURL(scheme, address string) string {
	if address == "" {
		return ""
	}
	standard := ":80"
	if scheme == "https" {
		standard = ":443"
	}
	return scheme + "://" + strings.TrimSuffix(address, standard) + "/"
}
