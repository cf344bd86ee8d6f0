package proxy

import (
	"net/http"
	"net/http/httptrace"
	"net/textproto"
)

// library sends requests by a round tripper of the standard library's kind.
type library struct{ http.RoundTripper }

// Send sends req.
func (t library) Send(req *http.Request, interim Interim) (*http.Response, error) {
	if interim != nil {
		trace := &httptrace.ClientTrace{Got1xxResponse: func(code int, header textproto.MIMEHeader) error {
			interim.Interim(code, http.Header(header))
			return nil
		}}
		req = req.WithContext(httptrace.WithClientTrace(req.Context(), trace))
	}
	return t.RoundTrip(req)
}

// CloseIdleConnections closes the connections that serve no request.
func (t library) CloseIdleConnections() {
	if c, ok := t.RoundTripper.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
