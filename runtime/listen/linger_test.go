package listen_test

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/listen"
)

// TestClientsMayFinishWhatIsRefused for a second: to close the connection while
// they send is to reset it, and their answer may be lost with it.
func TestClientsMayFinishWhatIsRefused(t *testing.T) {
	for name, send := range map[string]string{
		"head":  "GET /\x00 HTTP/1.1\r\n",
		"body":  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello",
		"chunk": "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nx",
	} {
		for kind, certificates := range map[string]*listen.Certificates{"plain": nil, "TLS": certificate(t)} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				onClock(t, listen.Options{Certificates: certificates}, echo, func(t *testing.T, _ *listen.Server, dial func() net.Conn) {
					c := dial()
					defer c.Close()
					if certificates != nil {
						c = tls.Client(c, &tls.Config{InsecureSkipVerify: true})
					}
					io.WriteString(c, send)
					resp, err := http.ReadResponse(bufio.NewReader(c), nil)
					if err != nil || resp.StatusCode != http.StatusBadRequest {
						t.Fatalf("got %v, %v", resp, err)
					}
					for range 3 {
						if _, err := io.WriteString(c, "more"); err != nil {
							t.Fatalf("the connection ended too early: %v", err)
						}
						time.Sleep(300 * time.Millisecond)
					}
					time.Sleep(time.Second)
					if _, err := io.WriteString(c, "more"); err == nil {
						t.Error("the connection did not end")
					}
				})
			})
		}
	}
}

// TestCloseWaitsForNobody, not even for those that are refused.
func TestCloseWaitsForNobody(t *testing.T) {
	onClock(t, listen.Options{}, echo, func(t *testing.T, s *listen.Server, dial func() net.Conn) {
		c := dial()
		defer c.Close()
		io.WriteString(c, "GET /\x00 HTTP/1.1\r\n")
		if _, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		s.Close()
		synctest.Wait()
		if _, err := io.WriteString(c, "more"); err == nil || time.Since(start) != 0 {
			t.Errorf("got %v after %v, want the connection to end at once", err, time.Since(start))
		}
	})
}
