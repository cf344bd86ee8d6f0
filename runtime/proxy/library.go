package proxy

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"sync"
)

// library sends requests by a round tripper of the standard library's kind.
type library struct {
	http.RoundTripper
	// upgrades takes the requests to go over to another protocol, which only
	// HTTP/1.1 knows; nil: no other than the round tripper does.
	upgrades *http.Transport
	// http1: nothing but HTTP/1 is spoken, whatever a status line says.
	http1 bool
}

// Send sends req.
func (t library) Send(ctx context.Context, req *http.Request, interim Interim) (*http.Response, error) {
	if interim != nil {
		until := &listening{to: interim}
		defer until.end()
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{Got1xxResponse: until.got})
	}
	if ctx != req.Context() {
		req = req.WithContext(ctx)
	}
	if !hasBody(req) && saysLength(req.Method) {
		one := *req
		one.TransferEncoding = []string{"identity"} // which has the library say that there is no body
		req = &one
	}
	by := t.RoundTripper
	if t.upgrades != nil && req.Header["Upgrade"] != nil {
		by = t.upgrades
	}
	if hasBody(req) && ctx.Done() != nil {
		return t.sound(apart(by, req))
	}
	return t.sound(by.RoundTrip(req))
}

// apart sends a request with a body, and returns at the latest when its context
// is done. The library waits until the body has been read as far as it reads it,
// so that a client which sends no more would keep every timeout from firing.
func apart(by http.RoundTripper, req *http.Request) (*http.Response, error) {
	own, target := *req, *req.URL // the caller's may be used again
	own.URL, own.Header = &target, req.Header.Clone()
	done := make(chan roundTrip, 1)
	go func() {
		o := roundTrip{panicked: true}
		defer func() {
			if o.panicked {
				o.cause = recover()
			}
			done <- o
		}()
		o.response, o.err = by.RoundTrip(&own)
		o.panicked = false
	}()
	select {
	case o := <-done:
		return o.result()
	case <-req.Context().Done():
	}
	select {
	case o := <-done: // it was the reason
		return o.result()
	default:
	}
	go func() {
		if o := <-done; o.response != nil {
			o.response.Body.Close()
		}
	}()
	return nil, context.Cause(req.Context())
}

// roundTrip is what became of a request.
type roundTrip struct {
	response *http.Response
	err      error
	panicked bool
	cause    any
}

func (o roundTrip) result() (*http.Response, error) {
	if o.panicked {
		panic(o.cause)
	}
	return o.response, o.err
}

// listening tells of responses with 1xx, which the library reads on another
// goroutine, until its end: whoever has the outcome writes the answer.
type listening struct {
	mu sync.Mutex
	to Interim // guarded by mu; nil: it has ended
}

func (l *listening) got(code int, header textproto.MIMEHeader) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.to != nil {
		l.to.Interim(code, http.Header(header))
	}
	return nil
}

func (l *listening) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.to = nil
}

// CloseIdleConnections closes the connections that serve no request.
func (t library) CloseIdleConnections() {
	if c, ok := t.RoundTripper.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

func hasBody(req *http.Request) bool {
	return req.Body != nil && req.Body != http.NoBody
}

// saysLength reports whether a request by a method says so when it has no body.
func saysLength(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodDelete, http.MethodConnect:
		return false
	}
	return true
}

// sound refuses a response that no server could pass on.
func (t library) sound(response *http.Response, err error) (*http.Response, error) {
	switch {
	case err != nil:
		return nil, err
	case response.StatusCode < 100:
		err = fmt.Errorf("the backend answers with status %d", response.StatusCode)
	case t.http1 && response.ProtoMajor != 1:
		err = fmt.Errorf("the backend answers by %s, which nobody spoke to it", response.Proto)
	default:
		return response, nil
	}
	response.Body.Close()
	return nil, err
}
