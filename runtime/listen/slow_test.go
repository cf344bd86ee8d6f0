package listen_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/listen"
)

// trickle writes a text in pieces with a pause behind each, again and again,
// until it can't.
func trickle(c net.Conn, text string, pause time.Duration) {
	for {
		if _, err := io.WriteString(c, text); err != nil {
			return
		}
		time.Sleep(pause)
	}
}

// TestSlowClientsAreGivenUp by the limits of Kestrel, to the second.
func TestSlowClientsAreGivenUp(t *testing.T) {
	const answered = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, tc := range map[string]struct {
		send    string
		trickle string // every second
		after   time.Duration
		answer  string // the last one
	}{
		"silent":         {"", "", 30 * time.Second, ""},
		"in the line":    {"GET /", "", 30 * time.Second, ""},
		"in the headers": {"GET / HTTP/1.1\r\nHost: x\r\nX: ", "x", 30 * time.Second, ""},
		"empty lines":    {"", "\r\n", 30 * time.Second, ""},
		"idle":           {answered, "", 130 * time.Second, "200"},
		"next headers":   {answered + "GET / HTTP/1.1\r\nX: ", "x", 30 * time.Second, "200"},
		"silent body":    {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc", "", 5 * time.Second, "400"},
		"slow body":      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n", "twenty bytes a second", 5 * time.Second, "400"},
		"silent chunks":  {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", "", 5 * time.Second, "400"},
	} {
		t.Run(name, func(t *testing.T) {
			onClock(t, listen.Options{}, echo, func(t *testing.T, _ *listen.Server, dial func() net.Conn) {
				var sent sync.WaitGroup
				defer sent.Wait()
				c := dial()
				defer c.Close()
				begin := time.Now()
				sent.Go(func() {
					_, _ = io.WriteString(c, tc.send)
					if tc.trickle != "" {
						trickle(c, tc.trickle, time.Second)
					}
				})
				got, err := io.ReadAll(c)
				took := time.Since(begin)
				answers := strings.Count(string(got), "HTTP/1.1 "+tc.answer+" ")
				if err != nil || (tc.answer == "") != (len(got) == 0) || tc.answer != "" && answers != 1 {
					t.Errorf("got %q, %v, want %q", got, err, tc.answer)
				}
				if took < tc.after || took > tc.after+2*time.Second {
					t.Errorf("it took %v, want %v", took, tc.after)
				}
			})
		})
	}
}

// TestAClientThatKeepsItsBody is given up although nobody asked for the body.
func TestAClientThatKeepsItsBody(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"nobody reads": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNotFound) },
		"somebody still reads": func(w http.ResponseWriter, r *http.Request) {
			_ = http.NewResponseController(w).EnableFullDuplex()
			w.Header().Set("Connection", "close")
			w.WriteHeader(http.StatusNotFound)
			go io.Copy(io.Discard, r.Body)
			time.Sleep(time.Second)
		},
	} {
		t.Run(name, func(t *testing.T) {
			onClock(t, listen.Options{}, h, func(t *testing.T, _ *listen.Server, dial func() net.Conn) {
				c := dial()
				defer c.Close()
				begin := time.Now()
				fmt.Fprint(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nfive!")
				if got, err := io.ReadAll(c); err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 404 ") {
					t.Errorf("got %q, %v", got, err)
				}
				if took := time.Since(begin); took > 7*time.Second {
					t.Errorf("the connection was held for %v", took)
				}
			})
		})
	}
}

// TestAClientThatIsRefusedMayNotGoOn: what it still sends is passed over for a
// second, not for ever.
func TestAClientThatIsRefusedMayNotGoOn(t *testing.T) {
	onClock(t, listen.Options{}, echo, func(t *testing.T, _ *listen.Server, dial func() net.Conn) {
		var sent sync.WaitGroup
		defer sent.Wait()
		c := dial()
		defer c.Close()
		begin := time.Now()
		fmt.Fprint(c, "GET / HTTP/1.1\nHost: x\n\n")
		sent.Go(func() { trickle(c, "more", time.Millisecond) })
		if got, err := io.ReadAll(c); err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 400 ") {
			t.Errorf("got %q, %v", got, err)
		}
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("the connection was held for %v", took)
		}
	})
}

// TestAHandshakeMayNotTakeLong either.
func TestAHandshakeMayNotTakeLong(t *testing.T) {
	certificates := certificate(t)
	for name, begin := range map[string]string{"silent": "", "begun": "\x16\x03\x01\x02\x00"} {
		t.Run(name, func(t *testing.T) {
			onClock(t, listen.Options{Certificates: certificates}, echo, func(t *testing.T, _ *listen.Server, dial func() net.Conn) {
				c := dial()
				defer c.Close()
				start := time.Now()
				_, _ = io.WriteString(c, begin)
				_, _ = io.ReadAll(c)
				if took := time.Since(start); took != 30*time.Second {
					t.Errorf("it took %v", took)
				}
				after := tls.Client(dial(), &tls.Config{InsecureSkipVerify: true})
				defer after.Close()
				fmt.Fprint(after, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
				if got, _ := io.ReadAll(after); !strings.HasPrefix(string(got), "HTTP/1.1 200 ") {
					t.Errorf("the next client got %q", got)
				}
			})
		})
	}
}
