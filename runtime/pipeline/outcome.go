package pipeline

import (
	"context"
	"errors"
	"net/http"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/timeout"
)

// ErrMisconfigured is the outcome of every call of a route whose outer timeout
// is negative. Ocelot's arithmetic gives that for some configurations, and
// answers 500 to every request then.
var ErrMisconfigured = errors.New("pipeline: the outer timeout is negative")

// Outcome is how one attempt ended.
type Outcome struct {
	Attempt int   // counted from 0
	Value   any   // what the function of Do returned; of a request the *http.Response
	Err     error // in place of a response; nil: none
}

// Response returns the response of an HTTP request, nil if there is none.
func (o Outcome) Response() *http.Response {
	r, _ := o.Value.(*http.Response)
	return r
}

// judge says what outcomes are to the breaker.
type judge struct {
	failures  *statusSet
	transport breaker.Result // of an error before the headers
	timeouts  breaker.Result // of the end of a timeout
	custom    func(Outcome) breaker.Result
}

// defaultJudge is Ocelot's: nine statuses are failures, and so is no response.
func defaultJudge() judge {
	return judgeOf(plan.Failures{StatusCodes: []plan.StatusRange{{First: 500, Last: 508}}}, setsOfStatuses{})
}

func judgeOf(f plan.Failures, known setsOfStatuses) judge {
	return judge{failures: known.of(f.StatusCodes), transport: resultOf(f.TransportErrors), timeouts: resultOf(f.Timeouts)}
}

// resultOf returns what a verdict is to a breaker; failure unless it says
// otherwise.
func resultOf(v plan.Verdict) breaker.Result {
	if v == plan.Success {
		return breaker.Success
	}
	return breaker.Failure
}

// result judges the outcome of an attempt of the call whose context is ctx.
func (j *judge) result(ctx context.Context, op operation, n int, err error) breaker.Result {
	switch {
	case err != nil && isCallers(ctx, op, err):
		return breaker.Ignored
	case j.custom != nil:
		return j.custom(Outcome{Attempt: n, Value: op.value(), Err: err})
	case err == nil:
		if j.failures.has(op.status()) {
			return breaker.Failure
		}
		return breaker.Success
	case isTimeout(err):
		return j.timeouts
	}
	return op.onError(err, j.transport)
}

// isCallers reports whether a failed attempt is the doing of whoever calls: it
// gave up, its request is at fault, or it was too slow to send it.
func isCallers(ctx context.Context, op operation, err error) bool {
	if gaveUp(ctx) {
		return true
	}
	_, fault := errors.AsType[*ClientError](err)
	return fault || errors.Is(err, context.DeadlineExceeded) && op.awaitsCaller()
}

// gaveUp reports whether the caller cancelled the call. A deadline that it set
// and that passed is no giving up: the backend took longer than was allowed.
func gaveUp(ctx context.Context) bool {
	return ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) &&
		!errors.Is(context.Cause(ctx), context.DeadlineExceeded)
}

func isTimeout(err error) bool {
	_, ok := errors.AsType[*timeout.Error](err)
	return ok
}

// statusSet is a set of status codes below 1000.
type statusSet [16]uint64

// setsOfStatuses are those in use, each once: thousands of routes have the same.
type setsOfStatuses map[statusSet]*statusSet

func (known setsOfStatuses) of(ranges []plan.StatusRange) *statusSet {
	s := setOf(ranges)
	if known[s] == nil {
		known[s] = &s
	}
	return known[s]
}

func setOf(ranges []plan.StatusRange) (s statusSet) {
	for _, r := range ranges {
		for code := max(r.First, 0); code <= min(r.Last, 999); code++ {
			s[code/64] |= 1 << (code % 64)
		}
	}
	return s
}

func (s *statusSet) has(code int) bool {
	return code >= 0 && code < 1000 && s[code/64]&(1<<(code%64)) != 0
}
