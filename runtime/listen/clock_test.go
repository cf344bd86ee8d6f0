package listen_test

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/listen"
	"github.com/margay-dev/margay/runtime/listen/pipetest"
)

// onClock serves h while f runs, on a clock of its own.
func onClock(t *testing.T, o listen.Options, h http.Handler, f func(t *testing.T, s *listen.Server, dial func() net.Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := pipetest.New()
		s := listen.New(l, h, o)
		go s.Serve()
		f(t, s, l.Dial)
		s.Close()
		time.Sleep(time.Minute) // everything ends
	})
}

// TestASteadyBodyMayTakeLong, but not one that is slower than the rate.
func TestASteadyBodyMayTakeLong(t *testing.T) {
	for every, want := range map[time.Duration]string{time.Second: "HTTP/1.1 200 ", 2 * time.Second: "HTTP/1.1 400 "} {
		onClock(t, listen.Options{Limits: listen.Limits{Grace: 3 * time.Second, BodyRate: 2}}, echo, func(t *testing.T, _ *listen.Server, dial func() net.Conn) {
			c := dial()
			defer c.Close()
			go func() {
				fmt.Fprint(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 30\r\n\r\n")
				for range 15 {
					time.Sleep(every)
					fmt.Fprint(c, "ab")
				}
			}()
			line, _ := bufio.NewReader(c).ReadString('\n')
			if !strings.HasPrefix(line, want) {
				t.Errorf("two bytes every %v: got %q, want %s", every, line, want)
			}
		})
	}
}

// TestIdleConnectionsEnd although their deadlines are put off with every request.
func TestIdleConnectionsEnd(t *testing.T) {
	limits := listen.Limits{IdleTimeout: 3 * time.Second, HeaderTimeout: 3 * time.Second}
	onClock(t, listen.Options{Limits: limits}, echo, func(t *testing.T, _ *listen.Server, dial func() net.Conn) {
		c := dial()
		defer c.Close()
		r := bufio.NewReader(c)
		for range 6 { // longer than the limits together
			time.Sleep(2 * time.Second)
			fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			resp, err := http.ReadResponse(r, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
		}
		start := time.Now()
		if _, err := r.ReadByte(); err != io.EOF || time.Since(start) != limits.IdleTimeout {
			t.Errorf("got %v after %v, want the connection closed when it was idle", err, time.Since(start))
		}
	})
}

// TestConnectionsAreLimited keeps the third client waiting until one leaves.
func TestConnectionsAreLimited(t *testing.T) {
	var open atomic.Int32
	h := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { open.Add(1); time.Sleep(time.Minute) })
	onClock(t, listen.Options{Limits: listen.Limits{Connections: 2}}, h, func(t *testing.T, _ *listen.Server, dial func() net.Conn) {
		start := time.Now()
		answered := make(chan string, 3)
		for range 3 {
			go func() {
				c := dial()
				defer c.Close()
				fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
				text, _ := io.ReadAll(c)
				answered <- fmt.Sprintf("%.12s after %v", text, time.Since(start))
			}()
		}
		synctest.Wait()
		if got := open.Load(); got != 2 {
			t.Errorf("got %d requests at a time, want 2", got)
		}
		for _, after := range []time.Duration{time.Minute, time.Minute, 2 * time.Minute} {
			if got, want := <-answered, fmt.Sprintf("HTTP/1.1 200 after %v", after); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	})
}

// TestShutdownAsksClientsToLeaveFirst serves on during the delay, with
// Connection: close.
func TestShutdownAsksClientsToLeaveFirst(t *testing.T) {
	onClock(t, listen.Options{Delay: 3 * time.Second}, echo, func(t *testing.T, s *listen.Server, dial func() net.Conn) {
		before, start := dial(), time.Now()
		synctest.Wait()
		stopped := make(chan error, 1)
		go func() { stopped <- s.Shutdown(t.Context()) }()
		time.Sleep(2 * time.Second)
		for name, c := range map[string]net.Conn{"a connection from before": before, "a new one": dial()} {
			fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			got, _ := io.ReadAll(c)
			c.Close()
			if !strings.HasPrefix(string(got), "HTTP/1.1 200 ") || !strings.Contains(string(got), "Connection: close") {
				t.Errorf("%s: got %q", name, got)
			}
		}
		if err := <-stopped; err != nil || time.Since(start) < 3*time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
	})
}

// TestHeadsMayNotTakeLong on a connection that had a request before, although it
// may be idle for longer.
func TestHeadsMayNotTakeLong(t *testing.T) {
	for kind, certificates := range map[string]*listen.Certificates{"plain": nil, "TLS": certificate(t)} {
		limits := listen.Limits{HeaderTimeout: 3 * time.Second, IdleTimeout: time.Hour}
		onClock(t, listen.Options{Limits: limits, Certificates: certificates}, echo, func(t *testing.T, _ *listen.Server, dial func() net.Conn) {
			c := dial()
			if certificates != nil {
				c = tls.Client(c, &tls.Config{InsecureSkipVerify: true})
			}
			defer c.Close()
			r := bufio.NewReader(c)
			fmt.Fprint(c, "GET /1 HTTP/1.1\r\nHost: x\r\n\r\n")
			if resp, err := http.ReadResponse(r, nil); err != nil {
				t.Fatal(err)
			} else if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
			start := time.Now()
			fmt.Fprint(c, "GET /2 HTTP/1.1\r\nHo")
			rest, err := io.ReadAll(r)
			if err != nil || strings.Contains(string(rest), " 200 ") || time.Since(start) != limits.HeaderTimeout {
				t.Errorf("%s: got %q, %v after %v, want the connection to end", kind, rest, err, time.Since(start))
			}
		})
	}
}
