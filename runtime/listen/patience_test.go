package listen_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/listen"
)

func serving(t *testing.T, o listen.Options, h http.HandlerFunc) string {
	t.Helper()
	l, err := listen.Open("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := listen.New(l, h, o)
	go s.Serve()
	t.Cleanup(func() { s.Close() })
	return s.Addr().String()
}

// TestAClientThatLeavesIsNoticed: the read that notices it waits a moment.
func TestAClientThatLeavesIsNoticed(t *testing.T) {
	noticed := make(chan time.Duration, 1)
	address := serving(t, listen.Options{}, func(_ http.ResponseWriter, r *http.Request) {
		start := time.Now()
		select {
		case <-r.Context().Done():
		case <-time.After(patience):
		}
		noticed <- time.Since(start)
	})
	for _, before := range []time.Duration{0, 10 * time.Millisecond, 200 * time.Millisecond} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		time.Sleep(before)
		conn.Close()
		if took := <-noticed; took > patience/2 {
			t.Errorf("a client that left after %v was noticed after %v", before, took)
		}
	}
}

// TestRequestsInOneGoAreAllAnswered: the read of one byte may find the next
// request.
func TestRequestsInOneGoAreAllAnswered(t *testing.T) {
	for _, slow := range []time.Duration{0, 120 * time.Millisecond} {
		address := serving(t, listen.Options{}, func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(slow)
			io.WriteString(w, r.URL.Path)
		})
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		for i := range 5 {
			fmt.Fprintf(conn, "GET /%d HTTP/1.1\r\nHost: x\r\n\r\n", i)
		}
		r := bufio.NewReader(conn)
		for i := range 5 {
			resp, err := http.ReadResponse(r, nil)
			if err != nil {
				t.Fatal(err)
			}
			if body, _ := io.ReadAll(resp.Body); string(body) != fmt.Sprintf("/%d", i) {
				t.Errorf("got %q for request %d", body, i)
			}
		}
	}
}
