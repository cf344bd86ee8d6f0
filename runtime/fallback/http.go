package fallback

import (
	"context"
	"net/http"
	"strconv"

	"github.com/margay-dev/margay/runtime/retry"
)

// HTTP answers requests in place of failures. The zero value lets every failure
// pass. It must not change while it is used, and is then safe for concurrent
// use.
type HTTP struct {
	// Cache holds the last good responses, which come before the fixed answer. Nil:
	// none are kept.
	Cache *Cache

	// StatusCode, ContentType and Body are the answer where there is no stale one.
	// StatusCode 0: the failure passes.
	StatusCode  int
	ContentType string
	Body        string

	// ShouldHandle reports whether an outcome is a failure. Nil: every status from
	// 500, and every error but a cancellation.
	ShouldHandle func(ctx context.Context, resp *http.Response, err error) bool

	// OnFallback is called with every answer that replaces an outcome, and with
	// the outcome.
	OnFallback func(ctx context.Context, answer, resp *http.Response, err error)
}

// Finish takes the outcome of req, and returns what its client gets: the
// outcome itself, which may be kept for later, or an answer in its place, where
// the response that it replaces is closed.
func (h *HTTP) Finish(req *http.Request, resp *http.Response, err error) (*http.Response, error) {
	ctx := req.Context()
	if !h.handles(ctx, resp, err) {
		if h.Cache != nil && err == nil {
			h.Cache.Watch(req, resp)
		}
		return resp, err
	}
	answer := h.answer(req)
	if answer == nil {
		return resp, err
	}
	if h.OnFallback != nil {
		h.OnFallback(ctx, answer, resp, err)
	}
	retry.Discard(resp)
	return answer, nil
}

func (h *HTTP) handles(ctx context.Context, resp *http.Response, err error) bool {
	switch {
	case h.ShouldHandle != nil:
		return h.ShouldHandle(ctx, resp, err)
	case err != nil:
		return retry.IsFailure(ctx, err)
	}
	return resp.StatusCode >= http.StatusInternalServerError
}

// answer returns what replaces a failure, or nil.
func (h *HTTP) answer(req *http.Request) *http.Response {
	if h.Cache != nil {
		if stale := h.Cache.Answer(req); stale != nil {
			return stale
		}
	}
	if h.StatusCode == 0 {
		return nil
	}
	header := http.Header{}
	if h.ContentType != "" {
		header.Set("Content-Type", h.ContentType)
	}
	header.Set("Content-Length", strconv.Itoa(len(h.Body)))
	return newResponse(req, h.StatusCode, header, []byte(h.Body))
}

// NewTransport returns a round tripper that sends requests through base and
// finishes them by h. A nil base is http.DefaultTransport.
func NewTransport(base http.RoundTripper, h HTTP) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	return &transport{base: base, http: h}
}

type transport struct {
	base http.RoundTripper
	http HTTP
}

// RoundTrip sends req and returns its outcome or what replaces it.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.base.RoundTrip(req)
	return t.http.Finish(req, resp, err)
}
