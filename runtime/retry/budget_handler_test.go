package retry_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/budget"
	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// handler plays one trace. Only one goroutine runs at any nanosecond, see
// until; it holds mu while it does.
type handler struct {
	mu       sync.Mutex
	t        *testing.T
	rec      *handlerRecording
	start    time.Time
	timers   int
	pipes    map[string]*pipe
	attempts []*handlerAttempt
	events   []string
	outcomes []string
}

type handlerAttempt struct {
	request, n int
	start, end int64
	result     string
}

// pipe is one instance of the handler's pipeline.
type pipe struct {
	budget  *budget.Budget
	limiter *limiter.Limiter
	breaker *breaker.Breaker
}

func (h *handler) facts() (out []string) {
	for _, a := range h.attempts {
		out = append(out, attemptFact(a.request, a.n, a.start, a.end, a.result))
	}
	return append(append(out, h.events...), h.outcomes...)
}

func (h *handler) now() int64 { return time.Since(h.start).Milliseconds() }

// until sleeps up to a whole millisecond. Timers that are due at the same
// instant fire in the order of their creation there; here each is a nanosecond
// later than the one created before it.
func (h *handler) until(ctx context.Context, at int64) error {
	h.timers++
	wait := time.Until(h.start.Add(time.Duration(at)*time.Millisecond + time.Duration(h.timers)))
	timer := time.NewTimer(wait)
	defer timer.Stop()
	h.mu.Unlock()
	defer h.mu.Lock()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (h *handler) sleep(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if d <= 0 {
		return nil
	}
	return h.until(ctx, h.now()+d.Milliseconds())
}

func (h *handler) run(t *testing.T) {
	h.start, h.pipes = time.Now(), map[string]*pipe{}
	h.outcomes = make([]string, len(h.rec.Scenario.Requests))
	h.mu.Lock()
	h.pipe("")
	for i, r := range h.rec.Scenario.Requests {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		h.timers++ // the request's own timer, created before all others
		at := time.Duration(r.At)*time.Millisecond + time.Duration(h.timers)
		time.AfterFunc(at, func() { h.request(ctx, i, r) })
		if c := r.CallerCancelsAt; c != nil {
			h.timers++
			time.AfterFunc(c.Duration()+time.Duration(h.timers), func() { cancel(errCaller) })
		}
	}
	h.mu.Unlock()
	time.Sleep(time.Hour)
}

func (h *handler) pipe(authority string) *pipe {
	o := h.rec.Scenario.Options
	if !o.PerAuthority {
		authority = ""
	}
	if p := h.pipes[authority]; p != nil {
		return p
	}
	p := &pipe{breaker: breaker.New(breaker.Polly{MinimumThroughput: o.BreakerMinimum, FailureRatio: o.FailureRatio})}
	var err error
	if p.limiter, err = limiter.New(limiter.Options{PermitLimit: o.PermitLimit}); err != nil {
		h.t.Fatal(err)
	}
	if o.DefaultBudget || o.RetryRatio != nil {
		p.budget, err = budget.New(budget.Options{
			RetryRatio: o.RetryRatio, MinimumThroughput: o.MinimumThroughput, SamplingDuration: o.SamplingDuration.Duration(),
		})
		if err != nil {
			h.t.Fatal(err)
		}
	}
	h.pipes[authority] = p
	return p
}

func (h *handler) request(ctx context.Context, i int, r handlerRequest) {
	h.mu.Lock()
	defer h.mu.Unlock()
	url := r.URL
	if url == "" {
		url = "http://svc-a/x"
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, url, http.NoBody)
	if err != nil {
		h.t.Error(err)
		return
	}
	p, calls := h.pipe(req.URL.Host), 0
	transport := h.transport(p, func(ctx context.Context) (*http.Response, error) {
		a := &handlerAttempt{request: i, n: calls, start: h.now()}
		h.attempts = append(h.attempts, a)
		calls++
		resp, err := h.backend(ctx, r.Script[min(a.n, len(r.Script)-1)])
		a.end, a.result = h.now(), result(resp, err)
		return resp, err
	}, req.Method)
	resp, err := limiter.Do(ctx, p.limiter, func(context.Context) (*http.Response, error) { return transport.RoundTrip(req) })
	h.outcomes[i] = outcomeFact(i, result(resp, err), h.now())
}

// roundTripper is a function as a round tripper.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// transport puts retry and breaker around a call.
func (h *handler) transport(p *pipe, call func(context.Context) (*http.Response, error), method string) http.RoundTripper {
	o := h.rec.Scenario.Options
	attempts := o.MaxRetryAttempts
	policy, err := retry.New(retry.Options{MaxRetryAttempts: attempts, Delay: o.Delay.Duration()})
	if err != nil || o.BackoffType != "Constant" {
		h.t.Fatalf("options %+v: %v", o, err)
	}
	rules := retry.HTTP{RetryError: func(ctx context.Context, err error) bool {
		return retry.IsFailure(ctx, err) && !errors.Is(err, breaker.ErrOpen)
	}}
	if !o.SafeOnly {
		rules.Methods = []string{method}
	}
	if o.Statuses != nil {
		rules.RetryStatus = func(code int) bool { return code == o.Statuses[0] }
	}
	e := retry.Executor[*http.Response]{Policy: policy, Budget: p.budget, Sleep: h.sleep}
	e.OnRetryBudgetExhausted = func(_ context.Context, a retry.Attempt[*http.Response]) {
		h.event(telemetry.Event{Kind: telemetry.OnRetryBudgetExhausted}, a.Number, 0, 0)
	}
	e.OnAttempt = func(_ context.Context, a retry.Attempt[*http.Response]) {
		h.event(telemetry.Event{Kind: telemetry.ExecutionAttempt, Handled: a.Handled, Last: a.Last}, a.Number, a.Duration, 0)
	}
	e.OnRetry = func(_ context.Context, a retry.Attempt[*http.Response], delay time.Duration) {
		h.event(telemetry.Event{Kind: telemetry.OnRetry}, a.Number, a.Duration, delay)
	}
	return retry.NewTransport(roundTripper(func(req *http.Request) (*http.Response, error) {
		permit, err := p.breaker.Acquire()
		if err != nil {
			return nil, err
		}
		resp, err := call(req.Context())
		switch {
		case errors.Is(err, context.Canceled), errors.Is(err, errCaller):
			permit.Ignore()
		case err != nil, retry.IsTransient(resp.StatusCode):
			permit.Failure()
		default:
			permit.Success()
		}
		return resp, err
	}), e, rules)
}

func (h *handler) event(e telemetry.Event, attempt int, took, delay time.Duration) {
	h.events = append(h.events, fmt.Sprintf("%d %s/%s %d %v %d %d", h.now(), e.Kind, e.Severity(), attempt, e.Handled,
		took.Round(time.Millisecond).Milliseconds(), delay.Milliseconds()))
}

var errRequest = errors.New("HttpRequestException")

// backend does one step of a script: what@milliseconds;Retry-After=x.
func (h *handler) backend(ctx context.Context, step string) (*http.Response, error) {
	step, retryAfter, _ := strings.Cut(step, ";Retry-After=")
	what, after, delayed := strings.Cut(step, "@")
	if delayed {
		d, err := strconv.ParseInt(after, 10, 64)
		if err != nil {
			h.t.Error(err)
		}
		if err := h.sleep(ctx, time.Duration(d)*time.Millisecond); err != nil {
			return nil, err
		}
	}
	if what == "throw:HttpRequestException" {
		return nil, errRequest
	}
	code, err := strconv.Atoi(what)
	if err != nil {
		h.t.Error(err)
	}
	resp := &http.Response{StatusCode: code, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("body"))}
	if retryAfter != "" {
		resp.Header.Set("Retry-After", retryAfter)
	}
	return resp, nil
}

func result(resp *http.Response, err error) string {
	switch {
	case err == nil:
		return strconv.Itoa(resp.StatusCode)
	case errors.Is(err, errCaller):
		return "TaskCanceledException"
	case errors.Is(err, breaker.ErrOpen):
		return "BrokenCircuitException"
	case errors.Is(err, limiter.ErrRejected):
		return "RateLimiterRejectedException"
	}
	return err.Error()
}
