package listen

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/margay-dev/margay/runtime/socket"
)

// guarded limits the connections of a listener and gives up on clients that
// take nothing. (netutil.LimitListener hides that half of a connection can be
// closed, which upgraded connections need.)
type guarded struct {
	net.Listener
	stall time.Duration
	slots chan struct{} // nil: no bound
	done  chan struct{}
	once  sync.Once
}

func guard(l net.Listener, limits Limits) *guarded {
	g := &guarded{Listener: l, stall: limits.WriteStall, done: make(chan struct{})}
	if limits.Connections > 0 {
		g.slots = make(chan struct{}, limits.Connections)
	}
	return g
}

// Accept waits until a connection may be made and somebody makes one.
func (g *guarded) Accept() (net.Conn, error) {
	if g.slots != nil {
		select {
		case g.slots <- struct{}{}:
		case <-g.done:
			return nil, net.ErrClosed
		}
	}
	c, err := g.Listener.Accept()
	if err != nil {
		g.release()
		return nil, err
	}
	c = socket.Wrap(c)
	return &conn{Conn: c, listener: g, reads: newPatience(c)}, nil
}

func (g *guarded) release() {
	if g.slots != nil {
		<-g.slots
	}
}

func (g *guarded) Close() error {
	g.once.Do(func() { close(g.done) })
	return g.Listener.Close()
}

// conn ends a write that takes too long. Its deadline is moved at most once a
// second, for it costs as much as a small write.
type conn struct {
	net.Conn
	listener *guarded
	reads    *patience
	closed   sync.Once
	// moved is when the deadline was moved last. Writes of one connection are
	// made by one goroutine at a time.
	moved time.Time
	armed atomic.Bool // it was moved once
}

const moveEvery = time.Second

func (c *conn) Write(p []byte) (int, error) {
	if now := time.Now(); now.Sub(c.moved) > moveEvery {
		c.moved = now
		c.armed.Store(true)
		if err := c.Conn.SetWriteDeadline(now.Add(c.listener.stall + moveEvery)); err != nil {
			return 0, err
		}
	}
	return c.Conn.Write(p)
}

// SetWriteDeadline bounds writes. To take a deadline away, as net/http does
// behind every answer, leaves the one in force that every write has.
func (c *conn) SetWriteDeadline(t time.Time) error {
	if t.IsZero() && c.armed.Load() {
		return nil
	}
	return c.Conn.SetWriteDeadline(t)
}

func (c *conn) Read(p []byte) (int, error) { return c.reads.read(p) }

// SetReadDeadline bounds reads.
func (c *conn) SetReadDeadline(t time.Time) error { return c.reads.setDeadline(t) }

// SetDeadline bounds reads and writes. Who calls it has taken the connection
// over from net/http.
func (c *conn) SetDeadline(t time.Time) error {
	c.reads.release()
	if err := c.SetWriteDeadline(t); err != nil {
		return err
	}
	return c.reads.setDeadline(t)
}

func (c *conn) Close() error {
	c.reads.release()
	c.closed.Do(c.listener.release)
	return c.Conn.Close()
}

// CloseWrite ends what is sent, while the client may go on.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// NetConn returns the connection of the system.
func (c *conn) NetConn() net.Conn { return c.Conn }
