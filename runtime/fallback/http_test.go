package fallback_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/margay-dev/margay/runtime/fallback"
)

// backend answers as the test says, by way of a fallback with a cache, on a
// clock that the test moves.
type backend struct {
	t      *testing.T
	now    time.Time
	cache  *fallback.Cache
	http   fallback.HTTP
	header http.Header
	body   io.Reader
	status int
	err    error
}

func newBackend(t *testing.T, o fallback.CacheOptions) *backend {
	b := &backend{t: t, now: time.Unix(0, 0)}
	if o.StaleIfError == 0 {
		o.StaleIfError = time.Minute
	}
	o.Now = func() time.Time { return b.now }
	var err error
	if b.cache, err = fallback.NewCache(o); err != nil {
		t.Fatal(err)
	}
	b.http = fallback.HTTP{Cache: b.cache}
	return b
}

func (b *backend) RoundTrip(req *http.Request) (*http.Response, error) {
	if b.err != nil {
		return nil, b.err
	}
	return &http.Response{StatusCode: b.status, Header: b.header, ContentLength: -1, Body: io.NopCloser(b.body), Request: req}, nil
}

// send returns "status body", or the error. Header lines are "Name: value".
func (b *backend) send(method, path string, lines ...string) string {
	b.t.Helper()
	resp, err := b.roundTrip(method, path, lines...)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return strings.TrimSpace(fmt.Sprint(resp.StatusCode, " ", string(text)))
}

func (b *backend) roundTrip(method, path string, lines ...string) (*http.Response, error) {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, "http://backend"+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header = headers(lines)
	return fallback.NewTransport(b, b.http).RoundTrip(req)
}

func headers(lines []string) http.Header {
	h := http.Header{}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		h.Add(name, value)
	}
	return h
}

// works makes the backend answer, fails makes it refuse.
func (b *backend) works(status int, body string, lines ...string) {
	b.status, b.body, b.header, b.err = status, strings.NewReader(body), headers(lines), nil
}

var errRefused = errors.New("refused")

func (b *backend) fails() { b.err = errRefused }

func (b *backend) after(d time.Duration) { b.now = b.now.Add(d) }

func TestLastGoodResponseAnswersForAFailure(t *testing.T) {
	b := newBackend(t, fallback.CacheOptions{})
	b.works(200, "good", "Content-Type: text/plain", "Connection: X-Hop, close", "X-Hop: 1", "Age: 3")
	if got := b.send("GET", "/a?b=1"); got != "200 good" {
		t.Fatalf("first: got %q, want the backend's", got)
	}
	b.after(10 * time.Second)
	b.fails()
	resp, err := b.roundTrip("GET", "/a?b=1")
	if err != nil {
		t.Fatalf("got %v, want the stale response", err)
	}
	text, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != 200 || string(text) != "good" || resp.ContentLength != 4 || resp.Header.Get("Content-Type") != "text/plain" {
		t.Errorf("got %d %q %v, want the stored response", resp.StatusCode, text, resp.Header)
	}
	if got := resp.Header.Get("Age"); got != "13" {
		t.Errorf("age: got %s, want 13", got)
	}
	if resp.Header["Connection"] != nil || resp.Header["X-Hop"] != nil {
		t.Errorf("header: got %v, want nothing of the connection", resp.Header)
	}
	b.works(503, "busy")
	if got := b.send("GET", "/a?b=1"); got != "200 good" {
		t.Errorf("after a 503: got %q, want the stale response", got)
	}
	b.fails()
	if got := b.send("GET", "/a"); got != errRefused.Error() {
		t.Errorf("another URL: got %q, want the failure", got)
	}
}

