package proxy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/wire"
)

// crowd is a backend on pipes that says how many connections it has, and
// answers when it is told to.
type crowd struct {
	mu         sync.Mutex
	freed      sync.Cond      // a connection has ended
	bound      int            // of the library, which gives a place away just before it closes; 0: of nobody
	early      int            // guarded by mu: connections that are opened beside those that are to end
	open, most map[string]int // guarded by mu: by address
	dialled    int            // guarded by mu
	asked      []string       // guarded by mu: paths in the order of coming
	answer     chan string    // what is read of it is the next answer
	refuse     error          // nil: connections are taken
}

const hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

func newCrowd(bound int) *crowd {
	c := &crowd{bound: bound, open: map[string]int{}, most: map[string]int{}, answer: make(chan string)}
	c.freed.L = &c.mu
	return c
}

func (c *crowd) dial(_ context.Context, _, address string) (net.Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dialled++
	if c.refuse != nil {
		return nil, c.refuse
	}
	for c.early++; c.bound > 0 && c.open[address] >= c.bound; {
		c.freed.Wait()
	}
	c.early--
	client, server := net.Pipe()
	c.open[address]++
	c.most[address] = max(c.most[address], c.open[address])
	go c.talk(server)
	return &counted{Conn: client, ended: sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.open[address]--
		c.freed.Broadcast()
	})}, nil
}

// counted is a connection that counts until its owner closes it.
type counted struct {
	net.Conn
	ended func()
}

func (c *counted) Close() error {
	c.ended()
	return c.Conn.Close()
}

func (c *crowd) talk(conn net.Conn) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		c.mu.Lock()
		c.asked = append(c.asked, req.URL.Path)
		c.mu.Unlock()
		text, more := <-c.answer
		if !more {
			return
		}
		if _, err := io.WriteString(conn, text); err != nil {
			return
		}
	}
}

// seen waits until nothing moves, and returns what the backend was asked. No
// connection may be on its way then for which there is no place.
func (c *crowd) seen(t *testing.T) []string {
	t.Helper()
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.early > 0 {
		t.Errorf("%d connections are opened beside the most that may be", c.early)
	}
	return slices.Clone(c.asked)
}

// eachLimited runs a test, on a clock of its own, with every transport whose
// connections are bounded.
func eachLimited(t *testing.T, most int, f func(t *testing.T, tr Transport, c *crowd)) {
	for name, of := range map[string]func() (Transport, *crowd){
		"wire": func() (Transport, *crowd) {
			c := newCrowd(0)
			return wire.New(wire.Options{Dial: c.dial, MaxConnections: most}), c
		},
		"library": func() (Transport, *crowd) {
			c := newCrowd(most)
			return newTransports(&Options{Dial: c.dial}).library(transportKey{lifetime: -1, maxConnections: most}), c
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tr, c := of()
				f(t, tr, c)
				c.seen(t)
				tr.CloseIdleConnections()
			})
		})
	}
}

// ask sends a request, reads the answer, and returns a channel with the outcome.
func ask(ctx context.Context, tr Transport, url string) <-chan error {
	outcome := make(chan error, 1)
	go func() {
		req, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
		_, body, err := exchanged(tr, req)
		if err == nil && body != "hello" {
			err = fmt.Errorf("got %q", body)
		}
		outcome <- err
	}()
	synctest.Wait()
	return outcome
}

func TestTransportsBoundTheirConnections(t *testing.T) {
	eachLimited(t, 3, func(t *testing.T, tr Transport, c *crowd) {
		var outcomes []<-chan error
		for i := range 20 {
			outcomes = append(outcomes, ask(t.Context(), tr, fmt.Sprintf("http://host%d:80/", i%2)))
		}
		if n := len(c.seen(t)); n != 6 {
			t.Errorf("%d requests are on their way, want 3 to each of two hosts", n)
		}
		for range outcomes {
			c.answer <- hello
		}
		for _, o := range outcomes {
			if err := <-o; err != nil {
				t.Error(err)
			}
		}
		if c.most["host0:80"] != 3 || c.most["host1:80"] != 3 || c.dialled != 6 {
			t.Errorf("at most %v connections, and %d in all", c.most, c.dialled)
		}
	})
}

func TestTransportsServeInTheOrderOfComing(t *testing.T) {
	eachLimited(t, 1, func(t *testing.T, tr Transport, c *crowd) {
		var outcomes []<-chan error
		var want []string
		for i := range 8 {
			path := fmt.Sprint("/", i)
			want = append(want, path)
			outcomes = append(outcomes, ask(t.Context(), tr, "http://host:80"+path))
		}
		for i, o := range outcomes {
			if got := c.seen(t); !slices.Equal(got, want[:i+1]) {
				t.Fatalf("got %v after %d answers", got, i)
			}
			text := hello
			if i%2 == 1 { // the next one needs a new connection
				text = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"
			}
			c.answer <- text
			if err := <-o; err != nil {
				t.Error(err)
			}
		}
		if c.most["host:80"] != 1 {
			t.Errorf("%d connections at a time", c.most["host:80"])
		}
	})
}

