package proxy

import (
	"fmt"
	"net/http"
	"testing"
)

// TestForwardedHeadersStay whatever a client names and sends.
func TestForwardedHeadersStay(t *testing.T) {
	got := make(chan http.Header, 1)
	server := backend(t, func(_ http.ResponseWriter, r *http.Request) { got <- r.Header })
	_, front := serve(t, backendPlan(t, server), Options{ForwardedHeaders: true})
	conn := dial(t, front)
	fmt.Fprint(conn, "GET /a/x HTTP/1.1\r\nHost: gw\r\nConnection: X-Forwarded-For, X-Forwarded-Host, X-Forwarded-Proto\r\n"+
		"X-Forwarded-For: 9.9.9.9\r\nX_Forwarded_For: 9.9.9.9\r\nForwarded: for=9.9.9.9\r\n\r\n")
	header := <-got
	for name, want := range map[string]string{"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "gw", "X-Forwarded-Proto": "http",
		"X_forwarded_for": "", "Forwarded": "", "Connection": ""} {
		if value := header.Get(name); value != want {
			t.Errorf("the backend sees %s: %q, want %q", name, value, want)
		}
	}
}

// TestWhatConnectionNames goes, but for what is everybody's; and nothing is
// copied where nothing goes.
func TestWhatConnectionNames(t *testing.T) {
	for connection, gone := range map[string]string{"": "", "close": "", "keep-alive, Upgrade": "", " x-hop ,,": "X-Hop", "Authorization": "",
		"X_Hop": "", "Content-Type,X-HOP": "X-Hop"} {
		r := &http.Request{Header: http.Header{"X-Hop": {"1"}, "Authorization": {"a"}, "Content-Type": {"b"}, "Upgrade": {"c"}}}
		if connection != "" {
			r.Header["Connection"] = []string{connection}
		}
		less := withoutNamed(r)
		if (less == r) != (gone == "") || r.Header["X-Hop"] == nil {
			t.Errorf("%q: got %v of %v", connection, less.Header, r.Header)
		}
		if n := len(r.Header) - len(less.Header); gone != "" && (n != 1 || less.Header[gone] != nil) {
			t.Errorf("%q: got %v", connection, less.Header)
		}
	}
}
