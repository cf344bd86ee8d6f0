package proxy

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
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

func TestTransportsReadResponses(t *testing.T) {
	tests := []struct{ name, method, response, body string }{
		{"length", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"},
		{"nothing", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""},
		{"chunks", "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;ext=1\r\nlo\r\n0\r\n\r\n", "hello"},
		{"no chunk", "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n", ""},
		{"until close", "GET", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello", "hello"},
		{"HTTP/1.0", "GET", "HTTP/1.0 200 OK\r\nX: close\r\n\r\nhello", "hello"},
		{"head", "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", ""},
		{"no content", "GET", "HTTP/1.1 204 No Content\r\n\r\n", ""},
		{"not modified", "GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", ""},
		{"line feeds", "GET", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", "hello"},
		{"no reason", "GET", "HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello", "hello"},
		{"twice the same length", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", "hello"},
		{"interim", "GET", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"},
		{"chunks before length", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "hello"},
	}
	eachTransport(t, func(t *testing.T, tr Transport) {
		for _, test := range tests {
			address := scripted(t, says(test.response))
			for range 2 {
				if _, body, err := exchanged(tr, request(t, test.method, address, nil)); err != nil || body != test.body {
					t.Errorf("%s: got %q, %v, want %q", test.name, body, err, test.body)
				}
			}
		}
	})
}

func TestTransportsRefuseResponses(t *testing.T) {
	long := strings.Repeat("x", 70<<10)
	tests := map[string]string{
		"two lengths":       "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\nConnection: close\r\n\r\nhello",
		"negative length":   "HTTP/1.1 200 OK\r\nContent-Length: -5\r\nConnection: close\r\n\r\nhello",
		"length with plus":  "HTTP/1.1 200 OK\r\nContent-Length: +5\r\nConnection: close\r\n\r\nhello",
		"other coding":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
		"coding twice":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n",
		"garbage":           "close it\r\n\r\n",
		"empty line before": "\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
		"no colon":          "HTTP/1.1 200 OK\r\nnonsense\r\nConnection: close\r\n\r\n",
		"long header":       "HTTP/1.1 200 OK\r\nX: " + long + "\r\nConnection: close\r\n\r\n",
		"half a head":       "HTTP/1.1 200 OK\r\nConnection: close\r\nX",
		"unasked switch":    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: close\r\n\r\n",
		"flood of 1xx":      strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 3000) + "close",
	}
	eachTransport(t, func(t *testing.T, tr Transport) {
		for name, response := range tests {
			if resp, body, err := exchanged(tr, request(t, "GET", scripted(t, says(response)), nil)); err == nil {
				if name == "unasked switch" && resp.StatusCode == 101 {
					continue // the proxy refuses it
				}
				t.Errorf("%s: got %d %q", name, resp.StatusCode, body)
			}
		}
	})
}

func TestTransportsTellBodiesThatBreakOff(t *testing.T) {
	tests := map[string]string{
		"length":         "HTTP/1.1 200 OK\r\nX: close\r\nContent-Length: 9\r\n\r\nhello",
		"chunk":          "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhello",
		"no last chunk":  "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
		"no last line":   "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
		"chunk too long": "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
		"bad size":       "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nxyz\r\n",
		"signed size":    "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n",
		"huge size":      "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello\r\n0\r\n\r\n",
		"long extension": "HTTP/1.1 200 OK\r\nX: close\r\nTransfer-Encoding: chunked\r\n\r\n5;" + strings.Repeat("x", 9000) + "\r\nhello\r\n0\r\n\r\n",
	}
	eachTransport(t, func(t *testing.T, tr Transport) {
		for name, response := range tests {
			resp, err := tr.Send(t.Context(), request(t, "GET", scripted(t, says(response)), nil), nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if body, err := io.ReadAll(resp.Body); err == nil {
				t.Errorf("%s: got %q without an error", name, body)
			}
			resp.Body.Close()
		}
	})
}

// mirror answers with the body of the request.
func mirror(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Write(body)
}

func TestTransportsReuseConnections(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		var opened atomic.Int32
		s := httptest.NewUnstartedServer(http.HandlerFunc(mirror))
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				opened.Add(1)
			}
		}
		s.Start()
		defer s.Close()
		address := s.Listener.Addr().String()
		for i := range 20 {
			var body io.Reader
			method := "GET"
			if i%2 == 1 {
				method, body = "POST", strings.NewReader(strings.Repeat("b", i*1000))
			}
			if _, got, err := exchanged(tr, request(t, method, address, body)); err != nil || i%2 == 1 && len(got) != i*1000 {
				t.Fatalf("request %d: %d bytes, %v", i, len(got), err)
			}
		}
		if n := opened.Load(); n > 2 {
			t.Errorf("20 requests opened %d connections", n)
		}
	})
}

// TestTransportsSendAgainWhatTheBackendNeverSaw: a backend closes idle
// connections whenever it likes.
func TestTransportsSendAgainWhatTheBackendNeverSaw(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		address := scripted(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
			http.ReadRequest(r)
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			time.Sleep(10 * time.Millisecond)
		})
		for i, method := range []string{"GET", "POST", "DELETE", "GET"} {
			if _, body, err := exchanged(tr, request(t, method, address, nil)); err != nil || body != "ok" {
				t.Errorf("%d: %s: got %q, %v", i, method, body, err)
			}
			time.Sleep(50 * time.Millisecond) // the close has come
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
		poisoned := make(chan struct{}, 10)
		address := scripted(t, func(n int, conn *net.TCPConn, r *bufio.Reader) {
			http.ReadRequest(r)
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nown%d", n)
			time.Sleep(10 * time.Millisecond)
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison")
			poisoned <- struct{}{}
			http.ReadRequest(r)
		})
		for i := range 3 {
			if _, body, err := exchanged(tr, request(t, "GET", address, nil)); err != nil || body == "poison" {
				t.Errorf("%d: got %q, %v", i, body, err)
			}
			<-poisoned // it is there before the next request is sent
			time.Sleep(10 * time.Millisecond)
		}
	})
}

