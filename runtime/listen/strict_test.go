package listen_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/listen"
	"pgregory.net/rapid"
)

const hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n"

// TestRequestsWithTwoReadingsAreRefused: each is answered once, its connection
// ends, and no handler sees anything of it or of what it hides.
func TestRequestsWithTwoReadingsAreRefused(t *testing.T) {
	var got seen
	eachKind(t, &got, listen.Options{PlainHTTP2: true}, func(t *testing.T, dial dialer) {
		for head, status := range map[string]string{
			"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG": "400",
			"POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n":                       "400",
			"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n":             "400",
			"GET / HTTP/1.1\nHost: x\n\n":                                                 "400",
			"GET / HTTP/1.1\r\nHost: x\r\nX: 1\r\n 2\r\n\r\n":                             "400",
			"GET http://y/ HTTP/1.1\r\nHost: x\r\n\r\n":                                   "400",
			"GET / HTTP/1.9\r\nHost: x\r\n\r\n":                                           "505",
			"GET /200 HTTP/1.9\r\nHost: x\r\n\r\n":                                        "505",
			"PRI * HTTP/2.0\r\n\r\nSN\r\n\r\n":                                            "505",
			"GET /" + strings.Repeat("a", 9000) + " HTTP/1.1\r\n":                         "414",
			"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 40<<10) + "\r\n\r\n": "431",
			"GET / HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X: 1\r\n", 100) + "\r\n":    "431",
		} {
			for _, size := range []int{1 << 20, 1000, 1} {
				if size == 1 && len(head) > 1000 {
					continue
				}
				answer := say(t, dial, head+hidden, size)
				if !strings.HasPrefix(answer, "HTTP/1.1 "+status+" ") || strings.Count(answer, "HTTP/1.") != 1 ||
					!strings.Contains(answer, "Connection: close\r\n") {
					t.Errorf("%.60q in pieces of %d: got %q, want %s", head, size, answer, status)
				}
				if all := got.take(); len(all) > 0 {
					t.Errorf("%.60q: a handler saw %q", head, all)
				}
			}
		}
	})
}

// TestARefusalComesInItsTurn: behind the answers to the requests before it, also
// when it is there before they are handled.
func TestARefusalComesInItsTurn(t *testing.T) {
	for _, between := range []string{"", "\r\n", "\r\n\r\n"} {
		got := seen{hold: make(chan struct{})}
		eachKind(t, &got, listen.Options{}, func(t *testing.T, dial dialer) {
			go func() {
				time.Sleep(60 * time.Millisecond) // net/http looks for the next request meanwhile
				got.hold <- struct{}{}
				got.hold <- struct{}{}
			}()
			answer := say(t, dial, "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nPOST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"+between+
				"GET /3 HTTP/1.1\nHost: x\n\n"+hidden, 1<<20)
			var statuses []string
			for _, part := range strings.Split(answer, "HTTP/1.1 ")[1:] {
				statuses = append(statuses, part[:3])
			}
			if all := got.take(); strings.Join(statuses, " ") != "200 200 400" || len(all) != 2 {
				t.Errorf("between %q: got %v, the handler saw %q", between, statuses, all)
			}
		})
	}
}

