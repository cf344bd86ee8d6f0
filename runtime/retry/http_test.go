package retry_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/pollytest"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/timeout"
	"github.com/margay-dev/margay/testdata/oracletest"
)

func TestOracleVectorsHTTP(t *testing.T) {
	tally := oracletest.NewTally("runtime-vectors")
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	pollytest.EachVector(t, "http-retry-after", func(v pollytest.Vector) {
		var events []struct {
			RetryAfter *string
			Expect     struct{ DelayMs *pollytest.Milliseconds }
		}
		pollytest.Decode(t, v.Events, &events)
		h := retry.HTTP{Now: func() time.Time { return now }}
		for _, e := range events {
			resp := response(503, "")
			if e.RetryAfter != nil {
				resp.Header.Set("Retry-After", *e.RetryAfter)
			}
			got, ok := h.RetryAfter(resp)
			if want := e.Expect.DelayMs; ok != (want != nil) || ok && got != want.Duration() {
				tally.Differ(v.Semantics, v.ID, "Retry-After %v: got %v, %v, want %v ms", e.RetryAfter, got, ok, want)
				return
			}
		}
		tally.Agree(v.Semantics)
	})
	pollytest.EachVector(t, "http-classify", func(v pollytest.Vector) { classify(t, tally, v) })
	pollytest.EachVector(t, "http-unsafe-methods", func(v pollytest.Vector) { methods(t, tally, v) })
	tally.Report(t)
}

// classify replays what is transient. The errors of other strategies are judged
// by whoever knows them.
func classify(t *testing.T, tally *oracletest.Tally, v pollytest.Vector) {
	var events []struct {
		Action, Error string
		Status        int
		Expect        struct{ Transient bool }
	}
	pollytest.Decode(t, v.Events, &events)
	known := map[string]error{
		"HttpRequestException":               errors.New("connection refused"),
		"TimeoutRejectedException":           &timeout.Error{Kind: timeout.Attempt},
		"OperationCanceledException(caller)": context.Canceled,
	}
	var h retry.HTTP
	for _, e := range events {
		got := e.Expect.Transient
		if err := known[e.Error]; err != nil {
			got = h.ShouldHandle(t.Context(), nil, err)
		} else if e.Action == "status" {
			got = h.ShouldHandle(t.Context(), response(e.Status, ""), nil)
		}
		if got != e.Expect.Transient {
			tally.Differ(v.Semantics, v.ID, "%s %d: got %v, want %v", e.Error, e.Status, got, e.Expect.Transient)
			return
		}
	}
	tally.Agree(v.Semantics)
}

// methods replays the methods that are sent again. There it is a list of those
// that are not, here of those that are: what nobody knows is not repeated.
func methods(t *testing.T, tally *oracletest.Tally, v pollytest.Vector) {
	var events []struct {
		Method string
		Expect struct{ Retryable bool }
	}
	pollytest.Decode(t, v.Events, &events)
	unknown := 0
	for _, e := range events {
		got := new(retry.HTTP).Repeats(e.Method)
		switch e.Method {
		case "QUERY", "PROPFIND":
			unknown++
			if got {
				tally.Differ(v.Semantics, v.ID, "%s: got it repeated, want an unknown method left alone", e.Method)
				return
			}
		default:
			if got != e.Expect.Retryable {
				tally.Differ(v.Semantics, v.ID, "%s: got %v, want %v", e.Method, got, e.Expect.Retryable)
				return
			}
		}
	}
	if unknown > 0 {
		tally.Excuse(v.Semantics)
		return
	}
	tally.Agree(v.Semantics)
}

func response(code int, body string) *http.Response {
	return &http.Response{StatusCode: code, Header: http.Header{}, ContentLength: -1, Body: io.NopCloser(strings.NewReader(body))}
}

