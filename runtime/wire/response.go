package wire

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// maxInterim is the number of responses with 1xx before one is final.
const maxInterim = 16

// receive reads responses until one is final.
func (c *conn) receive(req *http.Request, interim Interim) (*http.Response, error) {
	for n := 0; ; n++ {
		head, err := c.readHead(n == 0)
		if err != nil {
			return nil, err
		}
		r := &reply{}
		if err := r.parse(head); err != nil {
			return nil, err
		}
		switch {
		case r.StatusCode == http.StatusSwitchingProtocols:
			if req.Header["Upgrade"] == nil {
				return nil, protocolError("the backend switches to a protocol that was not asked for")
			}
			return c.switched(r, req), nil
		case r.StatusCode >= 200:
			return c.final(r, req)
		case n == maxInterim:
			return nil, protocolError("more than %d responses with 1xx", maxInterim)
		}
		if _, _, err := framing(r, method(req)); err != nil { // it has no body, but may not lie about one
			return nil, err
		}
		if r.StatusCode == http.StatusContinue {
			c.upload.proceed(true)
		}
		if interim != nil {
			interim.Interim(r.StatusCode, r.Header)
		}
	}
}

// readHead returns the head of a response without the empty line behind it,
// which is valid until the next read.
func (c *conn) readHead(first bool) ([]byte, error) {
	searched := 0
	for {
		if end, next := headEnd(c.buffer[c.from:c.to], searched); end >= 0 {
			head := c.buffer[c.from : c.from+end]
			c.from += next
			return head, nil
		}
		if c.to-c.from >= bufferSize {
			return c.readLongHead()
		}
		searched = c.to - c.from
		if err := c.fill(); err != nil {
			return nil, c.headError(err, first && searched == 0)
		}
	}
}

// headError is what an error of reading a head means.
func (c *conn) headError(err error, nothing bool) error {
	switch {
	case c.ctx.Err() != nil, c.upload != nil && c.upload.failed.Load():
		return c.blame(err)
	case nothing && err == io.EOF:
		return errNoByte
	case nothing:
		return noByte(err)
	case err == io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}

// readLongHead reads a head that is larger than the buffer.
func (c *conn) readLongHead() ([]byte, error) {
	limit := c.pool.client.options.MaxHeaderBytes
	long := append([]byte(nil), c.buffer[c.from:c.to]...)
	c.from = c.to
	for {
		if len(long) > limit {
			return nil, protocolError("the head of the response is longer than %d bytes", limit)
		}
		searched := len(long)
		if err := c.fill(); err != nil {
			return nil, c.headError(err, false)
		}
		long = append(long, c.buffer[c.from:c.to]...)
		c.from = c.to
		if end, next := headEnd(long, searched); end >= 0 && end <= limit {
			c.from = c.to - (len(long) - next)
			return long[:end], nil
		}
	}
}

// switched makes the connection the body of a response with 101.
func (c *conn) switched(r *reply, req *http.Request) *http.Response {
	if c.watching != nil {
		c.watching()
		c.watching = nil
	}
	_ = c.nc.SetDeadline(time.Time{})
	rest := append([]byte(nil), c.buffer[c.from:c.to]...)
	c.pool.client.buffers.Put(c.buffer)
	c.buffer = nil
	r.Request = req
	r.Body = &stream{Conn: c.nc, conn: c, rest: rest}
	return &r.Response
}

// final takes the framing of a response and gives it its body.
func (c *conn) final(r *reply, req *http.Request) (*http.Response, error) {
	r.Request = req
	reusable := c.reusable(r)
	length, chunked, err := framing(r, method(req))
	if err != nil {
		return nil, err
	}
	reusable = reusable && (length >= 0 || chunked)
	r.content = body{conn: c, left: length, reusable: reusable}
	r.ContentLength = length
	r.Close = !r.content.reusable
	if chunked {
		r.TransferEncoding = []string{"chunked"}
		if err := r.announceTrailers(); err != nil {
			return nil, err
		}
		r.content.chunks, r.content.trailer, r.content.left = true, &r.Trailer, 0
	}
	if length == 0 {
		r.Body = http.NoBody
		if method(req) == http.MethodHead {
			r.ContentLength = headLength(r)
		}
		c.end(r.content.reusable)
		return &r.Response, nil
	}
	r.Body = &r.content
	return &r.Response, nil
}

// reusable reports whether the head of r lets the connection serve another
// request. One that gives two lengths does not: somebody before us may have read
// it otherwise.
func (c *conn) reusable(r *reply) bool {
	if r.Header["Transfer-Encoding"] != nil && r.Header["Content-Length"] != nil {
		return false
	}
	keep := r.ProtoMinor >= 1
	for _, v := range r.Header["Connection"] {
		for option := range strings.SplitSeq(v, ",") {
			switch option = trim(option); {
			case strings.EqualFold(option, "close"):
				return false
			case strings.EqualFold(option, "keep-alive"):
				keep = true
			}
		}
	}
	return keep && !c.pool.client.options.HTTP10
}
