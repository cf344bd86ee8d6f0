package fallback

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Watch keeps resp, the good answer to req, once its body has been read to the
// end, if it may be kept. It wraps the body where it does.
func (c *Cache) Watch(req *http.Request, resp *http.Response) {
	d := parseDirectives(resp.Header)
	if !c.storable(req, resp, &d) {
		return
	}
	v := c.newVariant(req, resp, &d)
	r := &recorder{cache: c, key: c.keyOf(req), variant: v}
	if isHead(req) || resp.Body == nil || resp.Body == http.NoBody {
		r.finish()
		return
	}
	r.ReadCloser = resp.Body
	resp.Body = r
}

// Answer returns the last good answer to req as a response of its own, or nil
// if there is none that may be used now. Its Age says how old it is.
func (c *Cache) Answer(req *http.Request) *http.Response {
	if !answersRequest(req) {
		return nil
	}
	v := c.find(c.keyOf(req), req)
	if v == nil || c.hasCredentials(req) && !v.public() {
		return nil
	}
	header := v.header.Clone()
	header.Set("Age", strconv.FormatInt(int64(v.age(c.now())/time.Second), 10))
	resp := newResponse(req, v.status, header, v.body)
	resp.ContentLength = v.contentLength
	return resp
}

// public reports whether the response may answer requests with credentials. One
// that was given to a request without any may differ from what theirs would get.
func (v *variant) public() bool {
	d := parseDirectives(v.header)
	return d.public
}

func (c *Cache) keyOf(req *http.Request) string {
	if isHead(req) {
		return "HEAD " + c.key(req)
	}
	return "GET " + c.key(req)
}

func isHead(req *http.Request) bool { return req.Method == http.MethodHead }

func (c *Cache) newVariant(req *http.Request, resp *http.Response, d *directives) *variant {
	v := &variant{
		vary:          varyNames(resp.Header),
		status:        resp.StatusCode,
		header:        storedHeader(resp.Header),
		contentLength: resp.ContentLength,
		limit:         c.maxAge,
	}
	for _, name := range v.vary {
		v.values = append(v.values, req.Header[name])
	}
	if limit, ok := d.staleLimit(); ok {
		v.limit = min(v.limit, limit)
	}
	if age := resp.Header.Get("Age"); age != "" {
		v.initial = *seconds(age)
	}
	v.stored = c.now() // the age counts from the headers, not from the end of the body
	return v
}

// recorder is the body of a response that is kept once it has been read.
type recorder struct {
	io.ReadCloser
	cache   *Cache
	key     string
	variant *variant // nil: kept, or given up
}

// Read reads on. A response that turns out too large, or breaks off, is not
// kept.
func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if r.variant == nil {
		return n, err
	}
	if int64(len(r.variant.body)+n) > r.cache.maxEntryBytes {
		r.variant = nil
		return n, err
	}
	r.variant.body = append(r.variant.body, p[:n]...)
	switch {
	case errors.Is(err, io.EOF) && r.complete():
		r.variant.contentLength = int64(len(r.variant.body))
		r.finish()
	case err != nil:
		r.variant = nil
	}
	return n, err
}

// complete reports whether the body is as long as was announced, if it was.
func (r *recorder) complete() bool {
	v := r.variant
	return v.contentLength < 0 || v.contentLength == int64(len(v.body))
}

func (r *recorder) finish() {
	v := r.variant
	r.variant = nil
	v.bytes = v.size()
	r.cache.keep(r.key, v)
}

// newResponse returns a response as a server would have sent it. The body of a
// HEAD is left out.
func newResponse(req *http.Request, code int, header http.Header, body []byte) *http.Response {
	resp := &http.Response{
		Status: strconv.Itoa(code) + " " + http.StatusText(code), StatusCode: code,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: http.NoBody, ContentLength: int64(len(body)), Request: req,
	}
	if len(body) > 0 && !isHead(req) {
		resp.Body = io.NopCloser(bytes.NewReader(body))
	}
	return resp
}
