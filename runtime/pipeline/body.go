package pipeline

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/margay-dev/margay/runtime/telemetry"
)

// watchBody has the observer told when the body of r breaks off. The breaker is
// not: it judged when the headers came.
func (e *emitter) watchBody(ctx context.Context, r *http.Response) {
	if e.silent || r.Body == nil || r.Body == http.NoBody {
		return
	}
	w := &watchedBody{ReadCloser: r.Body, events: e, ctx: ctx, status: r.StatusCode, start: time.Now()}
	if writer, ok := r.Body.(io.Writer); ok {
		r.Body = &watchedDuplex{watchedBody: w, Writer: writer} // 101 Switching Protocols
		return
	}
	r.Body = w
}

type watchedBody struct {
	io.ReadCloser
	events *emitter
	ctx    context.Context
	status int
	start  time.Time // when the headers came
	told   bool
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && !b.told {
		b.told = true
		b.events.emit(b.ctx, telemetry.Event{Kind: telemetry.OnBodyFailure, Strategy: telemetry.Transport,
			StatusCode: b.status, Duration: time.Since(b.start), Err: err, Reason: b.reason()})
	}
	return n, err
}

func (b *watchedBody) reason() telemetry.Reason {
	if b.ctx.Err() != nil {
		return telemetry.ReasonCancelled
	}
	return telemetry.ReasonTransport
}

type watchedDuplex struct {
	*watchedBody
	io.Writer
}

// CloseWrite ends what is sent, where the transport can.
func (d *watchedDuplex) CloseWrite() error {
	if half, ok := d.Writer.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}
