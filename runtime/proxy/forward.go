package proxy

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/route"
)

// forward sends the request through the strategies of its route. It is what
// stands behind the guards.
func (x *Exchange) forward() (*http.Response, error) {
	target, err := x.backendTarget()
	if err != nil {
		return nil, err
	}
	x.target = target
	if err := errors.Join(x.sendable(), x.findHosts()); err != nil {
		return nil, err
	}
	x.prepare()
	strategies := x.strategies()
	if x.health = strategies.Hosts(); x.health != nil {
		x.forget()
	}
	response, err := strategies.RoundTrip(&x.out, (*attempt)(x))
	if err == nil && x.out.Method == http.MethodHead && x.Request.Method != http.MethodHead && response.ContentLength > 0 {
		response.Body.Close()
		return nil, errNoContent
	}
	return response, err
}

// sendable returns why a body cannot be sent: it is larger than the server
// takes, or HTTP/1.0 has no way to send it (ver-10/003).
func (x *Exchange) sendable() error {
	if b, ok := x.Request.Body.(interface{ Oversized() error }); ok {
		return &StatusError{Status: http.StatusRequestEntityTooLarge, Header: http.Header{"Connection": {"close"}}, Err: b.Oversized()}
	}
	if x.length < 0 && x.served.plan.Backend.HTTPVersion == "1.0" {
		return &StatusError{Status: http.StatusInternalServerError,
			Err: errors.New("a body of unknown length can't be sent by HTTP/1.0")}
	}
	return nil
}

// errNoContent is the outcome of a request that the route turns into HEAD: the
// answer speaks of a body that did not come (down-method/016).
var errNoContent = &StatusError{Status: http.StatusInternalServerError,
	Err: errors.New("the backend was asked by HEAD: its answer has no body")}

// strategies returns the pipeline of the request: that of its route, or of the
// service that no route lists, once it is known to have hosts: there is room for
// so many, and clients may ask for any name.
func (x *Exchange) strategies() *pipeline.Pipeline {
	if x.served.plan.Match.Kind != plan.Unlisted || len(x.hosts) == 0 {
		return x.served.pipeline
	}
	service, namespace := x.Match.Service()
	return x.proxy.pipelines.Service(namespace + "." + service)
}

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
	if x.owned {
		x.complete(x.out.Header)
	}
	x.out.Method = standardMethod(cmp.Or(x.Route.Backend.Method, x.Request.Method))
	if x.Route.Backend.Method != "" && x.Upgrade() != "" {
		x.out.Method = x.Request.Method // ws/030: with another one it would be no handshake
	}
	x.out.RequestURI, x.out.RemoteAddr, x.out.TLS = "", "", nil
	x.out.Proto, x.out.ProtoMajor, x.out.ProtoMinor = "HTTP/1.1", 1, 1
	if x.length < 0 && x.Request.Trailer == nil {
		x.Request.Trailer = http.Header{} // for those that nobody announces (body-req/027)
	}
	x.out.TransferEncoding, x.out.Trailer, x.out.Close = nil, x.Request.Trailer, false
	if x.received != nil && x.Request.Trailer != nil {
		x.received.trailer, x.received.header = x.Request.Trailer, x.out.Header
		x.received.purge()
	}
	x.out.Body, x.out.ContentLength = x.body, x.length
	x.url = targetURL(x.target)
	x.out.URL = &x.url
}

// standardMethod returns a method as .NET writes it: those that it knows in
// upper case (pick-method/005), others as they are.
func standardMethod(method string) string {
	for i := range len(method) {
		if c := method[i]; 'a' <= c && c <= 'z' {
			switch upper := strings.ToUpper(method); upper {
			case "GET", "PUT", "POST", "DELETE", "HEAD", "OPTIONS", "TRACE", "PATCH", "CONNECT":
				return upper
			}
			break
		}
	}
	return method
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
	return a.RoundTripContext(req.Context(), req)
}

// RoundTripContext is RoundTrip under another context than the request's.
func (a *attempt) RoundTripContext(ctx context.Context, req *http.Request) (*http.Response, error) {
	x := (*Exchange)(a)
	response, err := x.send(ctx, req)
	if err != nil && x.wasted(ctx, req, err) {
		x.choice.Permit.Failure()
		return x.send(ctx, req)
	}
	return response, err
}

// wasted reports whether a probe met a host that still takes no connection.
// Nothing was sent, so that another host can be asked in its place: the probe
// was the proxy's wish, not the client's. (A body may be read already.)
// A host that answered, or took too long, has had the request: whether it is
// sent again is the route's choice, by its retry.
func (x *Exchange) wasted(ctx context.Context, req *http.Request, err error) bool {
	return x.choice.State == breaker.HalfOpen && isRefusal(err) && ctx.Err() == nil &&
		(req.Body == nil || req.Body == http.NoBody) && x.Route.Failures.TransportErrors != plan.Success
}

// send sends the request to a host.
func (x *Exchange) send(ctx context.Context, req *http.Request) (*http.Response, error) {
	host := x.lease()
	x.attempts++
	x.share()
	x.url.Scheme, x.url.Host = host.Scheme, host.Address
	if x.url.Scheme == "" {
		x.url.Scheme = x.scheme()
	}
	req.Host = host.Header
	response, err := x.served.transport.Send(ctx, req, x.interim())
	x.answered = response
	if err != nil {
		x.refused(err)
		return nil, err
	}
	x.present, _ = response.Body.(present) // before anybody puts another body around it
	return response, nil
}

// Judged takes what an attempt was to the breaker of the route, for the host
// that it went to.
func (a *attempt) Judged(r breaker.Result) { a.choice.Permit.Report(breaker.Outcome{Result: r}) }

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

// Interim passes one on.
func (i *interim) Interim(status int, header http.Header) {
	switch isPermission := status == http.StatusContinue; {
	case isPermission != (i.Request.Header["Expect"] != nil):
		// Nobody waits for a 100, or somebody does: then the server may be writing it,
		// as the body is read, and another one would run into it.
	case isPermission && i.received != nil:
		i.received.permit(func() { i.pass1xx(status, header) })
	default:
		i.pass1xx(status, header)
	}
}

// pass1xx writes one. The final header must not get what only it says.
func (i *interim) pass1xx(status int, header http.Header) {
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
