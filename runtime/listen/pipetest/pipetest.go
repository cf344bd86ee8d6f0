// Package pipetest listens without sockets: its connections wait in memory, so
// that a test under testing/synctest has them on its own clock.
package pipetest

import (
	"net"
	"sync"
)

// Listener is a listener that a test dials. New makes one; the zero value does
// not work.
type Listener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

// waiting is how many connections may be dialed before they are accepted.
const waiting = 10

// New returns a listener. A test makes it inside of its bubble.
func New() *Listener {
	return &Listener{conns: make(chan net.Conn, waiting), done: make(chan struct{})}
}

// Dial connects, although nobody may accept that yet.
func (l *Listener) Dial() net.Conn {
	client, server := net.Pipe()
	l.conns <- server
	return client
}

// Accept waits for a connection, or returns net.ErrClosed.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// Addr returns an address of the loopback, where nobody listens.
func (l *Listener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }
