package proxy

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/wire"
)

// eachTransport runs a test with every transport: they are held to one suite.
func eachTransport(t *testing.T, f func(t *testing.T, tr Transport)) {
	t.Run("wire", func(t *testing.T) {
		c := wire.New(wire.Options{})
		defer c.CloseIdleConnections()
		f(t, c)
	})
	t.Run("library", func(t *testing.T) {
		l := newTransports(&Options{Library: true}).library(transportKey{lifetime: -1})
		defer l.CloseIdleConnections()
		f(t, l)
	})
}

// scripted is a server that lets a function talk to each connection.
func scripted(t *testing.T, talk func(n int, conn *net.TCPConn, r *bufio.Reader)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for n := 0; ; n++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				conn.SetDeadline(time.Now().Add(20 * time.Second))
				talk(n, conn.(*net.TCPConn), bufio.NewReader(conn))
			}()
		}
	}()
	return l.Addr().String()
}

// says answers every request of a connection with a text, and closes it then
// if the text says so.
func says(text string) func(int, *net.TCPConn, *bufio.Reader) {
	return func(_ int, conn *net.TCPConn, r *bufio.Reader) {
		for {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			io.Copy(io.Discard, req.Body)
			io.WriteString(conn, text)
			if strings.Contains(text, "close") {
				return
			}
		}
	}
}

func request(t *testing.T, method, address string, body io.Reader) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+address+"/x", body)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// exchanged sends a request and reads the response to its end.
func exchanged(tr Transport, req *http.Request) (*http.Response, string, error) {
	resp, err := tr.Send(req.Context(), req, nil)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp, string(body), err
}
