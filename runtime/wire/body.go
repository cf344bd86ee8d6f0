package wire

import (
	"errors"
	"io"
	"net/http"
	"sync/atomic"
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
