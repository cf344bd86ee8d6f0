//go:build !unix

package socket

import "net"

// Wrap returns c: connections of this system stay as they are.
func Wrap(c net.Conn) net.Conn { return c }
