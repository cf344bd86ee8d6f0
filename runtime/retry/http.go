package retry

import (
	"context"
	"net/http"
	"slices"
	"time"
)

// DefaultMaxBufferedBody is how much of a request body is kept where nothing is
// set: 1 MiB.
const DefaultMaxBufferedBody = 1 << 20

// HTTP says which requests are sent again, on which answers, and when. The zero
// value repeats the safe methods on transient outcomes and does as Retry-After
// asks.
type HTTP struct {
	// Methods are the methods that are sent again. Nil: [SafeMethods].
	Methods []string

	// RetryStatus reports whether a status calls for a retry. Nil: [IsTransient].
	RetryStatus func(code int) bool

	// RetryError reports whether an error before the headers does. Nil:
	// [IsFailure].
	RetryError func(ctx context.Context, err error) bool

	// IgnoreRetryAfter has the policy decide on every delay.
	IgnoreRetryAfter bool

	// MaxRetryAfter is the longest Retry-After that is waited for; an answer that
	// asks for more is returned. Nil: [Longest].
	MaxRetryAfter *time.Duration

	// MaxBufferedBody is how many bytes of a request body are kept to be sent
	// again. A request whose body was read beyond that is not repeated. 0:
	// [DefaultMaxBufferedBody]. Less than 0: nothing is kept.
	MaxBufferedBody int64

	// Now is the clock that dates in Retry-After are compared with. Nil: time.Now.
	Now func() time.Time
}

// SafeMethods returns the methods that RFC 9110 calls safe: sending them again
// changes nothing. PUT and DELETE are idempotent but not safe, and the standard
// handler of .NET does not repeat them either once unsafe methods are disabled.
func SafeMethods() []string {
	return []string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace}
}

// IsTransient reports whether a status is one that may go away: 408, 429, and
// everything from 500.
func IsTransient(code int) bool {
	return code >= 500 || code == http.StatusRequestTimeout || code == http.StatusTooManyRequests
}

// Repeats reports whether requests with this method are sent again.
func (h *HTTP) Repeats(method string) bool {
	if h.Methods != nil {
		return slices.Contains(h.Methods, method)
	}
	switch method {
	case http.MethodGet, "", http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}

// ShouldHandle reports whether an outcome calls for a retry: resp or err as a
// round trip returned them. A Retry-After that is too long to wait for does not.
func (h *HTTP) ShouldHandle(ctx context.Context, resp *http.Response, err error) bool {
	switch {
	case err != nil && h.RetryError != nil:
		return h.RetryError(ctx, err)
	case err != nil:
		return IsFailure(ctx, err)
	case !h.retriesStatus(resp.StatusCode):
		return false
	}
	wait, asked := h.RetryAfter(resp)
	return !asked || wait <= h.longestWait()
}

// RetryAfter returns the wait that resp asks for, or false if it asks for none
// or nobody listens. A nil resp asks for none.
func (h *HTTP) RetryAfter(resp *http.Response) (time.Duration, bool) {
	if h.IgnoreRetryAfter || resp == nil {
		return 0, false
	}
	text := resp.Header.Get("Retry-After")
	if text == "" {
		return 0, false
	}
	now := time.Now
	if h.Now != nil {
		now = h.Now
	}
	return ParseRetryAfter(text, now())
}

func (h *HTTP) retriesStatus(code int) bool {
	if h.RetryStatus != nil {
		return h.RetryStatus(code)
	}
	return IsTransient(code)
}

func (h *HTTP) longestWait() time.Duration {
	if h.MaxRetryAfter != nil {
		return min(*h.MaxRetryAfter, Longest)
	}
	return Longest
}

func (h *HTTP) bufferedBody() int64 {
	if h.MaxBufferedBody == 0 {
		return DefaultMaxBufferedBody
	}
	return max(0, h.MaxBufferedBody)
}
