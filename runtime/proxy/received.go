package proxy

import (
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/margay-dev/margay/runtime/wire"
)

// clientBody is the body of a client's request. A transport may still read it,
// on another goroutine, when the answer is on its way.
type clientBody struct {
	io.ReadCloser
	n     atomic.Int64
	ended atomic.Bool
	mu    sync.Mutex  // held while the client is given the permission to send
	begun atomic.Bool // set with mu held: the server has given it by now, or will
	// trailer is what stands behind the body, once it is read; it may hold none of
	// header, which goes to the backend in front of it.
	trailer, header http.Header
}

// Read reads the body.
func (b *clientBody) Read(p []byte) (int, error) {
	if !b.begun.Load() {
		b.mu.Lock()
		b.begun.Store(true)
		b.mu.Unlock()
	}
	n, err := b.ReadCloser.Read(p)
	b.n.Add(int64(n))
	if err == io.EOF {
		b.purge()
		b.ended.Store(true)
	}
	return n, err
}

// permit has the client told to send its body, unless the body is read already:
// the server tells it by itself then.
func (b *clientBody) permit(tell func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.begun.Load() {
		tell()
	}
}

// purge takes trailers away that a backend must not see: a client could write
// behind the body what guards have written in front of it.
func (b *clientBody) purge() {
	for name := range b.trailer {
		if _, taken := b.header[name]; taken || !wire.MayTrail(name) {
			delete(b.trailer, name)
		}
	}
}

// Close leaves the body to its connection: to close it is to wait for what the
// client has not sent yet, which may come behind the answer.
func (b *clientBody) Close() error { return nil }

// unread reports whether a part of the request may be left on a connection that
// has one request at a time.
func (x *Exchange) unread() bool {
	return x.received != nil && x.Request.ProtoMajor == 1 && !x.received.ended.Load()
}

// share has the server leave the body alone while it writes the answer: it would
// read what is left of it, and a backend that answers early never get that.
func (x *Exchange) share() {
	if !x.duplex && x.writer != nil && x.unread() {
		x.duplex = http.NewResponseController(x.writer).EnableFullDuplex() == nil
	}
}

// leave says in the header of an answer that the connection ends with it, where
// nobody can tell what comes next on it: the rest of a body that the backend did
// not want to the end, or a request, as the client was told to wait for a 100.
func (x *Exchange) leave(header http.Header) {
	if (x.duplex || x.waits()) && x.unread() {
		header["Connection"] = []string{"close"}
	}
}

// pass passes over a body that no transport has begun to read, as the server does
// where it is not shared. It is for answers of our own: a backend that answers
// may read on.
func (x *Exchange) pass() {
	if x.duplex && x.unread() && !x.waits() && !x.received.begun.Load() && x.Request.Body.Close() == nil {
		x.received.ended.Store(true)
	}
}

// waits reports whether the client waits for a 100 before it sends its body.
func (x *Exchange) waits() bool { return x.Request.Header["Expect"] != nil }
