package pipeline_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/pipeline"
)

// cut is a body that breaks off after its first bytes.
type cut struct{ read bool }

func (c *cut) Read(p []byte) (int, error) {
	if c.read {
		return 0, io.ErrUnexpectedEOF
	}
	c.read = true
	return copy(p, "half"), nil
}

func (c *cut) Close() error { return nil }

func TestBrokenBodyIsAnEventAndNoOutcome(t *testing.T) {
	var log eventLog
	p := build(t, guarded(), pipeline.Options{Observer: &log})
	fail(t, p, 1)
	resp, err := p.RoundTrip(request(t, t.Context(), nil), roundTripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Body: &cut{}}, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(resp.Body); string(got) != "half" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %q, %v, want the break passed on", got, err)
	}
	if got := log.lines(); got[len(got)-1] != "OnBodyFailure transport" {
		t.Errorf("got %q, want the body's failure last", got)
	}
	if got := failures(p); got != 0 {
		t.Errorf("got %d failures, want none after a success", got)
	}
}

// The body may take longer than every timeout: they end with the headers.
func TestBodyOutlivesTheTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := build(t, wholeRoute(), pipeline.Options{})
		var attempt context.Context
		resp, err := p.RoundTrip(request(t, t.Context(), nil), roundTripper(func(req *http.Request) (*http.Response, error) {
			attempt = req.Context()
			_ = attempt.Done()
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader("slow"))}, nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if attempt.Err() != nil {
			t.Errorf("got %v, want the context alive while the body is read", attempt.Err())
		}
		resp.Body.Close()
		if attempt.Err() == nil {
			t.Error("got a live context behind the body's end")
		}
	})
}

// closing notes that it was closed.
type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

func TestRejectedRequestIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := build(t, guarded(), pipeline.Options{})
		fail(t, p, 2)
		body := &closing{Reader: strings.NewReader("x")}
		if _, err := p.RoundTrip(request(t, t.Context(), body), answer(200)); !errors.Is(err, breaker.ErrOpen) || !body.closed {
			t.Errorf("got %v, closed %t, want a rejection and a closed body", err, body.closed)
		}
	})
}
