//go:build unix

package socket

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
)

// Wrap returns c, if it is a TCP connection with reads and writes of this
// package's kind, and as it is otherwise. Everything else about it stays.
func Wrap(c net.Conn) net.Conn {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return c
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return c
	}
	w := &conn{TCPConn: tcp, raw: raw}
	w.reads.step, w.writes.step = w.reads.read, w.writes.write
	return w
}

// conn is a TCP connection.
type conn struct {
	*net.TCPConn
	raw           syscall.RawConn
	reads, writes direction
}

// direction is one of the two ways.
type direction struct {
	mu   sync.Mutex // held for one read, or one write
	p    []byte     // what is left of it
	n    int
	err  error
	step func(fd uintptr) bool // read or write, made once
}

// Read reads.
func (c *conn) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, err := c.reads.run(c.raw.Read, p)
	switch {
	case err != nil:
		return n, c.failed("read", err)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// Write writes all of p, or says why it could not.
func (c *conn) Write(p []byte) (int, error) {
	n, err := c.writes.run(c.raw.Write, p)
	if err != nil {
		return n, c.failed("write", err)
	}
	return n, nil
}

// NetConn returns the connection as it was.
func (c *conn) NetConn() net.Conn { return c.TCPConn }

// failed words an error as the connection itself does.
func (c *conn) failed(what string, err error) error {
	if errno, ok := err.(syscall.Errno); ok {
		return &net.OpError{Op: what, Net: "tcp", Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: os.NewSyscallError(what, errno)}
	}
	return err
}

// run does one read or write by the means that wait.
func (d *direction) run(wait func(func(fd uintptr) bool) error, p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.p, d.n, d.err = p, 0, nil
	err := wait(d.step)
	d.p = nil
	if err == nil {
		err = d.err
	}
	return d.n, err
}

// read is done when something was read, and write when all was written. They
// return false to wait.
func (d *direction) read(fd uintptr) bool {
	d.n, d.err = Read(fd, d.p)
	return d.err != syscall.EAGAIN
}

func (d *direction) write(fd uintptr) bool {
	for d.n < len(d.p) {
		n, err := Write(fd, d.p[d.n:])
		if err == syscall.EAGAIN {
			return false
		}
		d.n += n
		if d.err = err; err != nil {
			return true
		}
	}
	return true
}
