package pipeline

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/chaos"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/runtime/timeout"
)

// RoundTripper returns a round tripper that sends requests through p to next. A
// nil next is http.DefaultTransport. In place of a response there may be the
// error of a strategy, as Do describes it, or a *ClientError.
func (p *Pipeline) RoundTripper(next http.RoundTripper) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	return &transport{pipeline: p, next: next}
}

type transport struct {
	pipeline *Pipeline
	next     http.RoundTripper
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	return t.pipeline.RoundTrip(req, t.next)
}

// RoundTrip sends one request through p to next, as a RoundTripper does.
func (p *Pipeline) RoundTrip(req *http.Request, next http.RoundTripper) (*http.Response, error) {
	op := &exchange{Pipeline: p, request: req, next: next, body: p.http.NewBody(req)}
	defer op.body.Close()
	if err := p.run(req.Context(), op); err != nil {
		return nil, err
	}
	p.events.watchBody(req.Context(), op.response)
	return op.response, nil
}

// errNoResponse is the outcome of a transport that breaks its contract.
var errNoResponse = errors.New("pipeline: the transport returned neither a response nor an error")

// exchange is the operation of a RoundTripper.
type exchange struct {
	*Pipeline
	request  *http.Request
	next     http.RoundTripper
	body     *retry.Body // nil: the request has none
	response *http.Response
}

func (x *exchange) try(ctx context.Context) error {
	x.response = nil
	response, err := x.send(ctx)
	switch {
	case err != nil:
		return x.clientsFault(err)
	case response == nil:
		return errNoResponse
	}
	x.response = response
	return nil
}

// send makes the attempt, or has chaos answer in its place.
func (x *exchange) send(ctx context.Context) (*http.Response, error) {
	if x.chaos == nil {
		return x.transmit(ctx)
	}
	sent := false
	response, err := chaos.Do(ctx, x.chaos, func(ctx context.Context) (*http.Response, error) {
		sent = true
		return x.transmit(ctx)
	})
	if !sent && response != nil {
		response.Request = x.request
	}
	return response, err
}

// ContextTransport is a round tripper that takes the context of an attempt
// beside the request, which then need not be copied for it.
type ContextTransport interface {
	http.RoundTripper
	// RoundTripContext is RoundTrip with ctx in place of the request's context.
	RoundTripContext(ctx context.Context, req *http.Request) (*http.Response, error)
}

// transmit hands the request to the transport.
func (x *exchange) transmit(ctx context.Context) (*http.Response, error) {
	attempt := x.request
	if x.body == nil {
		if next, ok := x.next.(ContextTransport); ok {
			return next.RoundTripContext(ctx, attempt)
		}
	}
	if _, own := ctx.(*timeout.Context); own || x.body != nil {
		attempt = attempt.WithContext(ctx)
	}
	if x.body != nil {
		attempt.Body = x.body.Reader()
	}
	return x.next.RoundTrip(attempt)
}

// clientsFault returns err, or a ClientError where the client is to blame.
func (x *exchange) clientsFault(err error) error {
	if fault := x.body.SourceError(); fault != nil {
		return &ClientError{Err: fault}
	}
	if fault := malformed(x.request); fault != nil {
		return &ClientError{Err: fault}
	}
	return err
}

func (x *exchange) status() int {
	if x.response == nil {
		return 0
	}
	return x.response.StatusCode
}

func (x *exchange) value() any { return x.response }

func (x *exchange) onError(_ error, transport breaker.Result) breaker.Result { return transport }

func (x *exchange) worthRepeating(ctx context.Context, err error) bool {
	return x.http.ShouldHandle(ctx, x.response, err)
}

func (x *exchange) repeatable() bool {
	return x.http.Repeats(cmp.Or(x.request.Method, http.MethodGet)) && x.body.Replayable()
}

func (x *exchange) awaitsCaller() bool { return x.body.Waiting() }

func (x *exchange) delay() (time.Duration, bool) { return x.http.RetryAfter(x.response) }

func (x *exchange) judged(r breaker.Result) {
	if next, ok := x.next.(HostTransport); ok {
		next.Judged(r)
	}
}

func (x *exchange) keep(c *timeout.Context) { c.Attach(x.response) }

// finish lets the fallback answer in place of a failure that is not the
// client's own doing.
func (x *exchange) finish(ctx context.Context, err error) error {
	if x.fallback == nil || err != nil && isCallers(ctx, x, err) {
		return err
	}
	replaced, reason := x.response, x.reason(ctx, x, err)
	answer, left := x.fallback.Finish(x.request, replaced, err)
	x.response = answer
	if answer != replaced && answer != nil {
		x.events.emit(ctx, telemetry.Event{Kind: telemetry.OnFallback, Strategy: telemetry.Fallback,
			StatusCode: answer.StatusCode, Err: err, Reason: reason})
	}
	return left
}

func (x *exchange) discard() {
	retry.Discard(x.response)
	x.response = nil
}