// TestTransportsForgetWhoGaveUpWaiting: at the time that the context says, and
// without keeping anybody else from a connection.
func TestTransportsForgetWhoGaveUpWaiting(t *testing.T) {
	eachLimited(t, 1, func(t *testing.T, tr Transport, c *crowd) {
		first := ask(t.Context(), tr, "http://host:80/first")
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		start := time.Now()
		second := ask(ctx, tr, "http://host:80/second")
		third := ask(t.Context(), tr, "http://host:80/third")
		if err := <-second; !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 3*time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
		for _, o := range []<-chan error{first, third} {
			c.answer <- hello
			if err := <-o; err != nil {
				t.Error(err)
			}
		}
		if got := c.seen(t); !slices.Equal(got, []string{"/first", "/third"}) {
			t.Errorf("the backend was asked %v", got)
		}
	})
}

// TestTransportsHoldAPlaceUntilTheBodyEnds, and not when nobody reads it to its
// end.
func TestTransportsHoldAPlaceUntilTheBodyEnds(t *testing.T) {
	eachLimited(t, 1, func(t *testing.T, tr Transport, c *crowd) {
		req, _ := http.NewRequestWithContext(t.Context(), "GET", "http://host:80/first", nil)
		go func() { c.answer <- "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe" }()
		resp, err := tr.Send(t.Context(), req, nil)
		if err != nil {
			t.Fatal(err)
		}
		second := ask(t.Context(), tr, "http://host:80/second")
		if got := c.seen(t); len(got) != 1 {
			t.Errorf("the backend was asked %v beside an answer that has not ended", got)
		}
		resp.Body.Close()
		c.answer <- hello
		if err := <-second; err != nil || c.most["host:80"] != 1 {
			t.Errorf("got %v, with %d connections", err, c.most["host:80"])
		}
	})
}

// TestTransportsFreeThePlaceOfARefusal: who comes next is told itself.
func TestTransportsFreeThePlaceOfARefusal(t *testing.T) {
	eachLimited(t, 1, func(t *testing.T, tr Transport, c *crowd) {
		first := ask(t.Context(), tr, "http://host:80/first")
		var waiting []<-chan error
		for range 3 {
			waiting = append(waiting, ask(t.Context(), tr, "http://host:80/next"))
		}
		refused := errors.New("refused")
		c.mu.Lock()
		c.refuse = refused
		c.mu.Unlock()
		c.answer <- "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"
		if err := <-first; err != nil {
			t.Error(err)
		}
		for _, o := range waiting {
			if err := <-o; !errors.Is(err, refused) {
				t.Errorf("got %v", err)
			}
		}
		c.mu.Lock()
		c.refuse = nil
		c.mu.Unlock()
		last := ask(t.Context(), tr, "http://host:80/last")
		c.answer <- hello
		if err := <-last; err != nil {
			t.Error(err)
		}
	})
}

// TestTransportsSendAgainWithinTheirBound: a connection that ended while it was
// used is replaced, not counted.
func TestTransportsSendAgainWithinTheirBound(t *testing.T) {
	eachLimited(t, 1, func(t *testing.T, tr Transport, c *crowd) {
		first := ask(t.Context(), tr, "http://host:80/first")
		c.answer <- hello
		if err := <-first; err != nil {
			t.Fatal(err)
		}
		second := ask(t.Context(), tr, "http://host:80/second")
		third := ask(t.Context(), tr, "http://host:80/third")
		before := c.answer
		c.mu.Lock()
		c.answer = make(chan string)
		c.mu.Unlock()
		close(before) // the backend reads the second request, and closes
		synctest.Wait()
		for range 2 {
			c.answer <- hello
		}
		for _, o := range []<-chan error{second, third} {
			if err := <-o; err != nil {
				t.Error(err)
			}
		}
		if c.most["host:80"] != 1 || c.dialled > 3 {
			t.Errorf("at most %d connections, and %d in all", c.most["host:80"], c.dialled)
		}
	})
}

// TestEachRouteHasItsOwnLimit, as in Ocelot, where each has a handler of its own.
func TestEachRouteHasItsOwnLimit(t *testing.T) {
	all := newTransports(&Options{})
	route := func(id string, most int) *plan.Route {
		return &plan.Route{ID: id, Backend: plan.Backend{Scheme: "http", Handler: plan.Handler{MaxConnections: most}}}
	}
	if all.of(route("a", 0)) != all.of(route("b", 0)) {
		t.Error("routes without a limit do not share their connections")
	}
	limited := all.of(route("a", 2))
	if limited == all.of(route("b", 2)) || limited != all.of(route("a", 2)) {
		t.Error("a limit is not one route's own")
	}
	if _, own := limited.(*wire.Client); !own {
		t.Errorf("a limited route is served by %T", limited)
	}
}