func TestStaleUntilExactlyItsLimit(t *testing.T) {
	for _, c := range []struct {
		control string
		limit   time.Duration
	}{
		{"", time.Minute},
		{"max-age=10", time.Minute},
		{"max-age=10, stale-if-error=20", 30 * time.Second},
		{"s-maxage=5, stale-if-error=20", 25 * time.Second},
		{"stale-if-error=3600", time.Minute},
		{"stale-if-error=soon", 0},
	} {
		b := newBackend(t, fallback.CacheOptions{})
		b.works(200, "good", "Cache-Control: "+c.control)
		b.send("GET", "/")
		b.fails()
		b.after(c.limit)
		if got := b.send("GET", "/"); got != "200 good" {
			t.Errorf("%q at %v: got %q, want the stale response", c.control, c.limit, got)
		}
		b.after(1)
		if got := b.send("GET", "/"); got != errRefused.Error() {
			t.Errorf("%q later than %v: got %q, want the failure", c.control, c.limit, got)
		}
		if got := b.cache.Stats(); got != (fallback.Stats{}) {
			t.Errorf("%q: got %+v, want nothing left", c.control, got)
		}
	}
}

func TestWhatIsNotKept(t *testing.T) {
	for _, c := range []struct {
		name, method      string
		status            int
		request, response []string
		stale             bool
	}{
		{name: "a plain answer", stale: true},
		{name: "a POST", method: "POST"},
		{name: "a part", status: 206},
		{name: "a redirect", status: 302},
		{name: "no-store", response: []string{"Cache-Control: no-store"}},
		{name: "no-cache", response: []string{"Cache-Control: No-Cache"}},
		{name: "no-cache by Pragma", response: []string{"Pragma: no-cache"}},
		{name: "private", response: []string{"Cache-Control: private=\"X-A, X-B\", max-age=5"}},
		{name: "must-revalidate", response: []string{"Cache-Control: public", "Cache-Control: must-revalidate"}},
		{name: "proxy-revalidate", response: []string{"Cache-Control: proxy-revalidate"}},
		{name: "s-maxage alone", response: []string{"Cache-Control: s-maxage=60"}},
		{name: "a quoted comma", response: []string{`Cache-Control: x="no-store, private"`}, stale: true},
		{name: "a cookie is set", response: []string{"Set-Cookie: a=b"}},
		{name: "varies by everything", response: []string{"Vary: Accept, *"}},
		{name: "credentials", request: []string{"Authorization: Basic eA=="}},
		{name: "a cookie is sent", request: []string{"Cookie: a=b"}},
		{name: "credentials, public", request: []string{"Authorization: Basic eA=="}, response: []string{"Cache-Control: public"}, stale: true},
		{name: "a range is asked", request: []string{"Range: bytes=0-1"}},
		{name: "a fresh answer is asked", request: []string{"Cache-Control: no-cache"}},
		{name: "nothing may be kept", request: []string{"Cache-Control: no-store"}},
	} {
		b := newBackend(t, fallback.CacheOptions{})
		method, status := "GET", 200
		if c.method != "" {
			method = c.method
		}
		if c.status != 0 {
			status = c.status
		}
		b.works(status, "good", c.response...)
		b.send(method, "/", c.request...)
		b.fails()
		if got := b.send(method, "/", c.request...) == "200 good"; got != c.stale {
			t.Errorf("%s: got stale %v, want %v", c.name, got, c.stale)
		}
		if got := b.cache.Stats().Entries == 1; got != c.stale {
			t.Errorf("%s: got kept %v, want %v", c.name, got, c.stale)
		}
	}
}

// What was given to somebody without credentials is not for somebody with.
func TestCredentialsGetOnlyWhatIsPublic(t *testing.T) {
	b := newBackend(t, fallback.CacheOptions{})
	b.works(200, "for anybody")
	b.send("GET", "/")
	b.fails()
	if got := b.send("GET", "/", "Authorization: Basic eA=="); got != errRefused.Error() {
		t.Errorf("with credentials: got %q, want the failure", got)
	}
	own := newBackend(t, fallback.CacheOptions{Credentials: []string{"x-api-key"}})
	own.works(200, "secret")
	own.send("GET", "/", "X-Api-Key: k")
	own.fails()
	if got := own.send("GET", "/", "X-Api-Key: k"); got != errRefused.Error() {
		t.Errorf("with a credential of our own: got %q, want the failure", got)
	}
}

