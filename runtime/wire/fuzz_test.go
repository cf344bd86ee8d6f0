package wire

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// tape is a connection that says what it was given.
type tape struct{ bytes.Reader }

func (t *tape) Write(p []byte) (int, error)      { return len(p), nil }
func (t *tape) Close() error                     { return nil }
func (t *tape) LocalAddr() net.Addr              { return nil }
func (t *tape) RemoteAddr() net.Addr             { return nil }
func (t *tape) SetDeadline(time.Time) error      { return nil }
func (t *tape) SetReadDeadline(time.Time) error  { return nil }
func (t *tape) SetWriteDeadline(time.Time) error { return nil }

// received is a response that was read to its end.
type received struct {
	status  int
	header  http.Header
	body    string
	trailer http.Header
}

// ours reads a response by a Client.
func ours(method string, text []byte) (*received, error) {
	c := New(Options{Dial: func(context.Context, string, string) (net.Conn, error) {
		t := &tape{}
		t.Reset(text)
		return t, nil
	}})
	req, err := http.NewRequest(method, "http://host:80/", nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return &received{resp.StatusCode, resp.Header, string(body), resp.Trailer}, err
}

// theirs reads a response by net/http, behind those with 1xx.
func theirs(method string, text []byte) (*received, error) {
	r := bufio.NewReader(bytes.NewReader(text))
	for {
		resp, err := http.ReadResponse(r, &http.Request{Method: method})
		if err != nil {
			return nil, err
		}
		if resp.StatusCode >= 100 && resp.StatusCode < 200 {
			continue
		}
		body, err := io.ReadAll(resp.Body)
		return &received{resp.StatusCode, resp.Header, string(body), resp.Trailer}, err
	}
}

// FuzzResponse holds the reader of responses against net/http's: it may refuse
// more, and what it takes means the same to both. Two readers that disagree on
// where a response ends are how requests are smuggled.
func FuzzResponse(f *testing.F) {
	for _, seed := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nX: 1\r\n\r\n",
		"HTTP/1.0 404 Not Found\r\n\r\nbody",
		"HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\nContent-Length: 0\n\n",
		"HTTP/1.1 200 OK\r\nX-Fold: a\r\n b\r\nContent-Length: 1\r\n\r\nx",
		"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello",
		"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"HTTP/1.1 200 \r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 500 no\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 03\r\nContent-Length: 3\r\n\r\nabc",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: 1\r\r\n\r\n",
		"HTTP/1.1 103 Early\r\nContent-Length: 0x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n \r\n\r\n0\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3 ;a=b\r\nhel\r\n0\r\n\r\n",
		"HTTP/1.1 304 Not Modified\r\nEtag: \"x\"\r\nConnection: close\r\n\r\n",
	} {
		f.Add(false, []byte(seed))
		f.Add(true, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, head bool, text []byte) {
		method := http.MethodGet
		if head {
			method = http.MethodHead
		}
		got, err := ours(method, text)
		if err != nil {
			return
		}
		want, err := theirs(method, text)
		if err != nil {
			t.Fatalf("net/http says %v, we read %+v", err, got)
		}
		if got.status != want.status || got.body != want.body {
			t.Errorf("got %d %q, net/http reads %d %q", got.status, got.body, want.status, want.body)
		}
		if g, w := plain(got.header), plain(want.header); !maps.EqualFunc(g, w, slices.Equal[[]string]) {
			t.Errorf("got header %q, net/http reads %q", g, w)
		}
	})
}

// plain returns a header without what net/http takes out of it, and with spaces
// where lines were folded as net/http writes them.
func plain(h http.Header) http.Header {
	out := http.Header{}
	for name, values := range h {
		switch name {
		case "Transfer-Encoding", "Content-Length", "Trailer", "Connection":
			continue
		}
		for _, v := range values {
			out[name] = append(out[name], strings.Join(strings.Fields(v), " "))
		}
	}
	return out
}
