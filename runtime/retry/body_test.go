package retry_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/margay-dev/margay/runtime/retry"
	"pgregory.net/rapid"
)

func TestBodyIsSentAgain(t *testing.T) {
	const text = "all of the request"
	for _, read := range []int{0, 3, len(text)} { // how much the failing attempt reads
		var got []string
		rt := retry.NewTransport(roundTripper(func(req *http.Request) (*http.Response, error) {
			defer req.Body.Close()
			if len(got) == 0 {
				head := make([]byte, read)
				_, _ = io.ReadFull(req.Body, head)
				got = append(got, string(head))
				return response(503, ""), nil
			}
			all, err := io.ReadAll(req.Body)
			got = append(got, string(all))
			return response(200, ""), err
		}), retry.Executor[*http.Response]{Policy: mustNew(t, retry.Options{})}, retry.HTTP{Methods: []string{http.MethodPut}})
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://backend/", io.NopCloser(strings.NewReader(text)))
		resp, err := rt.RoundTrip(req)
		if err != nil || resp.StatusCode != 200 || len(got) != 2 || got[1] != text {
			t.Errorf("after %d bytes: got %q, %v, want the whole body again", read, got, err)
		}
	}
}

func TestLargeBodyIsSentOnce(t *testing.T) {
	calls := 0
	rt := retry.NewTransport(roundTripper(func(req *http.Request) (*http.Response, error) {
		calls++
		_, _ = io.Copy(io.Discard, req.Body)
		req.Body.Close()
		return response(503, ""), nil
	}), retry.Executor[*http.Response]{Policy: mustNew(t, retry.Options{})},
		retry.HTTP{Methods: []string{http.MethodPost}, MaxBufferedBody: 10})
	for size, want := range map[int]int{10: 4, 11: 1} {
		calls = 0
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://backend/", io.NopCloser(strings.NewReader(strings.Repeat("x", size))))
		if _, err := rt.RoundTrip(req); err != nil || calls != want {
			t.Errorf("body of %d bytes: got %d calls, %v, want %d", size, calls, err, want)
		}
	}
}

func TestUnsafeMethodIsSentOnce(t *testing.T) {
	calls := 0
	rt := retry.NewTransport(roundTripper(func(*http.Request) (*http.Response, error) {
		calls++
		return nil, errors.New("refused")
	}), retry.Executor[*http.Response]{Policy: mustNew(t, retry.Options{})}, retry.HTTP{})
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodDelete, "http://backend/", nil)
	if _, err := rt.RoundTrip(req); err == nil || calls != 1 {
		t.Errorf("DELETE: got %d calls, error %v, want 1 and the error", calls, err)
	}
}

// source is a body that may fail at its end and counts how often it is closed.
type source struct {
	io.Reader
	err    error
	closed int
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if errors.Is(err, io.EOF) && s.err != nil {
		err = s.err
	}
	return n, err
}

func (s *source) Close() error { s.closed++; return nil }

func TestSourceErrorIsTheSendersFault(t *testing.T) {
	broken := errors.New("client reset")
	src := &source{Reader: strings.NewReader("half"), err: broken}
	b := new(retry.HTTP).NewBody(&http.Request{Body: src})
	r := b.Reader()
	if _, err := io.ReadAll(r); !errors.Is(err, broken) {
		t.Errorf("read: got %v, want %v", err, broken)
	}
	if b.Replayable() || !errors.Is(b.SourceError(), broken) {
		t.Errorf("broken body: got replayable %v, source error %v, want the source's", b.Replayable(), b.SourceError())
	}
	b.Close()
	if src.closed != 0 {
		t.Error("source closed while a reader is open")
	}
	r.Close()
	r.Close()
	if src.closed != 1 {
		t.Errorf("source closed %d times, want once", src.closed)
	}
}

func TestNoBody(t *testing.T) {
	b := new(retry.HTTP).NewBody(&http.Request{})
	if b != nil || !b.Replayable() || b.SourceError() != nil || b.Reader() != http.NoBody || b.Close() != nil {
		t.Errorf("request without body: got %v, want a nil that can be used", b)
	}
}

// TestBodyModel reads by several attempts in any order: every attempt sees the
// bytes of the source from the start, or an error once they are lost.
func TestBodyModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.Byte(), 1, 64).Draw(t, "text")
		limit := rapid.Int64Range(1, 70).Draw(t, "limit")
		b := (&retry.HTTP{MaxBufferedBody: limit}).NewBody(&http.Request{Body: io.NopCloser(bytes.NewReader(text))})
		type attempt struct {
			r    io.ReadCloser
			seen []byte
		}
		var attempts []*attempt
		t.Repeat(map[string]func(*rapid.T){
			"attempt": func(t *rapid.T) {
				if !b.Replayable() {
					t.Skip()
				}
				attempts = append(attempts, &attempt{r: b.Reader()})
			},
			"read": func(t *rapid.T) {
				if len(attempts) == 0 {
					t.Skip()
				}
				a := rapid.SampledFrom(attempts).Draw(t, "attempt")
				p := make([]byte, rapid.IntRange(1, 20).Draw(t, "bytes"))
				n, err := a.r.Read(p)
				a.seen = append(a.seen, p[:n]...)
				if !bytes.HasPrefix(text, a.seen) {
					t.Fatalf("got %q, want a prefix of %q", a.seen, text)
				}
				switch {
				case err == io.EOF && len(a.seen) != len(text):
					t.Fatalf("got the end after %d of %d bytes", len(a.seen), len(text))
				case err != nil && err != io.EOF && b.Replayable():
					t.Fatalf("got %v from a body that is kept", err)
				}
			},
		})
	})
}

// A real transport may return before it has read the body.
func TestEarlyAnswerOverRealConnection(t *testing.T) {
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable) // without reading the body
			return
		}
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write(body)
	}))
	defer server.Close()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	rt := retry.NewTransport(transport, retry.Executor[*http.Response]{Policy: mustNew(t, retry.Options{})},
		retry.HTTP{Methods: []string{http.MethodPut}})
	text := strings.Repeat("0123456789", 50_000)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, server.URL, io.NopCloser(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := rt.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got, err := io.ReadAll(resp.Body); err != nil || string(got) != text {
		t.Errorf("echo after a retry: got %d bytes, %v, want %d", len(got), err, len(text))
	}
}