func TestVariants(t *testing.T) {
	b := newBackend(t, fallback.CacheOptions{})
	for _, language := range []string{"de", "en"} {
		b.works(200, language, "Vary: accept-language")
		b.send("GET", "/", "Accept-Language: "+language)
	}
	b.fails()
	for language, want := range map[string]string{"de": "200 de", "en": "200 en", "fr": errRefused.Error()} {
		if got := b.send("GET", "/", "Accept-Language: "+language); got != want {
			t.Errorf("%s: got %q, want %q", language, got, want)
		}
	}
	for i := range 10 {
		b.works(200, "other", "Vary: accept-language")
		b.send("GET", "/", fmt.Sprint("Accept-Language: l", i))
	}
	b.fails()
	if got := b.send("GET", "/", "Accept-Language: de"); got != errRefused.Error() {
		t.Errorf("the oldest of many variants: got %q, want it gone", got)
	}
}

func TestHeadHasItsOwnAnswer(t *testing.T) {
	b := newBackend(t, fallback.CacheOptions{})
	b.works(200, "", "Content-Length: 4")
	b.send("HEAD", "/")
	b.fails()
	if got := b.send("HEAD", "/"); got != "200" {
		t.Errorf("HEAD: got %q, want the stale head", got)
	}
	if got := b.send("GET", "/"); got != errRefused.Error() {
		t.Errorf("GET after a HEAD: got %q, want the failure", got)
	}
}

func TestUnfinishedBodyIsNotKept(t *testing.T) {
	b := newBackend(t, fallback.CacheOptions{MaxEntryBytes: 10})
	for name, body := range map[string]io.Reader{
		"broken":    io.MultiReader(strings.NewReader("half"), iotest.ErrReader(io.ErrUnexpectedEOF)),
		"too large": strings.NewReader("eleven byte"),
	} {
		b.works(200, "")
		b.body = body
		b.send("GET", "/")
		if got := b.cache.Stats(); got != (fallback.Stats{}) {
			t.Errorf("%s: got %+v, want nothing kept", name, got)
		}
	}
	b.works(200, "good")
	resp, err := b.roundTrip("GET", "/")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close() // unread
	if got := b.cache.Stats(); got != (fallback.Stats{}) {
		t.Errorf("unread: got %+v, want nothing kept", got)
	}
}

func TestFixedAnswer(t *testing.T) {
	b := newBackend(t, fallback.CacheOptions{})
	var events int
	b.http = fallback.HTTP{StatusCode: 503, ContentType: "application/json", Body: "{}", OnFallback: func(_ context.Context, answer, _ *http.Response, err error) {
		if events++; answer.StatusCode != 503 || !errors.Is(err, errRefused) {
			t.Errorf("event: got %d, %v, want 503 in place of the refusal", answer.StatusCode, err)
		}
	}}
	b.fails()
	resp, err := b.roundTrip("POST", "/")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != 503 || string(text) != "{}" || resp.Header.Get("Content-Type") != "application/json" || events != 1 {
		t.Errorf("got %d %q %v and %d events, want the fixed answer and one", resp.StatusCode, text, resp.Header, events)
	}
	b.works(404, "no")
	if got := b.send("GET", "/"); got != "404 no" {
		t.Errorf("no failure: got %q, want it to pass", got)
	}
}

func TestCancelledCallerGetsNoAnswer(t *testing.T) {
	b := newBackend(t, fallback.CacheOptions{})
	b.http.StatusCode = 503
	b.err = context.Canceled
	if got := b.send("GET", "/"); got != context.Canceled.Error() {
		t.Errorf("got %q, want the cancellation", got)
	}
}

// A response that is replaced is closed, so that its connection is free.
func TestReplacedResponseIsClosed(t *testing.T) {
	closed := false
	h := fallback.HTTP{StatusCode: 503}
	req, _ := http.NewRequestWithContext(t.Context(), "GET", "http://backend/", nil)
	resp := &http.Response{StatusCode: 500, Body: closer{strings.NewReader("x"), func() { closed = true }}}
	if got, err := h.Finish(req, resp, nil); err != nil || got.StatusCode != 503 || !closed {
		t.Errorf("got %v, %v, closed %v, want a 503 and the response closed", got, err, closed)
	}
}

type closer struct {
	io.Reader
	f func()
}

func (c closer) Close() error { c.f(); return nil }
