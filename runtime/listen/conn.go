package listen

import (
	"net"
	"time"
)

// impatient gives up on clients that take nothing.
type impatient struct {
	net.Listener
	stall time.Duration
}

func (l impatient) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, stall: l.stall}, nil
}

// conn ends a write that takes too long. Its deadline is moved at most once a
// second, for it costs as much as a small write.
type conn struct {
	net.Conn
	stall time.Duration
	// moved is when the deadline was moved last. Writes of one connection are
	// made by one goroutine at a time.
	moved time.Time
}

const moveEvery = time.Second

func (c *conn) Write(p []byte) (int, error) {
	if now := time.Now(); now.Sub(c.moved) > moveEvery {
		c.moved = now
		if err := c.SetWriteDeadline(now.Add(c.stall + moveEvery)); err != nil {
			return 0, err
		}
	}
	return c.Conn.Write(p)
}

// NetConn returns the connection of the system.
func (c *conn) NetConn() net.Conn { return c.Conn }
