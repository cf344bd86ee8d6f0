package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
)

// scriptedPlan is a plan whose one route leads to a scripted backend.
func scriptedPlan(t *testing.T, talk func(n int, conn *net.TCPConn, r *bufio.Reader), change ...func(*plan.Route)) *plan.Plan {
	t.Helper()
	host, port, _ := net.SplitHostPort(scripted(t, talk))
	return backendPlan(t, backend(t, echo), append([]func(*plan.Route){func(r *plan.Route) {
		r.Backend.Hosts = []plan.Host{{Name: host}}
		fmt.Sscan(port, &r.Backend.Hosts[0].Port)
	}}, change...)...)
}

// eachGateway runs a test with gateways that send by each transport.
func eachGateway(t *testing.T, p func(t *testing.T) *plan.Plan, f func(t *testing.T, front *httptest.Server)) {
	for name, o := range map[string]Options{"wire": {}, "library": {Library: true}} {
		t.Run(name, func(t *testing.T) {
			_, front := serve(t, p(t), o)
			f(t, front)
		})
	}
}

// TestWhatHasComeDoesNotWait: a client gets the head at once, and each piece of
// a body, although the backend lets wait for the next.
func TestWhatHasComeDoesNotWait(t *testing.T) {
	for name, pieces := range map[string][]string{
		"chunks":            {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "3\r\nhel\r\n", "2\r\nlo\r\n", "0\r\n\r\n"},
		"a chunk in pieces": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r\nhel", "lo\r\n", "0\r\n\r\n"},
		"half a line":       {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "3\r\nhel\r\n2", "\r\nlo\r\n", "0\r\n\r\n"},
		"length":            {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "hel", "lo", ""},
		"until close":       {"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", "hel", "lo", ""},
	} {
		t.Run(name, func(t *testing.T) {
			arrived := make(chan bool)
			p := func(t *testing.T) *plan.Plan {
				return scriptedPlan(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
					http.ReadRequest(r)
					for i, piece := range pieces {
						if i > 0 && !<-arrived {
							return
						}
						io.WriteString(conn, piece)
					}
				})
			}
			eachGateway(t, p, func(t *testing.T, front *httptest.Server) {
				if name == "a chunk in pieces" && strings.HasSuffix(t.Name(), "library") {
					t.Skip("the library returns no part of a chunk before it waits for the rest")
				}
				defer func() {
					select {
					case arrived <- false: // a backend that still waits
					case <-time.After(100 * time.Millisecond):
					}
				}()
				conn := dial(t, front)
				conn.SetDeadline(time.Now().Add(time.Minute))
				fmt.Fprintf(conn, "GET /a/x HTTP/1.1\r\nHost: x\r\n\r\n")
				resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatalf("the head waits: %v", err)
				}
				arrived <- true
				for _, want := range []string{"hel", "lo"} {
					got := make([]byte, len(want))
					if _, err := io.ReadFull(resp.Body, got); err != nil || string(got) != want {
						t.Fatalf("got %q, %v, want %q", got, err, want)
					}
					arrived <- true
				}
				if rest, err := io.ReadAll(resp.Body); err != nil || len(rest) > 0 {
					t.Errorf("got %q, %v at the end", rest, err)
				}
			})
		})
	}
}

// TestASmallBodyOfChunksStaysOne: that it came whole does not change how it is
// framed.
func TestASmallBodyOfChunksStaysOne(t *testing.T) {
	p := func(t *testing.T) *plan.Plan {
		return scriptedPlan(t, says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"))
	}
	eachGateway(t, p, func(t *testing.T, front *httptest.Server) {
		conn := dial(t, front)
		fmt.Fprintf(conn, "GET /a/x HTTP/1.1\r\nHost: x\r\n\r\n")
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || resp.ContentLength != -1 || len(resp.TransferEncoding) != 1 {
			t.Fatalf("got %v, %v", resp, err)
		}
		if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "hello" {
			t.Errorf("got %q, %v", body, err)
		}
		fmt.Fprintf(conn, "GET /a/x HTTP/1.0\r\nHost: x\r\n\r\n")
		resp, err = http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || len(resp.TransferEncoding) != 0 {
			t.Fatalf("HTTP/1.0: got %v, %v", resp, err)
		}
		if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "hello" {
			t.Errorf("HTTP/1.0: got %q, %v", body, err)
		}
	})
}
