package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/timeout"
)

// broken is a request body that breaks off.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// upload reads the request's body, as a transport does, and fails with it.
func upload(req *http.Request) (*http.Response, error) {
	defer req.Body.Close()
	if _, err := io.Copy(io.Discard, req.Body); err != nil {
		return nil, fmt.Errorf("write request: %w", err)
	}
	return nil, errors.New("connection reset")
}

func TestFaultsOfTheClientAreIgnored(t *testing.T) {
	cancelled := func(req *http.Request) *http.Request {
		ctx, cancel := context.WithTimeoutCause(req.Context(), time.Second, errors.New("the client went away"))
		ctx, stop := context.WithCancel(ctx)
		time.AfterFunc(time.Second/2, func() { stop(); cancel() })
		return req.WithContext(ctx)
	}
	header := func(name, value string) func(*http.Request) *http.Request {
		return func(req *http.Request) *http.Request { req.Header[name] = []string{value}; return req }
	}
	same := func(req *http.Request) *http.Request { return req }
	tests := []struct {
		name   string
		body   io.Reader
		change func(*http.Request) *http.Request
		next   roundTripper
		status int
	}{
		{"cancelled", nil, cancelled, hang, 499},
		{"body breaks off", broken{}, same, upload, 400},
		{"body too slow", iotest.ErrReader(&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}), same, upload, 408},
		{"body too large", http.MaxBytesReader(nil, io.NopCloser(strings.NewReader("xx")), 1), same, upload, 413},
		{"header name", nil, header("X Y", "1"), refuse, 400},
		{"header value", nil, header("X", "1\r\nY: 2"), refuse, 400},
		{"method", nil, func(req *http.Request) *http.Request { req.Method = "GET /"; return req }, refuse, 400},
		{"no host", nil, func(req *http.Request) *http.Request { req.URL.Host = ""; return req }, refuse, 400},
		{"no URL", nil, func(req *http.Request) *http.Request { req.URL = nil; return req }, refuse, 400},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := build(t, guarded(), pipeline.Options{})
				fail(t, p, 1)
				_, err := p.RoundTrip(test.change(request(t, t.Context(), test.body)), test.next)
				if got := p.Answer(err).Status; got != test.status {
					t.Errorf("got status %d for %v, want %d", got, err, test.status)
				}
				if got := failures(p); got != 1 {
					t.Errorf("got %d failures, want the one before only", got)
				}
			})
		})
	}
}

// A client that stops in the middle of its body makes the attempt time out; the
// backend has nothing to do with that.
func TestSlowClientIsIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := wholeRoute()
		r.AttemptTimeout = 1000
		r.Retry.Methods, r.Retry.MaxBufferedBody = []string{"POST"}, 1024
		p := build(t, r, pipeline.Options{})
		body, client := io.Pipe()
		defer client.Close()
		go func() { _, _ = client.Write([]byte("half")) }()
		start := time.Now()
		_, err := p.RoundTrip(request(t, t.Context(), body), roundTripper(func(req *http.Request) (*http.Response, error) {
			go func() {
				defer req.Body.Close()
				_, _ = io.Copy(io.Discard, req.Body)
			}()
			return hang(req)
		}))
		if _, ok := errors.AsType[*timeout.Error](err); !ok || time.Since(start) != time.Second {
			t.Errorf("got %v after %v, want one attempt timeout", err, time.Since(start))
		}
		if got := p.Breaker().Snapshot().Counts.Total; got != 0 {
			t.Errorf("got %d outcomes, want none", got)
		}
	})
}

// The connection may break while a sound body is sent: that is the backend's.
func TestFaultDuringUploadOfASoundBodyIsTheBackends(t *testing.T) {
	p := build(t, guarded(), pipeline.Options{})
	_, err := p.RoundTrip(request(t, t.Context(), strings.NewReader("sound")), roundTripper(upload))
	if got := failures(p); got != 1 || p.Answer(err).Status != 502 {
		t.Errorf("got %d failures and %v, want one and a 502", got, err)
	}
}

// Who cancels a probe neither closes the circuit nor blocks it.
func TestCancelledProbeFreesItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := build(t, guarded(), pipeline.Options{})
		fail(t, p, 2)
		time.Sleep(time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := p.RoundTrip(request(t, ctx, nil), roundTripper(hang)); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v, want a cancellation", err)
		}
		if got := p.Breaker().State(); got != breaker.HalfOpen {
			t.Errorf("got %v, want half-open", got)
		}
		if _, err := p.RoundTrip(request(t, t.Context(), nil), answer(200)); err != nil {
			t.Errorf("got %v, want the next probe to pass", err)
		}
	})
}
