// Package listen takes requests from clients and keeps those at bay that would
// hold a server up: it bounds headers and bodies, gives up on clients that are
// too slow, limits connections, and stops gracefully.
//
// [Open] takes an address, [New] makes a [Server] of it for any handler.
// [Certificates] come from files and can be read anew while a server runs;
// [Redirect] sends plain requests to it. The package knows nothing of routes.
package listen

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
)

// Open listens on a TCP address, "HOST:PORT", where port 0 is any free one. An
// error says what is in the way, in one line.
func Open(addr string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, fmt.Errorf("listen on %q: expected HOST:PORT, such as 127.0.0.1:8080", addr)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %s", addr, obstacle(err))
	}
	return l, nil
}

// obstacle words what keeps a listener from an address.
func obstacle(err error) string {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "the port is in use by another program"
	case errors.Is(err, os.ErrPermission):
		return "this user may not listen there"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "the address is none of this machine's"
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err.Error()
	}
	return err.Error()
}

// Loopback reports whether only this machine reaches an address of a listener.
func Loopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
