package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// conn is one connection. It belongs to one exchange at a time.
type conn struct {
	pool *pool
	nc   net.Conn
	raw  syscall.RawConn // nil: nc is none of the operating system's
	born time.Time
	used time.Time // when the last exchange began

	// buffer[from:to] is what was read and not yet taken. It is nil while the
	// connection is idle.
	buffer   *[bufferSize]byte
	from, to int

	ctx      context.Context // of the exchange
	patience time.Time       // the read deadline that is set; zero: none
	watching func() bool     // ends the watch over ctx; nil: there is none
	upload   *upload         // nil: the request has no body
	broken   atomic.Bool     // the watch over ctx has struck
	closed   atomic.Bool

	step    func(fd uintptr) bool // readStep, made once
	pending step
	first   bool // the exchange is not the first of the connection
}

// bufferSize is how much is read at a time, unless the reader brings more room.
const bufferSize = 8 << 10

func newConn(p *pool, nc net.Conn) *conn {
	c := &conn{pool: p, nc: nc, born: time.Now()}
	if s, ok := nc.(syscall.Conn); ok {
		c.raw, _ = s.SyscallConn()
		c.step = c.readStep
	}
	return c
}

// close ends the connection and gives its place up. It may be called again, and
// on any goroutine.
func (c *conn) close() error {
	if c.closed.Swap(true) {
		return nil
	}
	defer c.pool.leave()
	return c.nc.Close()
}

// giveWay ends an idle connection whose place is the caller's.
func (c *conn) giveWay() {
	c.closed.Store(true)
	c.nc.Close()
}

// moment is how long an exchange may take before it is registered with its
// context. The deadline of a connection is moved once a moment and not for
// every exchange.
const moment = 50 * time.Millisecond

// begin prepares the connection for an exchange.
func (c *conn) begin(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	c.ctx = ctx
	c.buffer = c.pool.client.buffers.Get().(*[bufferSize]byte)
	c.from, c.to = 0, 0
	c.first = !c.used.IsZero()
	c.used = time.Now()
	end, bounded := ctx.Deadline()
	if left := c.patience.Sub(c.used); left < moment/4 || bounded && c.patience.After(end) {
		c.patience = c.used.Add(moment)
		if bounded && end.Before(c.patience) {
			c.patience = end
		}
		return c.nc.SetReadDeadline(c.patience)
	}
	return nil
}

// end gives the connection back after an exchange.
func (c *conn) end(reusable bool) {
	if c.watching != nil {
		if !c.watching() {
			reusable = false // the watch struck, or is about to
		}
		c.watching = nil
	}
	if c.upload != nil {
		reusable = c.upload.finished() && reusable
		c.upload = nil
	}
	reusable = reusable && c.from == c.to // more than the response is none of ours
	if c.buffer != nil {
		c.pool.client.buffers.Put(c.buffer)
		c.buffer = nil
	}
	c.ctx = nil
	if !reusable {
		c.close()
		return
	}
	c.pool.put(c)
}

// read reads into p, for as long as the context lets it.
func (c *conn) read(p []byte) (int, error) {
	for {
		n, err := c.nc.Read(p)
		if n > 0 || !isDeadline(err) {
			return n, err
		}
		if err := c.wait(); err != nil {
			return 0, err
		}
	}
}

func isDeadline(err error) bool { return err != nil && errors.Is(err, os.ErrDeadlineExceeded) }

// wait is called when the deadline of a read has passed. It returns why reading
// ends; nil: it goes on.
func (c *conn) wait() error {
	if c.upload != nil && c.upload.failed.Load() {
		return c.upload.err
	}
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	c.watch()
	c.patience = time.Time{}
	if err := c.nc.SetReadDeadline(c.patience); err != nil {
		return err
	}
	if c.broken.Load() || c.upload != nil && c.upload.failed.Load() { // it struck before the deadline was taken back
		return c.wait()
	}
	return nil
}

// watch has the connection interrupted when the context ends.
func (c *conn) watch() {
	if c.watching == nil {
		c.watching = context.AfterFunc(c.ctx, c.interrupt)
	}
}

// interrupt makes a read return at once. It is called on any goroutine.
func (c *conn) interrupt() {
	c.broken.Store(true)
	_ = c.nc.SetDeadline(time.Unix(1, 0))
}

// fill reads more into the buffer, which has room.
func (c *conn) fill() error {
	if c.from == c.to {
		c.from, c.to = 0, 0
	} else if c.to == bufferSize {
		copy(c.buffer[:], c.buffer[c.from:c.to])
		c.from, c.to = 0, c.to-c.from
	}
	n, err := c.read(c.buffer[c.to:])
	c.to += n
	if n > 0 {
		return nil
	}
	if err == nil {
		return io.ErrNoProgress
	}
	return err
}

// Read reads what the buffer has, else from the connection.
func (c *conn) Read(p []byte) (int, error) {
	if c.from < c.to {
		n := copy(p, c.buffer[c.from:c.to])
		c.from += n
		return n, nil
	}
	return c.read(p)
}

// exchange sends a request and reads the head of the response. With an error
// the connection is closed.
func (c *conn) exchange(ctx context.Context, req *http.Request, interim Interim) (*http.Response, error) {
	response, err := c.try(ctx, req, interim)
	if err != nil {
		c.end(false)
	}
	return response, err
}

func (c *conn) try(ctx context.Context, req *http.Request, interim Interim) (*http.Response, error) {
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	heads := &c.pool.client.heads
	head := heads.Get().(*[]byte)
	defer heads.Put(head)
	text, err := appendHead((*head)[:0], req, c.pool.client.options.HTTP10)
	if err != nil {
		return nil, err
	}
	*head = text
	if hasBody(req) {
		err = c.sendWithBody(text, req)
	} else {
		closeBody(req)
		err = c.send(text)
	}
	if err != nil {
		return nil, c.blame(err)
	}
	return c.receive(req, interim)
}

// sendSlowly writes a head by the means of a net.Conn alone.
func (c *conn) sendSlowly(head []byte) error {
	c.watch()
	if _, err := c.nc.Write(head); err != nil {
		return noByte(err)
	}
	return nil
}

// noByte says of the error of a connection that it came before the response.
func noByte(err error) error { return fmt.Errorf("%w: %w", errNoByte, err) }

// blame returns the error of an exchange without a byte of a response: the end
// of the context and a fault of the body come before what they did to the
// connection.
func (c *conn) blame(err error) error {
	if c.upload != nil && c.upload.failed.Load() {
		return c.upload.err
	}
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	return err
}
