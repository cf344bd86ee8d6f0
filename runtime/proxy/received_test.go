package proxy

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
)

// TestAnAnswerThatComesEarlyLeavesTheRequestWhole: a backend may answer while it
// still reads, and must get every byte although the answer is on its way.
func TestAnAnswerThatComesEarlyLeavesTheRequestWhole(t *testing.T) {
	server := backend(t, func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		_ = control.EnableFullDuplex()
		fmt.Fprint(w, "early, ")
		_ = control.Flush()
		body, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%d bytes, %v", len(body), err)
	})
	for _, library := range []bool{false, true} {
		_, front := serve(t, backendPlan(t, server), Options{Library: library})
		conn, err := net.Dial("tcp", front.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		fmt.Fprint(conn, "POST /a/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n")
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("library %v: %v", library, err)
		}
		for range 10 {
			fmt.Fprintf(conn, "3e8\r\n%s\r\n", strings.Repeat("x", 1000))
			time.Sleep(time.Millisecond) // each chunk on its own
		}
		fmt.Fprint(conn, "0\r\n\r\n")
		if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "early, 10005 bytes, <nil>" {
			t.Errorf("library %v: the backend got %q, %v", library, body, err)
		}
	}
}

// TestARestOfARequestIsNoRequest: what a backend did not want of a body must not
// be taken for the next request, by whoever sends what on the connection.
func TestARestOfARequestIsNoRequest(t *testing.T) {
	server := backend(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			t.Error("a body was taken for a request")
		}
		w.Header().Set("Connection", "close")
		w.WriteHeader(http.StatusUnauthorized)
	})
	_, front := serve(t, backendPlan(t, server), Options{})
	hidden := "GET /a/hidden HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, head := range map[string]string{
		"early answer": "POST /a/x HTTP/1.1\r\nHost: x\r\n",
		"expectation":  "POST /none HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n",
		"own answer":   "POST /none HTTP/1.1\r\nHost: x\r\n",
	} {
		conn, err := net.Dial("tcp", front.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		fmt.Fprintf(conn, "%sContent-Length: %d\r\n\r\nxx", head, 2+len(hidden))
		if name == "own answer" {
			fmt.Fprint(conn, hidden)
		}
		r := bufio.NewReader(conn)
		if resp, err := http.ReadResponse(r, nil); err != nil || resp.StatusCode != 401 && resp.StatusCode != 404 {
			t.Fatalf("%s: got %v, %v", name, resp, err)
		}
		if name != "own answer" {
			fmt.Fprint(conn, hidden)
		} else {
			fmt.Fprint(conn, "GET /none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		}
		rest, _ := io.ReadAll(r)
		if answers := strings.Count(string(rest), "HTTP/1.1 "); (name == "own answer") != (answers == 1) {
			t.Errorf("%s: got %d more answers", name, answers)
		}
	}
}

// TestAnOpenCircuitKeepsConnections: the body of a request that was not sent on
// is passed over, and the next request of the connection is served.
func TestAnOpenCircuitKeepsConnections(t *testing.T) {
	p := backendPlan(t, backend(t, echo), func(r *plan.Route) {
		r.Breaker = &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 2, BreakDuration: 1000}
	})
	x, front := serve(t, p, Options{})
	x.Pipelines().Pipeline("/a/{all}").Breaker().Isolate()
	conn := dial(t, front)
	r := bufio.NewReader(conn)
	for n := range 20 {
		fmt.Fprint(conn, "POST /a/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
		resp, err := http.ReadResponse(r, nil)
		if err != nil || resp.StatusCode != http.StatusServiceUnavailable {
			t.Fatalf("%d: got %v, %v", n, resp, err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
	}
}

// TestHintsStayBehindAPermission: while a client waits for a 100, the server may
// write that at any time, and nobody else may write.
func TestHintsStayBehindAPermission(t *testing.T) {
	address := scripted(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		io.WriteString(conn, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n")
		body, _ := io.ReadAll(req.Body)
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	})
	_, port, _ := net.SplitHostPort(address)
	_, front := serve(t, backendPlan(t, backend(t, echo), func(r *plan.Route) { fmt.Sscan(port, &r.Backend.Hosts[0].Port) }), Options{})
	conn := dial(t, front)
	fmt.Fprint(conn, "POST /a/x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
	r := bufio.NewReader(conn)
	for _, want := range []int{100, 200} {
		resp, err := http.ReadResponse(r, nil)
		if err != nil || resp.StatusCode != want {
			t.Fatalf("got %v, %v, want %d", resp, err, want)
		}
		if want == 100 {
			fmt.Fprint(conn, "hello")
		}
	}
}

// asksFirst is a transport that reads the body before it tells of the backend's
// 100, as the library may.
type asksFirst struct{}

func (asksFirst) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if err := httptrace.ContextClientTrace(r.Context()).Got1xxResponse(http.StatusContinue, nil); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: r}, nil
}

// TestOnePermissionIsEnough: the server gives one when the body is read, and the
// backend's comes behind it.
func TestOnePermissionIsEnough(t *testing.T) {
	_, front := serve(t, backendPlan(t, backend(t, echo)), Options{Roundtrips: asksFirst{}})
	conn := dial(t, front)
	fmt.Fprint(conn, "POST /a/x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello")
	r := bufio.NewReader(conn)
	for _, want := range []int{100, 200} {
		if resp, err := http.ReadResponse(r, nil); err != nil || resp.StatusCode != want {
			t.Fatalf("got %v, %v, want %d", resp, err, want)
		}
	}
}

// TestTrailersTakeNoHeadersPlace: what a client writes behind its body must not
// be taken for what stands in front of it, which guards may have written.
func TestTrailersTakeNoHeadersPlace(t *testing.T) {
	got := make(chan http.Header, 1)
	server := backend(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		got <- r.Trailer
	})
	guards := func(*plan.Plan, *plan.Route) ([]Guard, []Unenforced, error) {
		return []Guard{GuardFunc(func(x *Exchange, next Next) (*http.Response, error) {
			x.Header().Set("X-User", "kim")
			return next(x)
		})}, nil, nil
	}
	for _, library := range []bool{false, true} {
		_, front := serve(t, backendPlan(t, server), Options{Library: library, Guards: guards})
		conn := dial(t, front)
		fmt.Fprint(conn, "POST /a/x HTTP/1.1\r\nHost: x\r\nTrailer: X-Sum, X-User, Authorization\r\nTransfer-Encoding: chunked\r\n\r\n"+
			"0\r\nX-Sum: 1\r\nX-User: admin\r\nAuthorization: Bearer x\r\nContent-Length: 5\r\n\r\n")
		if resp, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("library %v: got %v, %v", library, resp, err)
		}
		if trailer := <-got; len(trailer) != 1 || trailer.Get("X-Sum") != "1" {
			t.Errorf("library %v: the backend got the trailers %v", library, trailer)
		}
	}
}
