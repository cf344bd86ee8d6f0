package timeout

import (
	"errors"
	"io"
	"net/http"
)

// Attach ends the watch over the deadline because resp is here, and binds the
// context's life to its body: reading it to the end or closing it releases the
// context. A body that can be written to (101 Switching Protocols) still can.
// Where nobody waits for the context, the body is left alone.
func (c *Context) Attach(resp *http.Response) {
	c.Stop()
	if !c.InUse() {
		return
	}
	b := &body{ReadCloser: resp.Body, attempt: c}
	if w, ok := resp.Body.(io.Writer); ok {
		resp.Body = &duplex{body: b, Writer: w}
		return
	}
	resp.Body = b
}

type body struct {
	io.ReadCloser
	attempt *Context
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.attempt.Release()
	}
	return n, err
}

func (b *body) Close() error {
	defer b.attempt.Release()
	return b.ReadCloser.Close()
}

type duplex struct {
	*body
	io.Writer
}

// CloseWrite ends what is sent, where the transport can.
func (d *duplex) CloseWrite() error {
	if half, ok := d.Writer.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}
