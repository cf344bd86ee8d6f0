package cache

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Keep reads a response to a request with the given header and keeps it for a
// time. The response goes on with the
// body that was read; one that is larger than an entry may be, that has
// trailers or no end goes on as it comes, and is not kept. The error is that of
// the body, which is closed then.
func (s *Store) Keep(k Key, e Entry, request http.Header, response *http.Response, ttl time.Duration) error {
	_, known := variesBy(response.Header)
	if !known || response.ContentLength > s.maxEntryBytes || len(response.Trailer) > 0 || isEndless(response.Header) {
		return nil
	}
	body, whole, err := ReadBody(response.Body, s.maxEntryBytes)
	if err != nil {
		response.Body.Close()
		return err
	}
	if !whole || len(response.Trailer) > 0 {
		response.Body = Rest(body, response.Body)
		return nil
	}
	response.Body.Close()
	e.Status, e.Header, e.Body = response.StatusCode, withoutCookies(response.Header), body
	if response.ContentLength < 0 {
		response.ContentLength = int64(len(body))
		response.Header.Set("Content-Length", strconv.Itoa(len(body)))
		e.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	s.put(k, &e, request, ttl)
	return nil
}

// withoutCookies returns a copy of a header that can be given to every client.
func withoutCookies(h http.Header) http.Header {
	out := h.Clone()
	delete(out, "Set-Cookie")
	delete(out, "Set-Cookie2")
	return out
}

// Response returns the answer as a response to req.
func (e *Entry) Response(req *http.Request) *http.Response {
	r := &http.Response{StatusCode: e.Status, Status: strconv.Itoa(e.Status) + " " + http.StatusText(e.Status),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: e.Header.Clone(), ContentLength: int64(len(e.Body)),
		Body: http.NoBody, Request: req}
	if len(e.Body) > 0 {
		r.Body = io.NopCloser(bytes.NewReader(e.Body))
	}
	return r
}

// ReadBody reads at most limit bytes, and reports whether that was all.
func ReadBody(from io.Reader, limit int64) (body []byte, whole bool, err error) {
	body, err = io.ReadAll(io.LimitReader(from, limit+1))
	return body, err == nil && int64(len(body)) <= limit, err
}

// Rest returns a body of which a part has been read.
func Rest(read []byte, body io.ReadCloser) io.ReadCloser {
	return joined{io.MultiReader(bytes.NewReader(read), body), body}
}

type joined struct {
	io.Reader
	io.Closer
}