// TestChunksThatAreWrongEndTheBody with an error, so that nobody takes it for
// complete, and nothing behind it is a request.
func TestChunksThatAreWrongEndTheBody(t *testing.T) {
	var got seen
	eachKind(t, &got, listen.Options{}, func(t *testing.T, dial dialer) {
		for _, chunks := range []string{
			"5\nhello\r\n0\r\n\r\n", "5;a\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n", "5\r\nhello!\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n",
			"ffffffffffffffff\r\nhello", "10000000000000005\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n0\r\nX : 1\r\n\r\n", "5\r\nhello\r\n0\r\n\n",
		} {
			for _, size := range []int{1 << 20, 1} {
				answer := say(t, dial, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"+chunks+hidden, size)
				if !strings.HasPrefix(answer, "HTTP/1.1 400 ") || strings.Count(answer, "HTTP/1.") != 1 {
					t.Errorf("%q: got %q", chunks, answer)
				}
				if all := got.take(); len(all) > 1 || len(all) == 1 && strings.Contains(all[0], "hidden") {
					t.Errorf("%q: a handler saw %q", chunks, all)
				}
			}
		}
	})
}

// TestRequestsInPieces: whatever the pieces are, a handler sees exactly the
// requests that were sent.
func TestRequestsInPieces(t *testing.T) {
	var got seen
	eachKind(t, &got, listen.Options{PlainHTTP2: true}, func(t *testing.T, dial dialer) {
		rapid.Check(t, func(rt *rapid.T) {
			var text strings.Builder
			var want []string
			for i := range rapid.IntRange(1, 6).Draw(rt, "requests") {
				body := strings.Repeat("b", rapid.SampledFrom([]int{0, 1, 20, 5000, 20000}).Draw(rt, "body"))
				padding := "X: " + strings.Repeat("x", rapid.SampledFrom([]int{0, 10, 5000, 20000}).Draw(rt, "padding")) + "\r\n"
				text.WriteString(rapid.SampledFrom([]string{"", "", "\r\n"}).Draw(rt, "before"))
				switch rapid.IntRange(0, 2).Draw(rt, "kind") {
				case 0:
					fmt.Fprintf(&text, "GET /%d HTTP/1.1\r\nHost: x\r\n%s\r\n", i, padding)
					want = append(want, fmt.Sprintf("GET /%d  []", i))
				case 1:
					fmt.Fprintf(&text, "POST /%d HTTP/1.1\r\n%sHost: x\r\nContent-Length: %d\r\n\r\n%s", i, padding, len(body), body)
					want = append(want, fmt.Sprintf("POST /%d %s []", i, body))
				case 2:
					fmt.Fprintf(&text, "PUT /%d HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n%s\r\n", i, padding)
					for at := 0; at < len(body); at += 3000 {
						chunk := body[at:min(at+3000, len(body))]
						fmt.Fprintf(&text, "%x;a=b\r\n%s\r\n", len(chunk), chunk)
					}
					text.WriteString("0\r\nX: 1\r\n\r\n")
					want = append(want, fmt.Sprintf("PUT /%d %s [chunked]", i, body))
				}
			}
			text.WriteString("GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
			want = append(want, "GET /last  []")
			size := rapid.SampledFrom([]int{17, 1000, 4096, 1 << 20}).Draw(rt, "size")
			answer := say(t, dial, text.String(), size)
			all := got.take()
			if n := strings.Count(answer, "HTTP/1.1 200 OK"); n != len(want) || strings.Join(all, "\n") != strings.Join(want, "\n") {
				rt.Fatalf("got %d answers, %.200q, want %.200q", n, all, want)
			}
		})
	})
}

// TestWhatFollowsAnUpgradeIsNoHTTP: it reaches who takes the connection over as
// it is, also what came together with the request or while it was handled.
func TestWhatFollowsAnUpgradeIsNoHTTP(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(60 * time.Millisecond) // net/http looks for the next request meanwhile
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		heard := make([]byte, len("\r\n\n\x00second"))
		if _, err := io.ReadFull(buffered, heard); err != nil {
			t.Error(err)
		}
		fmt.Fprintf(conn, "heard %q", heard)
	})
	eachKind(t, h, listen.Options{}, func(t *testing.T, dial dialer) {
		for _, size := range []int{1 << 20, 1} {
			got := say(t, dial, "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n\r\n\n\x00second", size)
			if want := fmt.Sprintf("heard %q", "\r\n\n\x00second"); got != want {
				t.Errorf("in pieces of %d: got %s, want %s", size, got, want)
			}
		}
	})
}

// TestRequestsKnowTheirTLS although net/http is not given the connection itself.
func TestRequestsKnowTheirTLS(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %v", r.Proto, r.TLS != nil && r.TLS.HandshakeComplete)
	})
	_, addr := start(t, h, listen.Options{Certificates: certificate(t)})
	for _, http2 := range []bool{false, true} {
		transport := trusting("a.example")
		transport.ForceAttemptHTTP2 = http2
		want := "HTTP/1.1 true"
		if http2 {
			want = "HTTP/2.0 true"
		}
		if got := get(t, transport, "https://"+addr); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		transport.CloseIdleConnections()
	}
	if got := raw(t, addr, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); !strings.HasPrefix(got, "HTTP/1.0 400 ") {
		t.Errorf("a plain request: got %q", got)
	}
}

// TestAHandshakeThatHangsKeepsNobodyWaiting, neither others nor a shutdown.
func TestAHandshakeThatHangsKeepsNobodyWaiting(t *testing.T) {
	s, addr := start(t, echo, listen.Options{Certificates: certificate(t)})
	var silent []net.Conn
	for range 5 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		silent = append(silent, c)
	}
	transport := trusting("a.example")
	if got := get(t, transport, "https://"+addr); got != "HTTP/2.0 0" {
		t.Errorf("got %q", got)
	}
	transport.CloseIdleConnections()
	if err := s.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	for _, c := range silent {
		_ = c.SetReadDeadline(time.Now().Add(patience))
		if _, err := c.Read(make([]byte, 1)); err == nil || isTimeout(err) {
			t.Errorf("got %v, want a closed connection", err)
		}
	}
}

func isTimeout(err error) bool {
	timeout, ok := err.(net.Error)
	return ok && timeout.Timeout()
}

// TestLimitsOfHTTP2 are the same.
func TestLimitsOfHTTP2(t *testing.T) {
	_, addr := start(t, echo, listen.Options{Certificates: certificate(t)})
	transport := trusting("a.example")
	defer transport.CloseIdleConnections()
	for name, tc := range map[string]struct {
		path          string
		fields, bytes int
		want          int
	}{
		"fits":     {"/", 90, 10, 200},
		"line":     {"/" + strings.Repeat("a", 8200), 0, 0, 414},
		"headers":  {"/", 101, 1, 431},
		"in bytes": {"/", 40, 900, 431},
	} {
		req, err := http.NewRequest("GET", "https://"+addr+tc.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range tc.fields {
			req.Header.Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", tc.bytes))
		}
		resp, err := transport.RoundTrip(req)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		resp.Body.Close()
		if resp.StatusCode != tc.want || resp.ProtoMajor != 2 {
			t.Errorf("%s: got %s %s, want %d", name, resp.Proto, resp.Status, tc.want)
		}
	}
}
