package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/margay-dev/margay/runtime/pipeline"
)

// backend is the transport of one request. It does what the script says.
type backend struct {
	*replayer
	request int
	script  []json.RawMessage
	n       int
}

func (b *backend) RoundTrip(req *http.Request) (*http.Response, error) {
	n := b.n
	b.n++
	start := b.now()
	if req.Body != nil {
		_, _ = io.Copy(io.Discard, req.Body)
		req.Body.Close()
	}
	attempt := breakerEvent{pipeline: b.key(req.URL), call: fmt.Sprint(b.request, ".", n)}
	b.asked(attempt)
	s := parseStep(b.script[min(n, len(b.script)-1)])
	resp, err := b.act(req.Context(), n, s)
	attempt.ends, attempt.failure = true, transient(pipeline.Outcome{Value: resp, Err: causeOf(req.Context(), err)})
	b.asked(attempt)
	result := "TaskCanceledException"
	switch thrown, ok := errors.AsType[exception](err); {
	case err == nil:
		result = strconv.Itoa(resp.StatusCode)
	case ok:
		result = thrown.class()
	}
	b.note(&b.story.attempts, "#%d.%d %s %d–%d %s", b.request, n, req.Method, start, b.now(), result)
	return resp, err
}

// causeOf returns why the context ended where err says that it did.
func causeOf(ctx context.Context, err error) error {
	if err != nil && err == ctx.Err() {
		return context.Cause(ctx)
	}
	return err
}

// act waits and answers. Where the end of the context and the answer fall on
// one instant, the context wins: its timer is the older one.
func (b *backend) act(ctx context.Context, n int, s step) (*http.Response, error) {
	done := ctx.Done()
	if s.deaf {
		done = nil
	}
	var after <-chan time.Time
	if !s.hangs {
		after = time.After(s.after)
	}
	select {
	case <-after:
	case <-done:
	}
	if !s.deaf && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if s.throws != "" {
		return nil, exception(s.throws)
	}
	header := http.Header{}
	if s.asksWait {
		header.Set("Retry-After", s.retryAfter)
	}
	text := strings.NewReader(fmt.Sprintf("body%d", n))
	return &http.Response{StatusCode: s.status, Header: header, Body: &watched{Reader: text, backend: b, n: n}}, nil
}

// watched notes when the body of an answer is closed.
type watched struct {
	io.Reader
	*backend
	n    int
	once sync.Once
}

func (w *watched) Close() error {
	w.once.Do(func() { w.note(&w.story.closed, "%d.%d@%d", w.request, w.n, w.now()) })
	return nil
}

// step is one entry of a script: "503", "503@100", "200@50!",
// "503;Retry-After=2", "throw:X@20", "hang".
type step struct {
	status     int
	throws     string
	hangs      bool
	deaf       bool // to the end of the context
	after      time.Duration
	asksWait   bool
	retryAfter string
}

func parseStep(raw json.RawMessage) (s step) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		var object struct{ Status int }
		_ = json.Unmarshal(raw, &object)
		return step{status: object.Status}
	}
	if text == "hang" {
		return step{hangs: true}
	}
	text, s.retryAfter, s.asksWait = strings.Cut(text, ";Retry-After=")
	text, s.deaf = strings.CutSuffix(text, "!")
	text, delay, _ := strings.Cut(text, "@")
	ms, _ := strconv.Atoi(delay)
	s.after = time.Duration(ms) * time.Millisecond
	if thrown, ok := strings.CutPrefix(text, "throw:"); ok {
		s.throws = thrown
		return s
	}
	s.status, _ = strconv.Atoi(text)
	return s
}
