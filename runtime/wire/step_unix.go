//go:build unix

package wire

import (
	"syscall"

	"github.com/margay-dev/margay/runtime/socket"
)

// step is where a connection is between two calls of the poller.
type step struct {
	out   []byte // what is to be sent before the first byte is read
	sent  int
	n     int // bytes read into the buffer
	err   error
	phase phase
}

type phase uint8

const (
	idle    phase = iota // nothing may be there to read
	waiting              // for the response
	stuck                // the socket takes no more at once
)

// send writes a head and waits for the first bytes of the response, with one
// look at what the idle connection has to read in between: nothing, or it is
// not fit for use. The look costs nothing, for a read that finds nothing comes
// before every wait anyway; and as it comes first, a response that is faster
// than the wait is not missed.
func (c *conn) send(head []byte) error {
	if c.raw == nil {
		return c.sendSlowly(head)
	}
	c.pending = step{out: head}
	s := &c.pending
	err := c.raw.Read(c.step)
	for isDeadline(err) {
		if err = c.wait(); err == nil {
			err = c.raw.Read(c.step)
		}
	}
	s.out = nil
	switch {
	case err != nil:
		return err
	case s.phase == idle:
		return errNotSent
	case s.phase == stuck:
		return c.sendSlowly(head[s.sent:])
	case s.err != nil:
		return noByte(s.err)
	case s.n <= 0:
		return errNoByte
	}
	c.to = s.n
	return nil
}

// look returns errNotSent if the idle connection has anything to read.
func (c *conn) look() error {
	if c.raw == nil {
		return nil
	}
	c.pending = step{}
	_ = c.raw.Read(c.step)
	if c.pending.phase == idle {
		return errNotSent
	}
	return nil
}

// readStep is called when the connection may have something to read, and
// returns true when there is nothing to wait for.
func (c *conn) readStep(fd uintptr) bool {
	s := &c.pending
	n, err := socket.Read(fd, c.buffer[:])
	switch {
	case err == syscall.EAGAIN && s.phase == waiting:
		return false
	case err != syscall.EAGAIN:
		s.n, s.err = n, err
		return true
	}
	if s.out == nil {
		s.phase = stuck
		return true
	}
	s.sent, err = socket.Write(fd, s.out)
	if err != nil && err != syscall.EAGAIN {
		s.phase, s.err = waiting, err
		return true
	}
	if s.sent < len(s.out) {
		s.phase = stuck
		return true
	}
	s.phase = waiting
	return false
}
