package wire

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// body is the body of a response, to be read by one goroutine at a time. Its end
// gives the connection back. It may be closed while it is read.
type body struct {
	conn     *conn // not to be touched once the body has ended
	state    atomic.Int32
	left     int64 // bytes of the body or of the chunk; -1: until the connection ends
	chunks   bool
	begun    bool         // a chunk came: the end of its line is still to be read
	overhead int          // bytes of chunk lines, less those that the data pays for
	trailer  *http.Header // nil: no chunks
	reusable bool
	err      error // what every further read returns; written before the body ends
}

// The states of a body.
const (
	free      int32 = iota
	busy            // somebody reads or closes it
	abandoned       // it was closed while it was read: the reader ends it
	ended
)

var errTwoReaders = errors.New("wire: two goroutines read one body")

// Read reads the body.
func (b *body) Read(p []byte) (int, error) {
	if !b.state.CompareAndSwap(free, busy) {
		if b.state.Load() == ended {
			return 0, b.err
		}
		return 0, errTwoReaders
	}
	n, err := b.take(p)
	switch {
	case err == io.EOF:
		b.end(err, b.reusable)
	case err != nil:
		b.end(err, false)
	case !b.state.CompareAndSwap(busy, free):
		b.end(http.ErrBodyReadAfterClose, false)
		err = http.ErrBodyReadAfterClose
	}
	return n, err
}

// Ready reports whether a read returns without a wait for the backend. Whoever
// reads the body may ask.
func (b *body) Ready() bool {
	if !b.state.CompareAndSwap(free, busy) {
		return true // the read ends with an error
	}
	here := b.conn.buffer[b.conn.from:b.conn.to]
	ready := len(here) > 0
	if b.chunks && b.left == 0 {
		ready = chunkIsHere(here, b.begun)
	}
	if !b.state.CompareAndSwap(busy, free) {
		b.end(http.ErrBodyReadAfterClose, false)
	}
	return ready
}

// chunkIsHere reports whether a text between two chunks holds what lets a read
// return: a byte of data, or the end behind the last chunk.
func chunkIsHere(text []byte, begun bool) bool {
	if begun {
		text = text[min(len("\r\n"), len(text)):]
	}
	line, rest, whole := bytes.Cut(text, []byte("\n"))
	if size, err := chunkSize(bytes.TrimSuffix(line, []byte("\r"))); whole && err == nil && size == 0 {
		return bytes.HasPrefix(rest, []byte("\r\n")) || bytes.Contains(rest, []byte("\n\r\n"))
	}
	return len(rest) > 0
}

// take reads the body. An error is its end.
func (b *body) take(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if b.chunks && b.left == 0 {
		if err := b.nextChunk(); err != nil {
			return 0, err
		}
	}
	if b.left >= 0 && int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.conn.Read(p)
	if b.left >= 0 {
		b.left -= int64(n)
	}
	switch {
	case b.left == 0 && !b.chunks:
		return n, io.EOF
	case err == io.EOF && b.left < 0:
		return n, io.EOF
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return n, b.conn.blame(err)
	}
	return n, nil
}

// end ends the body, which the caller has, and gives the connection back if it
// is sound and nobody has closed it meanwhile.
func (b *body) end(err error, sound bool) {
	b.err = err
	if !b.state.CompareAndSwap(busy, ended) {
		sound = false
		b.state.Store(ended)
	}
	b.conn.end(sound)
}

// Close gives the body up. A rest that is here already is skipped; else the
// connection is closed.
func (b *body) Close() error {
	for {
		switch b.state.Load() {
		case free:
			if b.state.CompareAndSwap(free, busy) {
				b.end(http.ErrBodyReadAfterClose, b.skip())
				return nil
			}
		case busy:
			if b.state.CompareAndSwap(busy, abandoned) {
				b.conn.close()
				return nil
			}
		default:
			return nil
		}
	}
}

// skip passes over the rest, and reports whether it is here.
func (b *body) skip() bool {
	c := b.conn
	if here := int64(c.to - c.from); b.chunks || b.left < 0 || b.left > here {
		return false
	}
	c.from += int(b.left)
	return b.reusable
}

const (
	// maxLine bounds the line of a chunk.
	maxLine = 4 << 10
	// maxOverhead bounds what the lines of chunks take beyond their data: more is
	// an attack, not a body.
	maxOverhead = 16 << 10
)

// nextChunk reads the line in front of a chunk. It returns io.EOF behind the
// last one.
func (b *body) nextChunk() error {
	if b.begun {
		if line, err := b.line(); err != nil || len(line) != 0 {
			return malformedChunk(err)
		}
	}
	line, err := b.line()
	if err != nil {
		return malformedChunk(err)
	}
	size, err := chunkSize(line)
	if err != nil {
		return err
	}
	b.begun = true
	b.overhead = max(0, b.overhead+len(line)+4-16-int(min(2*size, maxOverhead)))
	if b.overhead > maxOverhead {
		return protocolError("too many small chunks with long lines")
	}
	if b.left = size; size > 0 {
		return nil
	}
	if err := b.readTrailer(); err != nil {
		return err
	}
	return io.EOF
}

func malformedChunk(err error) error {
	switch err {
	case nil:
		return protocolError("a chunk is longer than its size")
	case io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}

// chunkSize reads the size of a chunk. Extensions mean nothing here.
func chunkSize(line []byte) (int64, error) {
	digits, _, _ := bytes.Cut(line, []byte(";"))
	digits = bytes.TrimRight(digits, " \t")
	if len(digits) == 0 || len(digits) > 15 || digits[0] == '+' || digits[0] == '-' || bytes.IndexByte(digits, '_') >= 0 ||
		!isValue(string(line)) {
		return 0, protocolError("malformed size of a chunk")
	}
	n, err := strconv.ParseInt(string(digits), 16, 64)
	if err != nil {
		return 0, protocolError("malformed size of a chunk")
	}
	return n, nil
}

// line reads a line that ends in CR LF and returns it without.
func (b *body) line() ([]byte, error) {
	c := b.conn
	for searched := 0; ; {
		if i := bytes.IndexByte(c.buffer[c.from+searched:c.to], '\n'); i >= 0 {
			end := c.from + searched + i
			line := c.buffer[c.from:end]
			c.from = end + 1
			if len(line) == 0 || line[len(line)-1] != '\r' {
				return nil, protocolError("a line of a chunk ends in LF without CR")
			}
			return line[:len(line)-1], nil
		}
		if searched = c.to - c.from; searched > maxLine {
			return nil, protocolError("the line of a chunk is longer than %d bytes", maxLine)
		}
		if err := c.fill(); err != nil {
			return nil, c.blame(err)
		}
	}
}

// readTrailer reads what stands behind the last chunk.
func (b *body) readTrailer() error {
	limit := b.conn.pool.client.options.MaxHeaderBytes
	var text []byte
	for {
		line, err := b.line()
		if err != nil {
			return malformedChunk(err)
		}
		if len(line) == 0 {
			break
		}
		if text = append(append(text, line...), '\n'); len(text) > limit {
			return protocolError("the trailers are longer than %d bytes", limit)
		}
	}
	if len(text) == 0 {
		return nil
	}
	fields, err := parseFields(string(text))
	if err != nil {
		return err
	}
	for name, values := range fields {
		if MayTrail(name) {
			if *b.trailer == nil {
				*b.trailer = http.Header{}
			}
			(*b.trailer)[name] = values
		}
	}
	return nil
}

var noDeadline time.Time

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
