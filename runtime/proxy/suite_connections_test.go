package proxy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// mirror answers with the body of the request.
func mirror(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Write(body)
}

// TestTransportsSendAgainWhatTheBackendNeverSaw: a backend closes idle
// connections whenever it likes.
func TestTransportsSendAgainWhatTheBackendNeverSaw(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		answered, closed := make(chan struct{}), make(chan struct{}, 10)
		address := scripted(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
			http.ReadRequest(r)
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			<-answered
			conn.Close()
			closed <- struct{}{}
		})
		for i, method := range []string{"GET", "POST", "DELETE", "GET"} {
			if _, body, err := exchanged(tr, request(t, method, address, nil)); err != nil || body != "ok" {
				t.Errorf("%d: %s: got %q, %v", i, method, body, err)
			}
			answered <- struct{}{}
			<-closed
			noticed(t, tr)
		}
	})
}

// TestTransportsSendTwiceAtMost: a backend that reads a request and closes gets
// one more, and only if it is safe.
func TestTransportsSendTwiceAtMost(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		for method, most := range map[string]int32{"GET": 2, "DELETE": 1, "POST": 1} {
			var seen atomic.Int32
			address := scripted(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
				for first := true; ; first = false {
					req, err := http.ReadRequest(r)
					if err != nil {
						return
					}
					if req.Method != "HEAD" && seen.Add(1) > 0 || !first {
						return
					}
					io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
				}
			})
			exchanged(tr, request(t, "HEAD", address, nil)) // opens the connection
			if _, _, err := exchanged(tr, request(t, method, address, nil)); err == nil {
				t.Errorf("%s: no error", method)
			}
			if got := seen.Load(); got > most {
				t.Errorf("%s was sent %d times", method, got)
			}
		}
	})
}

// TestTransportsDropWhatNobodyAskedFor: an answer that comes while a connection
// is idle must not become that of the next request.
func TestTransportsDropWhatNobodyAskedFor(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		answered, poisoned := make(chan struct{}), make(chan struct{}, 10)
		address := scripted(t, func(n int, conn *net.TCPConn, r *bufio.Reader) {
			http.ReadRequest(r)
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nown%d", n)
			<-answered
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison")
			poisoned <- struct{}{}
			http.ReadRequest(r)
		})
		for i := range 3 {
			if _, body, err := exchanged(tr, request(t, "GET", address, nil)); err != nil || body == "poison" {
				t.Errorf("%d: got %q, %v", i, body, err)
			}
			answered <- struct{}{}
			<-poisoned // it is there before the next request is sent
			noticed(t, tr)
		}
	})
}

// TestTransportsGiveUpWithTheirContext at the very time that it says: before the
// head, within it and within the body.
func TestTransportsGiveUpWithTheirContext(t *testing.T) {
	for _, before := range []string{"", "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"} {
		eachOnClock(t, func(conn net.Conn, r *bufio.Reader) {
			http.ReadRequest(r)
			if before != "" { // a pipe tells of a write of nothing
				io.WriteString(conn, before)
			}
			io.Copy(io.Discard, r)
		}, func(t *testing.T, tr Transport, _ *atomic.Int32) {
			for _, method := range []string{"GET", "POST"} {
				for _, patience := range []time.Duration{10 * time.Millisecond, 90 * time.Millisecond} {
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					var body io.Reader
					if method == "POST" {
						body = strings.NewReader("hello")
					}
					start := time.Now()
					_, _, err := exchanged(tr, request(t, method, "host:80", body).WithContext(ctx))
					if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took != patience {
						t.Errorf("%s after %q: got %v after %v, want the end of the context after %v", method, before, err, took, patience)
					}
				}
			}
		})
	}
}

// TestTransportsGiveUpWhileTheBodyStalls: a client that sends no more keeps no
// timeout from firing.
func TestTransportsGiveUpWhileTheBodyStalls(t *testing.T) {
	eachOnClock(t, func(_ net.Conn, r *bufio.Reader) { io.Copy(io.Discard, r) }, func(t *testing.T, tr Transport, _ *atomic.Int32) {
		body, client := io.Pipe()
		defer client.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		req := request(t, "POST", "host:80", struct{ io.ReadCloser }{io.NopCloser(body)})
		req.ContentLength = 10
		go io.WriteString(client, "x")
		start := time.Now()
		_, err := tr.Send(ctx, req, nil)
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took != 50*time.Millisecond {
			t.Errorf("got %v after %v", err, took)
		}
	})
}
