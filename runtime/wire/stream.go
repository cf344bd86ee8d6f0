package wire

import "net"

// stream is a connection that went over to another protocol, with what was read
// of it before.
type stream struct {
	net.Conn
	conn *conn
	rest []byte
}

// Close closes the connection.
func (s *stream) Close() error { return s.conn.close() }

// Read reads.
func (s *stream) Read(p []byte) (int, error) {
	if len(s.rest) > 0 {
		n := copy(p, s.rest)
		s.rest = s.rest[n:]
		return n, nil
	}
	return s.Conn.Read(p)
}

// CloseWrite says that nothing more will be written.
func (s *stream) CloseWrite() error {
	if half, ok := s.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
