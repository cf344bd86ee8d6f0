package pipeline

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/timeout"
)

// StatusClientClosedRequest is what logs say of a call whose client went away.
// It is sent to nobody.
const StatusClientClosedRequest = 499

// Answer is the response that stands in for one that did not come.
type Answer struct {
	Status      int    // HTTP status; StatusClientClosedRequest: nobody is there
	RetryAfter  int    // seconds of the Retry-After header; 0: no such header
	ContentType string // empty: no such header
	Body        string
}

// Style is how answers are worded.
type Style struct {
	// Name is what they call the route.
	Name string
	// Provider decides between Ocelot's texts (plan.Builtin) and empty bodies.
	Provider plan.Provider
	// ResponseCode answers for an open circuit; 0 is 503.
	ResponseCode int
	// ProblemDetails answers with RFC 9457 documents, and timeouts with 504.
	ProblemDetails bool
}

// AnswerTo returns what the client gets for err, the error of a call. Status
// and texts are Ocelot's (its built-in handler and its error mapper), except
// that an open circuit says when to come back.
func AnswerTo(err error, s Style) Answer {
	c := causeOf(err, s)
	if s.ProblemDetails && c.status != StatusClientClosedRequest {
		return c.problem()
	}
	a := Answer{Status: c.status, RetryAfter: seconds(c.retryAfter)}
	if s.Provider == plan.Builtin && c.text != "" {
		a.ContentType, a.Body = "text/plain; charset=utf-8", c.text+s.Name
	}
	return a
}

// Response returns the answer as the response to a request.
func (a Answer) Response(req *http.Request) *http.Response {
	header := http.Header{}
	if a.RetryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(a.RetryAfter))
	}
	if a.ContentType != "" {
		header.Set("Content-Type", a.ContentType)
	}
	return &http.Response{
		Status: strconv.Itoa(a.Status) + " " + title(a.Status), StatusCode: a.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(strings.NewReader(a.Body)), ContentLength: int64(len(a.Body)), Request: req,
	}
}

// cause is what an error means to a client.
type cause struct {
	status     int
	problemAs  int           // the status in problem details; 0: status
	retryAfter time.Duration // negative: unknown
	text       string        // what Ocelot's built-in handler says before the name; empty: nothing
	detail     string
}

func causeOf(err error, s Style) cause {
	if missed, ok := errors.AsType[*timeout.Error](err); ok {
		return timeoutCause(missed.Kind)
	}
	if err == context.DeadlineExceeded { // the caller's own; errors.Is would take a dial timeout for one
		return timeoutCause(timeout.Total)
	}
	if fault, ok := errors.AsType[*ClientError](err); ok {
		return cause{status: fault.Status(), retryAfter: -1, detail: "the request could not be read to its end or sent"}
	}
	switch {
	case errors.Is(err, breaker.ErrOpen):
		return openCause(err, s)
	case errors.Is(err, limiter.ErrRejected):
		return cause{status: http.StatusServiceUnavailable, retryAfter: -1, detail: "too many requests are in flight"}
	case errors.Is(err, ErrMisconfigured):
		return cause{status: http.StatusInternalServerError, retryAfter: -1, detail: "the timeout of the route cannot be used"}
	case errors.Is(err, ErrNoRoute):
		return cause{status: http.StatusNotFound, retryAfter: -1, detail: "no route serves the request"}
	case errors.Is(err, context.Canceled):
		return cause{status: StatusClientClosedRequest, retryAfter: -1}
	}
	return cause{status: http.StatusBadGateway, retryAfter: -1, detail: "the backend could not be reached or did not answer"}
}

func timeoutCause(kind timeout.Kind) cause {
	c := cause{status: http.StatusServiceUnavailable, problemAs: http.StatusGatewayTimeout, retryAfter: -1,
		detail: "the backend did not answer in time"}
	if kind == timeout.Attempt {
		c.text = "Request timeout for route -> "
	}
	return c
}

func openCause(err error, s Style) cause {
	c := cause{status: http.StatusServiceUnavailable, retryAfter: -1,
		text: "Circuit breaker is open for route -> ", detail: "the circuit breaker is open"}
	if s.ResponseCode != 0 {
		c.status = s.ResponseCode
	}
	if open, ok := errors.AsType[*breaker.OpenError](err); ok {
		c.retryAfter = open.RetryAfter()
	}
	return c
}

// seconds returns d in whole seconds, rounded up, and at least 1: who is told
// to come back after 0 seconds comes back while the probe is still out. A
// negative d is unknown and gives 0.
func seconds(d time.Duration) int {
	if d < 0 {
		return 0
	}
	return max(1, int((d+time.Second-1)/time.Second))
}
