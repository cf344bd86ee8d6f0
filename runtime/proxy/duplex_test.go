package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"testing"
)

// TestBothDirectionsStreamAtOnce: a client and a backend that talk to each other
// in turns, in one request.
func TestBothDirectionsStreamAtOnce(t *testing.T) {
	for _, library := range []bool{false, true} {
		p := scriptedPlan(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
			lines := bufio.NewReader(req.Body)
			for {
				line, err := lines.ReadString('\n')
				if err != nil {
					break
				}
				answer := "you said " + line
				fmt.Fprintf(conn, "%x\r\n%s\r\n", len(answer), answer)
			}
			io.WriteString(conn, "0\r\n\r\n")
		})
		_, front := serve(t, p, Options{Library: library})
		conn := dial(t, front)
		fmt.Fprintf(conn, "POST /a/talk HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
		body := httputil.NewChunkedWriter(conn)
		var answers *bufio.Reader
		for n := range 5 {
			fmt.Fprintf(body, "word %d\n", n)
			if answers == nil {
				resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatal(err)
				}
				answers = bufio.NewReader(resp.Body)
			}
			if line, err := answers.ReadString('\n'); err != nil || line != fmt.Sprintf("you said word %d\n", n) {
				t.Fatalf("library %v: got %q, %v", library, line, err)
			}
		}
		body.Close()
		io.WriteString(conn, "\r\n")
		if rest, err := io.ReadAll(answers); err != nil || len(rest) > 0 {
			t.Errorf("library %v: got %q, %v at the end", library, rest, err)
		}
	}
}

// TestABackendThatDoesNotReadIsNotWaitedFor: its answer reaches a client that
// still sends.
func TestABackendThatDoesNotReadIsNotWaitedFor(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	p := scriptedPlan(t, func(_ int, conn *net.TCPConn, r *bufio.Reader) {
		http.ReadRequest(r)
		io.WriteString(conn, "HTTP/1.1 413 Payload Too Large\r\nContent-Length: 3\r\n\r\nbig")
		<-release
	})
	_, front := serve(t, p, Options{})
	conn := dial(t, front)
	fmt.Fprintf(conn, "POST /a/big HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n")
	go func() {
		for {
			if _, err := conn.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	}()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 413 || string(body) != "big" {
		t.Errorf("got %d %q", resp.StatusCode, body)
	}
}
