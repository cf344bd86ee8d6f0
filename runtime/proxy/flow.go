package proxy

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// copySize is how much of a body is passed on at a time.
const copySize = 16 << 10

// lull is how long a backend may let wait before the head, and what else was
// written of the answer, is sent on its way. Mostly the next piece is here
// sooner, and both go in one.
const lull = 5 * time.Millisecond

// present is a body that knows whether there is something to read at once.
type present interface{ Ready() bool }

// flow passes one answer on to the client, whose header is complete. What has
// come is never held back while the backend lets wait.
type flow struct {
	x       *Exchange
	status  int
	body    io.Reader
	present present // nil: the transport cannot tell
	streams bool    // nobody knows how long the body is
	begun   bool    // the head was written
	held    bool    // something was written that is not on its way yet

	overdue *time.Timer   // sends what is held; nil until something was waited for
	sent    chan struct{} // by overdue
}

// copy passes the answer on as its body comes, and reports whether that came
// whole.
func (x *Exchange) copy(response *http.Response) bool {
	f := flow{x: x, status: response.StatusCode, body: response.Body, streams: response.ContentLength < 0, held: true}
	if response.Body == http.NoBody || response.StatusCode == http.StatusResetContent {
		f.begin()
		return true
	}
	if x.FromBackend(response) {
		f.present = x.present
	}
	buffers := &x.proxy.buffers
	buffer, ok := buffers.Get().(*[copySize]byte)
	if !ok {
		buffer = new([copySize]byte)
	}
	defer buffers.Put(buffer)
	if f.streams && strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		f.send() // the first event may be long in coming
	}
	return f.run(buffer[:])
}

func (f *flow) run(buffer []byte) bool {
	for {
		n, err := f.read(buffer)
		if n > 0 {
			f.frame()
			f.begin()
			written, failed := f.x.writer.Write(buffer[:n])
			f.x.sent += int64(written)
			f.held = true
			if failed != nil {
				f.x.err = failed
				return false
			}
		}
		switch {
		case err == io.EOF:
			f.begin()
			return true
		case err != nil:
			f.x.err = err
			f.begin()
			return false
		}
	}
}

// begin writes the head, once.
func (f *flow) begin() {
	if !f.begun {
		f.begun = true
		f.x.writer.WriteHeader(f.status)
	}
}

// frame has a body whose length nobody knew framed so, even if all of it is here.
// Of one without a byte it is known, as in Kestrel (resp/107).
func (f *flow) frame() {
	if f.streams && !f.begun && f.x.Request.ProtoMajor == 1 {
		f.x.writer.Header()["Transfer-Encoding"] = []string{"chunked"}
	}
}

// send sends what is held on its way.
func (f *flow) send() {
	f.begin()
	f.x.flush()
	f.held = false
}

// read reads a piece, and has what is held sent if that takes a while. The pieces
// of a stream are sent at once: somebody may be waiting for each.
func (f *flow) read(p []byte) (int, error) {
	switch {
	case !f.held || f.present != nil && f.present.Ready():
		return f.body.Read(p)
	case f.streams && f.begun:
		f.send()
		return f.body.Read(p)
	}
	f.wait()
	n, err := f.body.Read(p)
	if !f.overdue.Stop() {
		<-f.sent // the writer has one user at a time
	}
	return n, err
}

// wait starts a wait.
func (f *flow) wait() {
	if f.overdue != nil {
		f.overdue.Reset(lull)
		return
	}
	f.sent = make(chan struct{}, 1)
	f.overdue = time.AfterFunc(lull, func() {
		f.send()
		f.sent <- struct{}{}
	})
}
