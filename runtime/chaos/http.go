package chaos

import (
	"context"
	"net/http"
	"strconv"
)

// Status returns a generator of responses with a status code and nothing else,
// for an [Outcome].
func Status(code int) func(context.Context) (*http.Response, error, bool) {
	return func(context.Context) (*http.Response, error, bool) {
		return &http.Response{
			Status: strconv.Itoa(code) + " " + http.StatusText(code), StatusCode: code,
			Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{}, Body: http.NoBody,
		}, nil, true
	}
}

// NewTransport returns a round tripper that sends requests through base, unless
// c answers in its place. A nil base is http.DefaultTransport.
func NewTransport(base http.RoundTripper, c Chaos[*http.Response]) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	return &transport{base: base, chaos: c}
}

type transport struct {
	base  http.RoundTripper
	chaos Chaos[*http.Response]
}

// RoundTrip sends req, or answers it by chaos.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	sent := false
	resp, err := Do(req.Context(), &t.chaos, func(context.Context) (*http.Response, error) {
		sent = true
		return t.base.RoundTrip(req)
	})
	if sent {
		return resp, err
	}
	if req.Body != nil {
		req.Body.Close() // as every round tripper must
	}
	if resp != nil {
		resp.Request = req
	}
	return resp, err
}