func TestTransportsGiveUpWithTheirContext(t *testing.T) {
	hang := func(before string) func(int, *net.TCPConn, *bufio.Reader) {
		return func(_ int, conn *net.TCPConn, r *bufio.Reader) {
			req, _ := http.ReadRequest(r)
			_ = req
			io.WriteString(conn, before)
			io.Copy(io.Discard, r)
		}
	}
	eachTransport(t, func(t *testing.T, tr Transport) {
		for _, before := range []string{"", "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"} {
			for _, method := range []string{"GET", "POST"} {
				address := scripted(t, hang(before))
				for _, patience := range []time.Duration{10 * time.Millisecond, 90 * time.Millisecond} {
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					var body io.Reader
					if method == "POST" {
						body = strings.NewReader("hello")
					}
					req := request(t, method, address, body).WithContext(ctx)
					start := time.Now()
					_, _, err := exchanged(tr, req)
					if !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("%s after %q: got %v", method, before, err)
					}
					if took := time.Since(start); took > patience+2*time.Second {
						t.Errorf("%s after %q took %v", method, before, took)
					}
					cancel()
				}
			}
		}
	})
}

func TestTransportsWaitForThePermissionToSend(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		address := scripted(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
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
		})
		req := request(t, "POST", address, strings.NewReader("hello"))
		req.Header.Set("Expect", "100-continue")
		if _, body, err := exchanged(tr, req); err != nil || body != "hello" {
			t.Errorf("got %q, %v", body, err)
		}
		read := &tracked{Reader: strings.NewReader("hello")}
		req = request(t, "POST", address, io.MultiReader(read))
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

func TestTransportsSwitchProtocols(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		address := scripted(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
			http.ReadRequest(r)
			io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nfirst\n")
			line, _ := r.ReadString('\n')
			time.Sleep(100 * time.Millisecond) // longer than a moment
			io.WriteString(conn, line)
		})
		req := request(t, "GET", address, nil)
		req.Header.Set("Connection", "Upgrade")
		req.Header.Set("Upgrade", "echo")
		resp, err := tr.Send(req.Context(), req, nil)
		if err != nil {
			t.Fatal(err)
		}
		stream := resp.Body.(io.ReadWriteCloser)
		defer stream.Close()
		r := bufio.NewReader(stream)
		if line, err := r.ReadString('\n'); line != "first\n" {
			t.Errorf("got %q, %v", line, err)
		}
		io.WriteString(stream, "second\n")
		if line, err := r.ReadString('\n'); line != "second\n" {
			t.Errorf("got %q, %v", line, err)
		}
	})
}

// heard collects the responses with 1xx.
type heard []int

func (h *heard) Interim(status int, _ http.Header) { *h = append(*h, status) }

func TestTransportsTellOfInterimResponses(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		address := scripted(t, says("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
		var got heard
		resp, err := tr.Send(t.Context(), request(t, "GET", address, nil), &got)
		if err != nil || resp.StatusCode != 200 || fmt.Sprint(got) != "[102 103]" {
			t.Errorf("got %v, %v", got, err)
		}
	})
}

// TestTransportsTellNobodyBehindTheirBack: once Send has returned, the answer to
// the client is written, and nothing else may be.
func TestTransportsTellNobodyBehindTheirBack(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		address := scripted(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
			http.ReadRequest(r)
			for {
				if _, err := io.WriteString(conn, "HTTP/1.1 102 Processing\r\n\r\n"); err != nil {
					return
				}
				time.Sleep(20 * time.Microsecond)
			}
		})
		for range 50 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			var late lateInterim
			if _, err := tr.Send(ctx, request(t, "GET", address, nil), &late); err == nil {
				t.Error("no error")
			}
			late.returned.Store(true)
			cancel()
			time.Sleep(time.Millisecond)
			if late.told.Load() {
				t.Fatal("an interim response was told of behind Send")
			}
		}
	})
}

// lateInterim notes whether it is called too late.
type lateInterim struct{ returned, told atomic.Bool }

func (l *lateInterim) Interim(int, http.Header) {
	time.Sleep(50 * time.Microsecond)
	if l.returned.Load() {
		l.told.Store(true)
	}
}
