package wire

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func get(t *testing.T, c *Client, url string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
}

func server(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") }))
	t.Cleanup(s.Close)
	return s
}

func TestKeepsNoMoreIdleConnectionsThanAllowed(t *testing.T) {
	s := server(t)
	c := New(Options{MaxIdle: 2})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { get(t, c, s.URL) })
	}
	wg.Wait()
	if n := c.Idle(s.Listener.Addr().String()); n < 1 || n > 2 {
		t.Errorf("%d connections are idle", n)
	}
	c.CloseIdleConnections()
	if n := c.Idle(s.Listener.Addr().String()); n != 0 {
		t.Errorf("%d connections are idle after they were closed", n)
	}
}

func TestUsesAConnectionOnceWhereItsLifeIsNothing(t *testing.T) {
	s := server(t)
	c := New(Options{Lifetime: -1})
	get(t, c, s.URL)
	if n := c.Idle(s.Listener.Addr().String()); n != 0 {
		t.Errorf("%d connections are idle", n)
	}
}

// TestOldConnectionsGo runs on a clock of its own: connections that are idle for
// too long, or too old, are not used again.
func TestOldConnectionsGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opened := 0
		c := New(Options{IdleTimeout: time.Minute, Lifetime: 150 * time.Second, Dial: piped(&opened)})
		defer c.CloseIdleConnections()
		for _, step := range []struct {
			wait   time.Duration
			opened int
		}{{0, 1}, {50 * time.Second, 1}, {61 * time.Second, 2}, {50 * time.Second, 2}, {50 * time.Second, 2}, {50 * time.Second, 2}, {time.Second, 3}} {
			time.Sleep(step.wait)
			synctest.Wait()
			get(t, c, "http://host:80/")
			if opened != step.opened {
				t.Errorf("after another %v: %d connections were opened, want %d", step.wait, opened, step.opened)
			}
		}
	})
}

// TestAWaitingRequestEndsWithItsContext: at the time that the context says, with
// a connection that is none of the operating system's too.
func TestAWaitingRequestEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			client, server := net.Pipe()
			go io.Copy(io.Discard, server)
			return client, nil
		}})
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, "GET", "http://host:80/", nil)
		start := time.Now()
		if _, err := c.RoundTrip(req); err != ctx.Err() || time.Since(start) != 3*time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
	})
}

// piped dials servers on pipes.
func piped(opened *int) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		*opened++
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			r := bufio.NewReader(server)
			for {
				if _, err := http.ReadRequest(r); err != nil {
					return
				}
				if _, err := io.WriteString(server, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"); err != nil {
					return
				}
			}
		}()
		return client, nil
	}
}

// TestAHeadIsTheSameEveryTime: what is sent does not depend on the order of a
// map.
func TestAHeadIsTheSameEveryTime(t *testing.T) {
	req, _ := http.NewRequest("POST", "http://host:81/a?b=c", strings.NewReader("x"))
	req.Host = "front"
	req.Header = http.Header{"X-B": {"1", "2"}, "Accept": {"*/*"}, "Content-Type": {"t"}, "Content-Length": {"7"}, "Host": {"no"}}
	want := "POST /a?b=c HTTP/1.1\r\nHost: front\r\nAccept: */*\r\nContent-Type: t\r\nX-B: 1\r\nX-B: 2\r\nContent-Length: 1\r\n\r\n"
	for range 20 {
		got, err := appendHead(nil, req, false)
		if err != nil || string(got) != want {
			t.Fatalf("got %q, %v", got, err)
		}
	}
}

func BenchmarkRoundTrip(b *testing.B) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") }))
	defer s.Close()
	for name, tr := range map[string]http.RoundTripper{"wire": New(Options{}), "net/http": &http.Transport{}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				req, _ := http.NewRequest("GET", s.URL, nil)
				resp, err := tr.RoundTrip(req)
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
}

// TestABodyCanBeClosedWhileItIsRead: whoever gives a slow body up closes it from
// the outside. Neither its buffer nor its connection may be somebody else's then.
func TestABodyCanBeClosedWhileItIsRead(t *testing.T) {
	for _, head := range []string{"Content-Length: 100\r\n\r\nslow", "Transfer-Encoding: chunked\r\n\r\n4\r\nslow\r\n"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				go func() {
					defer conn.Close()
					r := bufio.NewReader(conn)
					http.ReadRequest(r)
					io.WriteString(conn, "HTTP/1.1 200 OK\r\n"+head)
					io.Copy(io.Discard, r)
				}()
			}
		}()
		c := New(Options{})
		for range 20 {
			req, _ := http.NewRequestWithContext(t.Context(), "GET", "http://"+l.Addr().String(), nil)
			resp, err := c.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error)
			go func() {
				_, err := io.Copy(io.Discard, resp.Body)
				ended <- err
			}()
			time.Sleep(time.Millisecond) // the reader waits
			if err := resp.Body.Close(); err != nil {
				t.Error(err)
			}
			select {
			case err := <-ended:
				if err == nil {
					t.Error("half a body looks whole")
				}
			case <-time.After(time.Minute):
				t.Fatal("the reader still waits")
			}
		}
		if n := c.Idle(l.Addr().String()); n != 0 {
			t.Errorf("%d connections with an unread rest are idle", n)
		}
	}
}
