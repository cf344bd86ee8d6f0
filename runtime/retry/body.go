package retry

import (
	"errors"
	"io"
	"net/http"
	"sync"
)

// Body is the body of a request that may be sent more than once. It keeps what
// the attempts read, up to a bound, so that the first attempt streams and a
// later one starts over. A nil *Body is that of a request without body.
//
// Attempts follow each other, but their readers may overlap: a transport that
// returned early may still be reading. What it takes from the source is kept
// for its successor.
type Body struct {
	source io.ReadCloser
	limit  int64

	reading sync.Mutex // held while the source is read

	mu     sync.Mutex
	kept   []byte // guarded by mu
	taken  int64  // guarded by mu: bytes read from the source
	lost   bool   // guarded by mu: more was taken than may be kept
	err    error  // guarded by mu: how the source ended
	open   int    // guarded by mu: readers that are not closed
	closed bool   // guarded by mu: no further attempt will come
}

// NewBody returns the body of req, which it takes over: give every attempt its
// own reader by [Body.Reader], and call [Body.Close] at the end.
func (h *HTTP) NewBody(req *http.Request) *Body {
	if req.Body == nil || req.Body == http.NoBody {
		return nil
	}
	return &Body{source: req.Body, limit: h.bufferedBody()}
}

// Reader returns the body from its start, for one attempt. It must be closed,
// as transports do.
func (b *Body) Reader() io.ReadCloser {
	if b == nil {
		return http.NoBody
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open++
	return &bodyReader{body: b}
}

// Replayable reports whether another attempt can send the same body: nothing
// was read that is not kept, and the source did not fail.
func (b *Body) Replayable() bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.lost && (b.err == nil || errors.Is(b.err, io.EOF))
}

// SourceError returns why reading the source failed: the fault of whoever sends
// the body, not of whoever receives it. Nil: it did not fail so far.
func (b *Body) SourceError() error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if errors.Is(b.err, io.EOF) {
		return nil
	}
	return b.err
}

// Waiting reports whether the source is being read right now: an attempt that
// takes too long takes so for whoever sends the body.
func (b *Body) Waiting() bool {
	if b == nil {
		return false
	}
	idle := b.reading.TryLock()
	if idle {
		b.reading.Unlock()
	}
	return !idle
}

// Close says that no further attempt will come. The source is closed with the
// last reader, at once if none is open.
func (b *Body) Close() error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	b.closed = true
	last := b.open == 0
	b.mu.Unlock()
	if last {
		return b.source.Close()
	}
	return nil
}

// bodyReader is one attempt's view of a body.
type bodyReader struct {
	body   *Body
	at     int64 // how far this attempt is
	closed bool  // guarded by body.mu
}

var errBodyClosed = errors.New("read a request body after it was closed")

func (r *bodyReader) Read(p []byte) (int, error) {
	if n, err, ok := r.readKept(p); ok {
		return n, err
	}
	b := r.body
	b.reading.Lock()
	defer b.reading.Unlock()
	if n, err, ok := r.readKept(p); ok { // another reader was faster
		return n, err
	}
	n, err := b.source.Read(p)
	b.keep(p[:n], err)
	r.at += int64(n)
	return n, err
}

// readKept reads what was read before. It reports false where the source must
// be asked.
func (r *bodyReader) readKept(p []byte) (n int, err error, ok bool) {
	b := r.body
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case r.closed:
		return 0, errBodyClosed, true
	case r.at < int64(len(b.kept)):
		n = copy(p, b.kept[r.at:])
		r.at += int64(n)
		return n, nil, true
	case r.at != b.taken: // another attempt read on, and it was not kept
		return 0, errBodyLost, true
	case b.err != nil:
		return 0, b.err, true
	}
	return 0, nil, false
}

var errBodyLost = errors.New("read a request body that is too large to be sent again")

// keep remembers what was read from the source, unless it is too much: then
// nothing more is kept, for what was is of no use.
func (b *Body) keep(p []byte, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		b.err = err
	}
	b.taken += int64(len(p))
	if b.lost || len(p) == 0 {
		return
	}
	if int64(len(b.kept)+len(p)) > b.limit {
		b.lost, b.kept = true, nil
		return
	}
	b.kept = append(b.kept, p...)
}

// Close ends the attempt's view.
func (r *bodyReader) Close() error {
	b := r.body
	b.mu.Lock()
	if r.closed {
		b.mu.Unlock()
		return nil
	}
	r.closed = true
	b.open--
	last := b.closed && b.open == 0
	b.mu.Unlock()
	if last {
		return b.source.Close()
	}
	return nil
}
