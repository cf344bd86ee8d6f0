package proxy

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/wire"
)

// Transport sends a request to a backend and brings the response.
type Transport interface {
	// Send is RoundTrip of http.RoundTripper, with ctx in place of the request's
	// context. Interim is told of responses with
	// 1xx before it returns; nil drops them. A response with 101 has a body that
	// can be written to.
	Send(ctx context.Context, req *http.Request, interim Interim) (*http.Response, error)
	// CloseIdleConnections closes the connections that serve no request.
	CloseIdleConnections()
}

// Interim takes responses that come before the final one.
type Interim = wire.Interim

// Certificates are what a proxy trusts and shows to backends with TLS.
type Certificates struct {
	// Roots are the trusted authorities; nil are the system's.
	Roots *x509.CertPool
	// Client returns the client certificate; nil shows none.
	Client func(*tls.CertificateRequestInfo) (*tls.Certificate, error)
}

// transports are those that routes use, by what makes a difference to them.
// They outlive plans.
type transports struct {
	options *Options

	mu  sync.Mutex
	all map[transportKey]Transport // guarded by mu
}

// transportKey is what routes must have in common to share connections.
type transportKey struct {
	version        string
	policy         plan.VersionPolicy
	anyCertificate bool
	maxConnections int
	limited        string // the route with maxConnections, which in Ocelot has a handler of its own
	lifetime       plan.Millis
	redirects      bool
	proxy          bool
	plain          bool // HTTP/1 without TLS, with nothing that only the library does
}

func keyOf(b *plan.Backend) transportKey {
	k := transportKey{version: b.HTTPVersion, policy: b.VersionPolicy, anyCertificate: b.AnyCertificate,
		maxConnections: b.Handler.MaxConnections, lifetime: -1, redirects: b.Handler.FollowRedirects, proxy: b.Handler.Proxy}
	if b.Handler.ConnectionLifetime != nil {
		k.lifetime = *b.Handler.ConnectionLifetime
	}
	if clear := b.Scheme == "http" || b.Scheme == "ws"; clear && k.speaksHTTP1() {
		k.plain = !k.proxy && !k.redirects
		if k.version != "1.0" { // without TLS nothing negotiates: what may be lower is 1.1
			k.version = ""
		}
	}
	return k
}

// speaksHTTP1 reports whether a version of HTTP/1 will do.
func (k transportKey) speaksHTTP1() bool {
	return k.version == "" || k.version[0] == '1' || k.policy == "" || k.policy == plan.OrLower
}

// errHTTP3 is the outcome of a request that only HTTP/3 will do for.
var errHTTP3 = errors.New("the route demands HTTP/3, which this program does not speak")

type noTransport struct{ err error }

func (t noTransport) Send(_ context.Context, req *http.Request, _ Interim) (*http.Response, error) {
	if req.Body != nil {
		req.Body.Close()
	}
	return nil, t.err
}

func (noTransport) CloseIdleConnections() {}

func newTransports(o *Options) *transports {
	return &transports{options: o, all: map[transportKey]Transport{}}
}

// of returns the transport for a route.
func (t *transports) of(r *plan.Route) Transport {
	if t.options.Roundtrips != nil {
		return library{RoundTripper: t.options.Roundtrips}
	}
	k := keyOf(&r.Backend)
	if k.maxConnections > 0 {
		k.limited = r.ID
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all[k] == nil {
		t.all[k] = t.make(k)
	}
	return t.all[k]
}

// make returns a transport. The own one is for plain HTTP/1.1; the library's
// does everything else.
func (t *transports) make(k transportKey) Transport {
	var made Transport
	switch {
	case k.version == "3.0" && !k.speaksHTTP1():
		made = noTransport{errHTTP3}
	case k.plain && (!t.options.Library || k.version == "1.0"): // which the library does not speak
		made = t.wire(k)
	default:
		made = t.library(k)
	}
	if k.redirects {
		made = redirecting{made}
	}
	return made
}

// wire returns the own transport.
func (t *transports) wire(k transportKey) Transport {
	o := wire.Options{Dial: t.options.Dial, MaxConnections: k.maxConnections, MaxHeaderBytes: maxResponseHeader, HTTP10: k.version == "1.0"}
	switch {
	case k.lifetime == 0:
		o.Lifetime = -1
	case k.lifetime > 0:
		o.Lifetime = k.lifetime.Duration()
	}
	return wire.New(o)
}

// keep closes the idle connections of transports that no route of g uses.
func (t *transports) keep(g *gateway) {
	used := map[Transport]bool{}
	for i := range g.routes {
		used[g.routes[i].transport] = true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for k, one := range t.all {
		if !used[one] {
			one.CloseIdleConnections()
			delete(t.all, k)
		}
	}
}

func (t *transports) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, one := range t.all {
		one.CloseIdleConnections()
	}
}

// library returns a transport of the standard library, with one for upgrades if
// it may speak HTTP/2.
func (t *transports) library(k transportKey) library {
	l := library{RoundTripper: t.speaking(k, protocols(k)), http1: !protocols(k).HTTP2()}
	if protocols(k).HTTP2() && k.speaksHTTP1() {
		only := &http.Protocols{}
		only.SetHTTP1(true)
		l.upgrades = t.speaking(k, only)
	}
	return l
}

// speaking returns a transport that speaks certain protocols.
func (t *transports) speaking(k transportKey, p *http.Protocols) *http.Transport {
	x := &http.Transport{
		DialContext:            t.options.Dial,
		MaxIdleConns:           0,
		MaxIdleConnsPerHost:    1024,
		MaxConnsPerHost:        k.maxConnections,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		ExpectContinueTimeout:  time.Second,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxResponseHeader,
		ReadBufferSize:         8 << 10,
		WriteBufferSize:        8 << 10,
		TLSClientConfig:        &tls.Config{InsecureSkipVerify: k.anyCertificate}, //nolint:gosec // the plan says so and Options allow it
	}
	if k.lifetime == 0 {
		x.MaxIdleConnsPerHost = -1
	}
	if c := t.options.Certificates; c != nil {
		x.TLSClientConfig.RootCAs, x.TLSClientConfig.GetClientCertificate = c.Roots, c.Client
	}
	if k.proxy {
		x.Proxy = http.ProxyFromEnvironment
	}
	x.Protocols = p
	return x
}

// maxResponseHeader is .NET's MaxResponseHeadersLength.
const maxResponseHeader = 64 << 10

// protocols returns the versions that a route may speak to its backend.
func protocols(k transportKey) *http.Protocols {
	p := &http.Protocols{}
	switch k.version {
	case "2.0", "3.0":
		p.SetHTTP2(true)
		p.SetUnencryptedHTTP2(true)
		p.SetHTTP1(k.policy != plan.Exact && k.policy != plan.OrHigher)
		if p.HTTP1() {
			p.SetUnencryptedHTTP2(false) // without TLS nothing negotiates, and HTTP/1.1 is the lower one
		}
	default:
		p.SetHTTP1(true)
		p.SetHTTP2(k.policy == plan.OrHigher)
	}
	return p
}
