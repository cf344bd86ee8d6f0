package proxy

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

func TestTransportsPassTrailers(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Trailer", "X-Sum")
			io.WriteString(w, "body")
			w.Header().Set("X-Sum", r.Trailer.Get("X-Given"))
		}))
		defer s.Close()
		req := request(t, "POST", s.Listener.Addr().String(), io.MultiReader(strings.NewReader("hello")))
		req.Trailer = http.Header{"X-Given": {"42"}}
		resp, body, err := exchanged(tr, req)
		if err != nil || body != "body" || resp.Trailer.Get("X-Sum") != "42" {
			t.Errorf("got %q, %v, %v", body, resp.Trailer, err)
		}
	})
}

func TestTransportsCarryLargeBodies(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		s := httptest.NewServer(http.HandlerFunc(mirror))
		defer s.Close()
		large := bytes.Repeat([]byte("0123456789abcdef"), 200_000)
		for _, known := range []bool{true, false} {
			var body io.Reader = bytes.NewReader(large)
			if !known {
				body = io.MultiReader(body)
			}
			_, got, err := exchanged(tr, request(t, "POST", s.Listener.Addr().String(), body))
			if err != nil || got != string(large) {
				t.Errorf("known %v: got %d bytes, %v", known, len(got), err)
			}
		}
	})
}

// TestTransportsPassOnAnEarlyAnswer: a backend need not read what it refuses.
func TestTransportsPassOnAnEarlyAnswer(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		release := make(chan struct{})
		defer close(release)
		address := scripted(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
			http.ReadRequest(r)
			io.WriteString(conn, "HTTP/1.1 413 Payload Too Large\r\nContent-Length: 3\r\n\r\nbig")
			<-release
		})
		pr, pw := io.Pipe()
		defer pw.Close()
		go pw.Write(make([]byte, 1<<20))
		resp, body, err := exchanged(tr, request(t, "POST", address, pr))
		if err != nil || resp.StatusCode != 413 || body != "big" {
			t.Errorf("got %v %q, %v", resp, body, err)
		}
	})
}

// TestTransportsTellAFaultyBody: what goes wrong while the body is read is not
// the backend's fault.
func TestTransportsTellAFaultyBody(t *testing.T) {
	fault := errors.New("the client is gone")
	eachTransport(t, func(t *testing.T, tr Transport) {
		address := scripted(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) { io.Copy(io.Discard, r) })
		body := io.MultiReader(strings.NewReader("half"), failing{fault})
		if _, _, err := exchanged(tr, request(t, "POST", address, body)); !errors.Is(err, fault) {
			t.Errorf("got %v", err)
		}
	})
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestTransportsRefuseRequestsThatCannotBeSent(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		var seen atomic.Int32
		address := scripted(t, func(int, *net.TCPConn, *bufio.Reader) { seen.Add(1) })
		for name, change := range map[string]func(*http.Request){
			"method": func(r *http.Request) { r.Method = "A B" },
			"name":   func(r *http.Request) { r.Header["X A"] = []string{"1"} },
			"value":  func(r *http.Request) { r.Header["X"] = []string{"1\r\nX-Injected: 1"} },
		} {
			req := request(t, "GET", address, nil)
			change(req)
			if _, _, err := exchanged(tr, req); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	})
}
