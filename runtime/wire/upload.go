package wire

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// upload sends the body of a request while the response is waited for, on a
// goroutine of its own: a backend may answer before it has read everything.
type upload struct {
	conn    *conn
	head    []byte
	body    io.ReadCloser
	length  int64 // -1: in chunks
	trailer http.Header
	gate    chan bool // says whether a body that waits for 100 is wanted; nil: it does not wait

	done   chan struct{} // closed when the goroutine has ended
	last   atomic.Bool   // the last piece is being written
	whole  atomic.Bool   // everything was written
	failed atomic.Bool   // err is set: the body is at fault
	err    error
}

// expectation is how long a body waits for 100 at most.
const expectation = time.Second

// sendWithBody starts to send a request with a body.
func (c *conn) sendWithBody(head []byte, req *http.Request) error {
	if c.first {
		if err := c.look(); err != nil {
			return err
		}
	}
	u := &upload{conn: c, head: append([]byte(nil), head...), body: req.Body, length: req.ContentLength,
		trailer: req.Trailer, done: make(chan struct{})}
	if u.length <= 0 {
		u.length = -1
	}
	if strings.EqualFold(req.Header.Get("Expect"), "100-continue") {
		u.gate = make(chan bool, 1)
	}
	c.upload = u
	go u.run()
	return nil
}

// run sends everything. Errors of the connection are left to the reader, which
// sees them too; those of the body end the exchange.
func (u *upload) run() {
	defer close(u.done)
	defer u.body.Close()
	if u.gate != nil {
		if _, err := u.conn.nc.Write(u.head); err != nil || !u.wanted() {
			return
		}
		u.head = nil
	}
	if u.length < 0 {
		u.sendChunks()
	} else {
		u.sendLength()
	}
}

// wanted waits until the body may be sent.
func (u *upload) wanted() bool {
	t := time.NewTimer(expectation)
	defer t.Stop()
	select {
	case yes := <-u.gate:
		return yes
	case <-t.C:
		return true
	}
}

// proceed tells a body that waits whether it is wanted.
func (u *upload) proceed(yes bool) {
	if u != nil && u.gate != nil {
		select {
		case u.gate <- yes:
		default:
		}
	}
}

// finished reports whether everything was sent, in which case the goroutine has
// ended. A response may be here before the goroutine knows that its last piece
// was taken.
func (u *upload) finished() bool {
	u.proceed(false)
	if u.last.Load() && !u.whole.Load() {
		t := time.NewTimer(moment)
		defer t.Stop()
		select {
		case <-u.done:
		case <-t.C:
		}
	}
	if !u.whole.Load() {
		return false
	}
	<-u.done
	return true
}

// fail ends the exchange because of the body.
func (u *upload) fail(err error) {
	u.err = err
	u.failed.Store(true)
	_ = u.conn.nc.SetReadDeadline(time.Unix(1, 0))
}

var errShort = errors.New("wire: the body of the request is shorter than its Content-Length")

func (u *upload) sendLength() {
	buffers := &u.conn.pool.client.buffers
	buffer := buffers.Get().(*[bufferSize]byte)
	defer buffers.Put(buffer)
	out := append(buffer[:0], u.head...)
	if len(u.head) > bufferSize/2 {
		if _, err := u.conn.nc.Write(u.head); err != nil {
			return
		}
		out = buffer[:0]
	}
	for left := u.length; left > 0; {
		room := buffer[len(out):]
		n, err := u.body.Read(room[:min(int64(len(room)), left)])
		left -= int64(n)
		u.last.Store(left == 0)
		if _, failed := u.conn.nc.Write(buffer[:len(out)+n]); failed != nil {
			return
		}
		out = buffer[:0]
		switch {
		case err == io.EOF && left > 0:
			u.fail(errShort)
			return
		case err != nil && left > 0:
			u.fail(err)
			return
		}
	}
	u.whole.Store(true)
}

// chunkRoom is what the size of a chunk takes in front of it.
const chunkRoom = len("ffff\r\n")

func (u *upload) sendChunks() {
	buffers := &u.conn.pool.client.buffers
	buffer := buffers.Get().(*[bufferSize]byte)
	defer buffers.Put(buffer)
	if _, err := u.conn.nc.Write(u.head); err != nil {
		return
	}
	for {
		n, err := u.body.Read(buffer[chunkRoom : bufferSize-2])
		if n > 0 {
			size := fmt.Sprintf("%04x\r\n", n)
			copy(buffer[:], size)
			copy(buffer[chunkRoom+n:], "\r\n")
			if _, failed := u.conn.nc.Write(buffer[:chunkRoom+n+2]); failed != nil {
				return
			}
		}
		switch {
		case err == io.EOF:
			u.sendTrailer()
			return
		case err != nil:
			u.fail(err)
			return
		}
	}
}

// sendTrailer ends a body of chunks. A trailer that can't be sent is left out:
// its body is complete without it.
func (u *upload) sendTrailer() {
	sound := make(http.Header, len(u.trailer))
	for name, values := range u.trailer {
		if isToken(name) && MayTrail(name) {
			for _, v := range values {
				if isValue(v) {
					sound[name] = append(sound[name], v)
				}
			}
		}
	}
	out := []byte("0\r\n")
	if fields, err := appendFields(out, sound); err == nil {
		out = fields
	}
	u.last.Store(true)
	if _, err := u.conn.nc.Write(append(out, "\r\n"...)); err == nil {
		u.whole.Store(true)
	}
}
