package proxy

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/wire"
)

// eachOnClock runs a test with every transport on a clock of its own. The
// transport dials a server on pipes, which lets a function talk to each
// connection; opened counts those.
func eachOnClock(t *testing.T, talk func(conn net.Conn, r *bufio.Reader), f func(t *testing.T, tr Transport, opened *atomic.Int32)) {
	for name, of := range map[string]func(o *Options) Transport{
		"wire":    func(o *Options) Transport { return wire.New(wire.Options{Dial: o.Dial}) },
		"library": func(o *Options) Transport { return newTransports(o).library(transportKey{lifetime: -1}) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var opened atomic.Int32
				tr := of(&Options{Dial: func(context.Context, string, string) (net.Conn, error) {
					opened.Add(1)
					client, server := net.Pipe()
					go func() {
						defer server.Close()
						talk(server, bufio.NewReader(server))
					}()
					return client, nil
				}})
				f(t, tr, &opened)
				tr.CloseIdleConnections()
				time.Sleep(time.Minute) // everything ends
			})
		})
	}
}

func TestTransportsReuseConnections(t *testing.T) {
	eachOnClock(t, func(conn net.Conn, r *bufio.Reader) {
		for {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			body, _ := io.ReadAll(req.Body)
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		}
	}, func(t *testing.T, tr Transport, opened *atomic.Int32) {
		for i := range 20 {
			var body io.Reader
			method := "GET"
			if i%2 == 1 {
				method, body = "POST", strings.NewReader(strings.Repeat("b", i*1000))
			}
			if _, got, err := exchanged(tr, request(t, method, "host:80", body)); err != nil || i%2 == 1 && len(got) != i*1000 {
				t.Fatalf("request %d: %d bytes, %v", i, len(got), err)
			}
		}
		if n := opened.Load(); n != 1 {
			t.Errorf("20 requests opened %d connections", n)
		}
	})
}

func TestTransportsWaitForThePermissionToSend(t *testing.T) {
	eachOnClock(t, func(conn net.Conn, r *bufio.Reader) {
		for {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			if req.Header.Get("X-Refuse") != "" {
				io.WriteString(conn, "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
				return
			}
			io.WriteString(conn, "HTTP/1.1 100 Continue\r\n\r\n")
			body, _ := io.ReadAll(req.Body)
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		}
	}, func(t *testing.T, tr Transport, _ *atomic.Int32) {
		req := request(t, "POST", "host:80", strings.NewReader("hello"))
		req.Header.Set("Expect", "100-continue")
		if _, body, err := exchanged(tr, req); err != nil || body != "hello" {
			t.Errorf("got %q, %v", body, err)
		}
		read := &tracked{Reader: strings.NewReader("hello")}
		req = request(t, "POST", "host:80", io.MultiReader(read))
		req.ContentLength = 5
		req.Header.Set("Expect", "100-continue")
		req.Header.Set("X-Refuse", "1")
		resp, _, err := exchanged(tr, req)
		if err != nil || resp.StatusCode != 403 || read.n.Load() != 0 {
			t.Errorf("refused: got %v, %v, %d reads", resp, err, read.n.Load())
		}
	})
}

type tracked struct {
	io.Reader
	n atomic.Int32
}

func (r *tracked) Read(p []byte) (int, error) {
	r.n.Add(1)
	return r.Reader.Read(p)
}
