// Package wire is a client for HTTP/1.1 over plain connections, made for
// proxies: a request is written, and its response read, on the goroutine of
// the caller.
//
// [Client] is an http.RoundTripper. It does what http.Transport does for such
// backends, without its two goroutines per connection, and is stricter where
// two readers of one message could disagree: see RFC 9112, section 11. It does
// not speak TLS or HTTP/2, follows no redirect, decompresses nothing and asks
// no proxy.
//
// A context that ends closes the connection. Nobody waits on it for as long as
// an exchange is fast: only one that takes longer than a moment is registered
// with its context.
package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Options are the limits of a Client. The zero value is the default.
type Options struct {
	// Dial opens a connection. Nil: a net.Dialer does, with 30 seconds.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// MaxConnections bounds the connections to one address, idle ones and those
	// that went over to another protocol included. A request beyond waits, in the
	// order of coming, for as long as its context lets it; as with .NET's
	// MaxConnectionsPerServer. 0: no bound.
	MaxConnections int
	// MaxIdle bounds the idle connections to one address. 0: 512.
	MaxIdle int
	// IdleTimeout closes connections that were idle for so long. 0: 90 seconds.
	IdleTimeout time.Duration
	// Lifetime is the age from which on a connection is not used again; 0 is no
	// bound, a negative one uses every connection once.
	Lifetime time.Duration
	// MaxHeaderBytes bounds the head of a response, and its trailers. 0: 64 KiB,
	// as in .NET.
	MaxHeaderBytes int
	// HTTP10 has requests say HTTP/1.0. Bodies of unknown length can't be sent
	// then.
	HTTP10 bool
}

// Interim takes the responses with 1xx that come before the final one.
type Interim interface {
	// Interim is called on the goroutine of the request. The header is the
	// callee's to keep.
	Interim(status int, header http.Header)
}

// Client sends requests over connections that it keeps. It is safe for
// concurrent use; make one with New.
type Client struct {
	options Options
	pools   sync.Map  // of *pool by address
	buffers sync.Pool // of *[bufferSize]byte, for connections in use
	heads   sync.Pool // of *[]byte, in which heads of requests are put together
}

// New returns a client without connections.
func New(o Options) *Client {
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	}
	if o.MaxIdle <= 0 {
		o.MaxIdle = 512
	}
	if o.IdleTimeout <= 0 {
		o.IdleTimeout = 90 * time.Second
	}
	if o.MaxHeaderBytes <= 0 {
		o.MaxHeaderBytes = 64 << 10
	}
	c := &Client{options: o}
	c.buffers.New = func() any { return new([bufferSize]byte) }
	c.heads.New = func() any { return new(make([]byte, 0, 1<<10)) }
	return c
}

// RoundTrip is Send for nobody who listens to 1xx.
func (c *Client) RoundTrip(req *http.Request) (*http.Response, error) {
	return c.Send(req.Context(), req, nil)
}

// Send sends a request, under ctx in place of its own context, to the address of
// its URL, "host:port", and returns the
// response when its head is here. The URL's path is sent as RequestURI gives
// it. The body of the response must be read to its end or closed; one
// goroutine at a time may read it, and any may close it. That of a response with 101 is the
// connection, and can be written to.
//
// A request is sent once more, over a new connection, when a connection that
// was used before ends before the first byte of the response and its method is
// GET, HEAD, OPTIONS or TRACE without a body: the backend closed it while it
// was idle. Where that shows before a byte was sent, it is sent whatever it is.
func (c *Client) Send(ctx context.Context, req *http.Request, interim Interim) (*http.Response, error) {
	if err := check(req, c.options.HTTP10); err != nil {
		closeBody(req)
		return nil, err
	}
	p := c.pool(req.URL.Host)
	for {
		conn, reused, err := p.get(ctx)
		if err != nil {
			closeBody(req)
			return nil, err
		}
		response, err := conn.exchange(ctx, req, interim)
		switch {
		case err == nil:
			return response, nil
		case reused && errors.Is(err, errNotSent):
			continue
		case reused && errors.Is(err, errNoByte) && repeats(req):
			return c.sendAgain(ctx, p, req, interim)
		}
		closeBody(req)
		return nil, err
	}
}

// sendAgain sends a request for the second and last time.
func (c *Client) sendAgain(ctx context.Context, p *pool, req *http.Request, interim Interim) (*http.Response, error) {
	conn, err := p.fresh(ctx)
	if err != nil {
		return nil, err
	}
	return conn.exchange(ctx, req, interim)
}

// repeats reports whether a request may be sent again without asking anybody.
func repeats(req *http.Request) bool {
	if hasBody(req) {
		return false
	}
	switch req.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}

func (c *Client) pool(address string) *pool {
	if p, ok := c.pools.Load(address); ok {
		return p.(*pool)
	}
	p, _ := c.pools.LoadOrStore(address, &pool{client: c, address: address})
	return p.(*pool)
}

// CloseIdleConnections closes the connections that serve no request.
func (c *Client) CloseIdleConnections() {
	c.pools.Range(func(_, p any) bool {
		p.(*pool).clear()
		return true
	})
}

// Idle returns the number of idle connections to an address.
func (c *Client) Idle(address string) int {
	p, ok := c.pools.Load(address)
	if !ok {
		return 0
	}
	return p.(*pool).len()
}

// Errors that decide whether a request is sent again.
var (
	errNotSent = errors.New("the connection ended while it was idle")
	errNoByte  = errors.New("the connection ended before the response")
)

// ProtocolError is a response that breaks the rules of HTTP/1.1, so that where
// it ends cannot be told, or a request that cannot be put in them.
type ProtocolError struct{ Reason string }

// Error returns what is wrong.
func (e *ProtocolError) Error() string { return "wire: " + e.Reason }

func protocolError(format string, args ...any) error {
	return &ProtocolError{Reason: fmt.Sprintf(format, args...)}
}
