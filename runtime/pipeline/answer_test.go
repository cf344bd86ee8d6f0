package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/chaos"
	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/timeout"
)

// rejection returns the error of a circuit that stays open for d.
func rejection(t *testing.T, d time.Duration) error {
	t.Helper()
	b := breaker.New(breaker.Consecutive{MinimumThroughput: 1, BreakDuration: d})
	permit, err := b.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	permit.Failure()
	_, err = b.Acquire()
	return err
}

func TestAnswerTo(t *testing.T) {
	builtin := pipeline.Style{Name: "/a/{x}", Provider: plan.Builtin}
	polly := pipeline.Style{Name: "/a/{x}", Provider: plan.Polly}
	problems := pipeline.Style{Name: "/a/{x}", Provider: plan.Builtin, ProblemDetails: true}
	const text, problem = "text/plain; charset=utf-8", "application/problem+json"
	attempt, total := &timeout.Error{Kind: timeout.Attempt, Limit: time.Second}, &timeout.Error{Kind: timeout.Total, Limit: time.Second}
	open := func(t *testing.T) error { return rejection(t, 5*time.Second) }
	is := func(err error) func(*testing.T) error { return func(*testing.T) error { return err } }
	tests := []struct {
		name  string
		err   func(*testing.T) error
		style pipeline.Style
		want  pipeline.Answer
	}{
		{"open, builtin", open, builtin, pipeline.Answer{Status: 503, RetryAfter: 5, ContentType: text, Body: "Circuit breaker is open for route -> /a/{x}"}},
		{"open, polly", open, polly, pipeline.Answer{Status: 503, RetryAfter: 5}},
		{"open for a fraction", func(t *testing.T) error { return rejection(t, 501*time.Millisecond) }, polly, pipeline.Answer{Status: 503, RetryAfter: 1}},
		{"open for a second and a bit", func(t *testing.T) error { return rejection(t, 1001*time.Millisecond) }, polly, pipeline.Answer{Status: 503, RetryAfter: 2}},
		{"open with a code of its own", open, pipeline.Style{Provider: plan.Polly, ResponseCode: 429}, pipeline.Answer{Status: 429, RetryAfter: 5}},
		{"open, problem details", open, problems, pipeline.Answer{Status: 503, RetryAfter: 5, ContentType: problem,
			Body: `{"title":"Service Unavailable","status":503,"detail":"the circuit breaker is open"}`}},
		{"isolated", is(breaker.ErrIsolated), builtin, pipeline.Answer{Status: 503, ContentType: text, Body: "Circuit breaker is open for route -> /a/{x}"}},
		{"attempt timeout, builtin", is(attempt), builtin, pipeline.Answer{Status: 503, ContentType: text, Body: "Request timeout for route -> /a/{x}"}},
		{"attempt timeout, polly", is(attempt), polly, pipeline.Answer{Status: 503}},
		{"attempt timeout, problem details", is(attempt), problems, pipeline.Answer{Status: 504, ContentType: problem,
			Body: `{"title":"Gateway Timeout","status":504,"detail":"the backend did not answer in time"}`}},
		{"outer timeout", is(total), builtin, pipeline.Answer{Status: 503}},
		{"outer timeout, problem details", is(total), problems, pipeline.Answer{Status: 504, ContentType: problem,
			Body: `{"title":"Gateway Timeout","status":504,"detail":"the backend did not answer in time"}`}},
		{"deadline of the caller", is(context.DeadlineExceeded), builtin, pipeline.Answer{Status: 503}},
		{"dial timeout", is(&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}), builtin, pipeline.Answer{Status: 502}},
		{"refused connection", is(errors.New("dial tcp: refused")), builtin, pipeline.Answer{Status: 502}},
		{"refused connection, problem details", is(errors.New("dial tcp: refused")), problems, pipeline.Answer{Status: 502, ContentType: problem,
			Body: `{"title":"Bad Gateway","status":502,"detail":"the backend could not be reached or did not answer"}`}},
		{"chaos", is(chaos.ErrInjected), builtin, pipeline.Answer{Status: 502}},
		{"limited", is(limiter.ErrRejected), builtin, pipeline.Answer{Status: 503}},
		{"client went away", is(context.Canceled), builtin, pipeline.Answer{Status: 499}},
		{"client went away, problem details", is(context.Canceled), problems, pipeline.Answer{Status: 499}},
		{"client's broken body", is(&pipeline.ClientError{Err: io.ErrUnexpectedEOF}), builtin, pipeline.Answer{Status: 400}},
		{"client's large body", is(&pipeline.ClientError{Err: &http.MaxBytesError{Limit: 1}}), builtin, pipeline.Answer{Status: 413}},
		{"wrapped", is(fmt.Errorf("send: %w", attempt)), polly, pipeline.Answer{Status: 503}},
		{"no route", is(pipeline.ErrNoRoute), builtin, pipeline.Answer{Status: 404}},
		{"negative outer timeout", is(pipeline.ErrMisconfigured), builtin, pipeline.Answer{Status: 500}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if got := pipeline.AnswerTo(test.err(t), test.style); got != test.want {
					t.Errorf("got %+v, want %+v", got, test.want)
				}
			})
		})
	}
}

// A client that comes while the probe is out is told to come back later, never
// at once.
func TestAnswerWhileTheProbeIsOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := breaker.New(breaker.Consecutive{MinimumThroughput: 1, BreakDuration: time.Second})
		permit, _ := b.Acquire()
		permit.Failure()
		time.Sleep(time.Second)
		if _, err := b.Acquire(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		_, err := b.Acquire()
		if got := pipeline.AnswerTo(err, pipeline.Style{}).RetryAfter; got != 1 {
			t.Errorf("got Retry-After %d, want 1", got)
		}
	})
}

func TestAnswerResponse(t *testing.T) {
	req, _ := http.NewRequest(http.MethodGet, "http://a/", nil)
	resp := pipeline.Answer{Status: 503, RetryAfter: 7, ContentType: "text/plain", Body: "no"}.Response(req)
	body, _ := io.ReadAll(resp.Body)
	got := fmt.Sprintf("%s %v %d %s %t", resp.Status, resp.Header, resp.ContentLength, body, resp.Request == req)
	if want := "503 Service Unavailable map[Content-Type:[text/plain] Retry-After:[7]] 2 no true"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
