package wire

import (
	"bufio"
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// moody dials servers that refuse, let wait, break off and close as they like.
func moody(r *rand.Rand) func(ctx context.Context, network, address string) (net.Conn, error) {
	var mu sync.Mutex
	roll := func(n int) int {
		mu.Lock()
		defer mu.Unlock()
		return r.IntN(n)
	}
	answers := []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok",
		"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
		"nonsense\r\n\r\n", "",
	}
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		select {
		case <-time.After(time.Duration(roll(20)) * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if roll(10) == 0 {
			return nil, io.ErrClosedPipe
		}
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			in := bufio.NewReader(server)
			for {
				if _, err := http.ReadRequest(in); err != nil {
					return
				}
				time.Sleep(time.Duration(roll(30)) * time.Millisecond)
				text := answers[roll(len(answers))]
				if _, err := io.WriteString(server, text); err != nil || text == "" {
					return
				}
			}
		}()
		return client, nil
	}
}

// TestPlacesAreGivenBackWhateverHappens: no connection is counted that is not
// there, and nobody waits for one that is.
func TestPlacesAreGivenBackWhateverHappens(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			const limit = 4
			c := New(Options{Dial: moody(rand.New(rand.NewPCG(seed, 2))), MaxConnections: limit})
			p := c.pool("host:80")
			var wg sync.WaitGroup
			for range 200 {
				patience, reads := time.Duration(1+r.IntN(400))*time.Millisecond, r.IntN(4) > 0
				time.Sleep(time.Duration(r.IntN(5)) * time.Millisecond)
				wg.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					req, _ := http.NewRequestWithContext(ctx, "GET", "http://host:80/", nil)
					resp, err := c.RoundTrip(req)
					if err != nil {
						return
					}
					defer resp.Body.Close()
					if reads {
						io.Copy(io.Discard, resp.Body)
					}
				})
				p.mu.Lock()
				if p.open > limit {
					t.Errorf("seed %d: %d connections", seed, p.open)
				}
				p.mu.Unlock()
			}
			wg.Wait()
			synctest.Wait()
			p.mu.Lock()
			if p.open != len(p.idle) || p.waiting.Len() != 0 {
				t.Errorf("seed %d: %d connections are counted, %d are idle, %d requests wait", seed, p.open, len(p.idle), p.waiting.Len())
			}
			p.mu.Unlock()
			c.CloseIdleConnections()
			time.Sleep(time.Second) // servers that still think
			if p.open != 0 {
				t.Errorf("seed %d: %d connections are counted at the end", seed, p.open)
			}
		})
	}
}

// TestAConnectionThatWentOverHoldsItsPlace until it is closed.
func TestAConnectionThatWentOverHoldsItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{MaxConnections: 1, Dial: func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			go func() {
				defer server.Close()
				r := bufio.NewReader(server)
				req, err := http.ReadRequest(r)
				if err != nil {
					return
				}
				if req.Header.Get("Upgrade") == "" {
					io.WriteString(server, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
					return
				}
				io.WriteString(server, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
				io.Copy(server, r)
			}()
			return client, nil
		}})
		req, _ := http.NewRequestWithContext(t.Context(), "GET", "http://host:80/", nil)
		req.Header = http.Header{"Connection": {"Upgrade"}, "Upgrade": {"echo"}}
		resp, err := c.RoundTrip(req)
		if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
			t.Fatalf("got %v, %v", resp, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		other, _ := http.NewRequestWithContext(ctx, "GET", "http://host:80/", nil)
		if _, err := c.RoundTrip(other); err != context.DeadlineExceeded {
			t.Errorf("beside it: got %v", err)
		}
		resp.Body.Close()
		get(t, c, "http://host:80/")
	})
}
