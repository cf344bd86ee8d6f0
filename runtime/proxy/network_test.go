package proxy_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// network is connections in memory, which live on whatever clock the test has.
type network struct {
	mu     sync.Mutex
	accept map[string]chan net.Conn // guarded by mu: by address
	opened int                      // guarded by mu: listeners with any port
}

func newNetwork() *network { return &network{accept: map[string]chan net.Conn{}} }

// listen accepts connections to an address.
func (n *network) listen(address string) net.Listener {
	n.mu.Lock()
	defer n.mu.Unlock()
	c := make(chan net.Conn, 1000)
	n.accept[address] = c
	return &memoryListener{network: n, address: address, conns: c, done: make(chan struct{})}
}

// listenAnywhere accepts connections to a port that nobody had before.
func (n *network) listenAnywhere() net.Listener {
	n.mu.Lock()
	n.opened++
	address := fmt.Sprintf("127.0.0.1:%d", 40_000+n.opened)
	n.mu.Unlock()
	return n.listen(address)
}

// dial connects to an address, or is refused.
func (n *network) dial(_ context.Context, _, address string) (net.Conn, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	c := n.accept[address]
	if c == nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	client, server := memoryPipe()
	c <- server
	return client, nil
}

type memoryListener struct {
	network *network
	address string
	conns   chan net.Conn
	done    chan struct{}
	once    sync.Once
}

func (l *memoryListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *memoryListener) Close() error {
	l.once.Do(func() {
		l.network.mu.Lock()
		delete(l.network.accept, l.address)
		l.network.mu.Unlock()
		close(l.done)
	})
	return nil
}

func (l *memoryListener) Addr() net.Addr {
	_, port, _ := net.SplitHostPort(l.address)
	number, _ := strconv.Atoi(port)
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: number}
}

// half is one direction of a connection.
type half struct {
	mu       sync.Mutex
	data     []byte        // guarded by mu
	err      error         // guarded by mu: what follows the data
	changed  chan struct{} // guarded by mu: closed at every change
	deadline time.Time     // guarded by mu: of the reader
}

func newHalf() *half { return &half{changed: make(chan struct{})} }

// update changes the half and wakes who waits.
func (h *half) update(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f()
	close(h.changed)
	h.changed = make(chan struct{})
}

func (h *half) read(p []byte) (int, error) {
	for {
		h.mu.Lock()
		left := time.Until(h.deadline)
		switch {
		case !h.deadline.IsZero() && left <= 0:
			h.mu.Unlock()
			return 0, os.ErrDeadlineExceeded
		case len(h.data) > 0 && !errors.Is(h.err, syscall.ECONNRESET):
			n := copy(p, h.data)
			h.data = h.data[n:]
			h.mu.Unlock()
			return n, nil
		case h.err != nil:
			err := h.err
			h.mu.Unlock()
			return 0, err
		}
		changed, bounded := h.changed, !h.deadline.IsZero()
		h.mu.Unlock()
		if !bounded {
			<-changed
			continue
		}
		t := time.NewTimer(left)
		select {
		case <-changed:
		case <-t.C:
		}
		t.Stop()
	}
}

// memoryConn is one end of a connection.
type memoryConn struct{ in, out *half }

func memoryPipe() (client, server *memoryConn) {
	a, b := newHalf(), newHalf()
	return &memoryConn{in: a, out: b}, &memoryConn{in: b, out: a}
}

func (c *memoryConn) Read(p []byte) (int, error) { return c.in.read(p) }

func (c *memoryConn) Write(p []byte) (n int, err error) {
	c.out.update(func() {
		if c.out.err != nil {
			err = syscall.EPIPE
			return
		}
		c.out.data = append(c.out.data, p...)
		n = len(p)
	})
	return n, err
}

func (c *memoryConn) end(own, others error) {
	c.in.update(func() {
		if c.in.err == nil || own == net.ErrClosed {
			c.in.err, c.in.data = own, nil
		}
	})
	c.out.update(func() {
		if c.out.err == nil {
			c.out.err = others
		}
	})
}

// Close ends both directions: the other side reads what is left, and EOF.
func (c *memoryConn) Close() error { c.end(net.ErrClosed, io.EOF); return nil }

// CloseWrite ends one.
func (c *memoryConn) CloseWrite() error {
	c.out.update(func() { c.out.err = io.EOF })
	return nil
}

// Reset breaks the connection.
func (c *memoryConn) Reset() { c.end(net.ErrClosed, syscall.ECONNRESET) }

func (c *memoryConn) LocalAddr() net.Addr  { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }
func (c *memoryConn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9} }

func (c *memoryConn) SetDeadline(t time.Time) error      { return c.SetReadDeadline(t) }
func (c *memoryConn) SetWriteDeadline(t time.Time) error { return nil }
func (c *memoryConn) SetReadDeadline(t time.Time) error {
	c.in.update(func() { c.in.deadline = t })
	return nil
}
