package retry

import (
	"context"
	"net/http"
	"time"
)

// NewTransport returns a round tripper that sends requests through base under
// e, by the rules of h. Of e only Policy must be set: ShouldHandle,
// DelayGenerator and Discard are h's and [Discard] where they are nil. A nil
// base is http.DefaultTransport.
func NewTransport(base http.RoundTripper, e Executor[*http.Response], h HTTP) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	if e.ShouldHandle == nil {
		e.ShouldHandle = func(ctx context.Context, a Attempt[*http.Response]) bool {
			return h.ShouldHandle(ctx, a.Value, a.Err)
		}
	}
	if e.DelayGenerator == nil {
		e.DelayGenerator = func(_ context.Context, a Attempt[*http.Response]) (time.Duration, bool) {
			return h.RetryAfter(a.Value)
		}
	}
	if e.Discard == nil {
		e.Discard = Discard
	}
	return &transport{base: base, executor: e, http: h}
}

type transport struct {
	base     http.RoundTripper
	executor Executor[*http.Response]
	http     HTTP
}

// RoundTrip sends req until its outcome calls for no retry, and returns that
// outcome.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	body := t.http.NewBody(req)
	defer body.Close()
	e := t.executor
	e.ShouldHandle = func(ctx context.Context, a Attempt[*http.Response]) bool {
		return t.http.Repeats(req.Method) && body.Replayable() && t.executor.ShouldHandle(ctx, a)
	}
	return e.Do(req.Context(), func(ctx context.Context) (*http.Response, error) {
		if body == nil {
			return t.base.RoundTrip(req)
		}
		attempt := req.WithContext(ctx)
		attempt.Body = body.Reader()
		return t.base.RoundTrip(attempt)
	})
}
