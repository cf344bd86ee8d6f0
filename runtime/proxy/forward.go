package proxy

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/route"
)

// errNoHost is the outcome of a request for a service without hosts.
var errNoHost = errors.New("the backend has no host")

// forward sends the request through the strategies of its route. It is what
// stands behind the guards.
func (x *Exchange) forward() (*http.Response, error) {
	target, err := x.backendTarget()
	if err != nil {
		return nil, err
	}
	x.target = target
	x.prepare()
	return x.strategies().RoundTrip(&x.out, (*attempt)(x))
}

// strategies returns the pipeline of the request: that of its route, or of the
// service that no route lists.
func (x *Exchange) strategies() *pipeline.Pipeline { return x.served.pipeline }

// backendTarget returns the path and query that the backend is asked for.
func (x *Exchange) backendTarget() (string, error) {
	var target string
	var err error
	if x.memberOf == nil {
		target, err = x.Match.BackendTarget(x.Target)
	} else {
		target, err = x.Match.MemberTarget(x.gateway.byID[x.Route.ID], x.Target)
	}
	switch {
	case errors.Is(err, route.ErrEscape):
		return "", &StatusError{Status: http.StatusBadRequest, Err: err}
	case err != nil:
		return "", &StatusError{Status: http.StatusInternalServerError, Err: err}
	}
	return target, nil
}

// prepare makes the request that goes out, but for its host.
func (x *Exchange) prepare() {
	header := x.out.Header
	x.out = *x.Request
	x.out.Header = header
	if !x.owned {
		x.out.Header = x.passed()
	}
	if m := x.Route.Backend.Method; m != "" {
		x.out.Method = m
	}
	x.out.RequestURI, x.out.RemoteAddr, x.out.TLS = "", "", nil
	x.out.Proto, x.out.ProtoMajor, x.out.ProtoMinor = "HTTP/1.1", 1, 1
	x.out.TransferEncoding, x.out.Trailer, x.out.Close = nil, x.Request.Trailer, false
	x.out.Body, x.out.ContentLength = x.body, x.length
	x.url = targetURL(x.target)
	x.out.URL = &x.url
}

// targetURL returns a URL whose RequestURI is target, byte by byte. Two slashes
// at its start would make an opaque URL one with a host.
func targetURL(target string) url.URL {
	if !strings.HasPrefix(target, "//") {
		return url.URL{Opaque: target}
	}
	path, query, forced := strings.Cut(target, "?")
	plain, err := url.PathUnescape(path)
	if err != nil {
		plain = path
	}
	return url.URL{Path: plain, RawPath: path, RawQuery: query, ForceQuery: forced && query == ""}
}

// attempt is an exchange while its strategies let it through. It is the
// transport below them.
type attempt Exchange

// RoundTrip sends the request to a host of its backend.
func (a *attempt) RoundTrip(req *http.Request) (*http.Response, error) {
	x := (*Exchange)(a)
	host := x.pick()
	if host == nil {
		return nil, errNoHost
	}
	x.attempts++
	x.backend = host
	x.url.Scheme, x.url.Host = host.scheme, host.address
	if x.url.Scheme == "" {
		x.url.Scheme = x.scheme()
	}
	req.Host = host.host
	response, err := x.served.transport.Send(req, x.interim())
	x.answered = response
	return response, err
}

// pick chooses a host.
func (x *Exchange) pick() *endpoint {
	if len(x.served.hosts) == 0 {
		return nil
	}
	return x.served.hosts[0]
}

// scheme returns the client's.
func (x *Exchange) scheme() string {
	if x.Request.TLS != nil {
		return "https"
	}
	return "http"
}

// interim takes responses with 1xx, where somebody can be told of them.
func (x *Exchange) interim() Interim {
	if x.writer == nil || !x.Request.ProtoAtLeast(1, 1) {
		return nil
	}
	return (*interim)(x)
}

// interim passes 1xx on to the client.
type interim Exchange

// Interim passes one on. The final header must not get what only it says.
func (i *interim) Interim(status int, header http.Header) {
	if status == http.StatusSwitchingProtocols {
		return
	}
	to := i.writer.Header()
	var kept []string
	for name, values := range header {
		if _, set := to[name]; !set && !hopByHop(name) {
			to[name] = values
			kept = append(kept, name)
		}
	}
	i.writer.WriteHeader(status)
	for _, name := range kept {
		delete(to, name)
	}
}