func mustNew(t testing.TB, o retry.Options) *retry.Policy {
	t.Helper()
	p, err := retry.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParseRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"0": 0, "120": 2 * time.Minute, " 7 ": 7 * time.Second, "007": 7 * time.Second, "2147483647": 2147483647 * time.Second,
		"Thu, 01 Jan 2026 00:00:30 GMT":    30 * time.Second,
		"Thursday, 01-Jan-26 00:01:00 GMT": time.Minute,
		"Thu Jan  1 01:00:00 2026":         time.Hour,
		"Wed, 31 Dec 2025 23:59:00 GMT":    0,
	} {
		if got, ok := retry.ParseRetryAfter(text, now); !ok || got != want {
			t.Errorf("ParseRetryAfter(%q): got %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", " ", "-5", "+4", "5.5", "soon", "3, 4", "2147483648", "99999999999999999999", "2026-01-01T00:00:00Z", "5s"} {
		if got, ok := retry.ParseRetryAfter(text, now); ok {
			t.Errorf("ParseRetryAfter(%q): got %v, want none", text, got)
		}
	}
}

// A parsed wait is never negative, and never longer than the texts can say.
func FuzzParseRetryAfter(f *testing.F) {
	for _, text := range []string{"0", "120", " 7 ", "-5", "2147483647", "2147483648", "Thu, 01 Jan 2026 00:00:30 GMT",
		"Thursday, 01-Jan-26 00:01:00 GMT", "Thu Jan  1 01:00:00 2026", "Mon, 01 Jan 0001 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "3, 4"} {
		f.Add(text)
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := retry.ParseRetryAfter(text, now)
		if got < 0 || !ok && got != 0 {
			t.Errorf("ParseRetryAfter(%q): got %v, %v", text, got, ok)
		}
		padded, okPadded := retry.ParseRetryAfter("\t "+text+" ", now)
		if padded != got || okPadded != ok {
			t.Errorf("ParseRetryAfter(%q) with blanks around: got %v, %v, want %v, %v", text, padded, okPadded, got, ok)
		}
		if later, _ := retry.ParseRetryAfter(text, now.Add(time.Second)); ok && (later > got || got-later > time.Second) {
			t.Errorf("ParseRetryAfter(%q) a second later: got %v after %v", text, later, got)
		}
	})
}

func TestLongRetryAfterIsReturned(t *testing.T) {
	for _, c := range []struct {
		header string
		limit  *time.Duration
		calls  int
	}{
		{"2", new(2 * time.Second), 2},
		{"3", new(2 * time.Second), 1},
		{"0", new(time.Duration(0)), 2},
		{"2147483647", nil, 1}, // beyond what any timer there reaches
		{"86400", nil, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			rt := retry.NewTransport(roundTripper(func(*http.Request) (*http.Response, error) {
				calls++
				resp := response(503, "busy")
				resp.Header.Set("Retry-After", c.header)
				return resp, nil
			}), retry.Executor[*http.Response]{Policy: mustNew(t, retry.Options{MaxRetryAttempts: 1})}, retry.HTTP{MaxRetryAfter: c.limit})
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://backend/", nil)
			resp, err := rt.RoundTrip(req)
			if err != nil || resp.StatusCode != 503 || calls != c.calls {
				t.Errorf("Retry-After %s: got %v after %d calls, want the response after %d", c.header, err, calls, c.calls)
			}
			if body, _ := io.ReadAll(resp.Body); string(body) != "busy" {
				t.Errorf("Retry-After %s: got body %q, want it unread", c.header, body)
			}
		})
	}
}

// trackedBody tells whether a response was read to its end and closed.
type trackedBody struct {
	io.Reader
	closed, ended bool
}

func (b *trackedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.ended = b.ended || err == io.EOF
	return n, err
}

func (b *trackedBody) Close() error { b.closed = true; return nil }

func TestDiscardedResponsesAreDrainedAndClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bodies []*trackedBody
		rt := retry.NewTransport(roundTripper(func(*http.Request) (*http.Response, error) {
			b := &trackedBody{Reader: strings.NewReader("busy")}
			bodies = append(bodies, b)
			return &http.Response{StatusCode: 503, Body: b, ContentLength: 4}, nil
		}), retry.Executor[*http.Response]{Policy: mustNew(t, retry.Options{})}, retry.HTTP{})
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://backend/", nil)
		if _, err := rt.RoundTrip(req); err != nil {
			t.Fatal(err)
		}
		if len(bodies) != 4 {
			t.Fatalf("calls: got %d, want 4", len(bodies))
		}
		for i, b := range bodies {
			if want := i < 3; b.closed != want || b.ended != want {
				t.Errorf("response %d: got closed %v, read %v, want %v", i, b.closed, b.ended, want)
			}
		}
	})
}

func TestSlowDiscardedResponseIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		start := time.Now()
		retry.Discard(&http.Response{Body: r, ContentLength: -1})
		if took := time.Since(start); took > 100*time.Millisecond {
			t.Errorf("discarding a body that hangs: took %v, want at most 100ms", took)
		}
		if _, err := w.Write([]byte("x")); err == nil {
			t.Error("the body is still open, want it closed")
		}
		retry.Discard(nil)
	})
}
