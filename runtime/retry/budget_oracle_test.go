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
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/budget"
	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/pollytest"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// handlerOptions are the options of the standard handler that the recordings of
// the budget set; everything else has its default there.
type handlerOptions struct {
	BackoffType       string                 `json:"Retry.BackoffType"`
	Delay             pollytest.Milliseconds `json:"Retry.Delay"`
	MaxRetryAttempts  int                    `json:"Retry.MaxRetryAttempts"`
	SafeOnly          bool                   `json:"Retry.DisableForUnsafeHttpMethods"`
	Statuses          []int                  `json:"Retry.ShouldHandle"`
	DefaultBudget     bool                   `json:"Retry.RetryBudget"`
	RetryRatio        *float64               `json:"Retry.RetryBudget.RetryRatio"`
	MinimumThroughput int                    `json:"Retry.RetryBudget.MinimumThroughput"`
	SamplingDuration  pollytest.Milliseconds `json:"Retry.RetryBudget.SamplingDuration"`
	PerAuthority      bool                   `json:"SelectPipelineByAuthority"`
	PermitLimit       int                    `json:"RateLimiter.PermitLimit"`
	BreakerMinimum    int                    `json:"CircuitBreaker.MinimumThroughput"`
	FailureRatio      float64                `json:"CircuitBreaker.FailureRatio"`
}

// handlerRecording is a trace of the standard handler with a budget.
type handlerRecording struct {
	ID, Kind, Semantics string
	Scenario            struct {
		Options  handlerOptions
		Requests []handlerRequest
	}
	Result struct {
		Attempts []struct {
			Request, N int
			Start, End pollytest.Milliseconds
			Result     any
		}
		Outcomes []struct {
			Status    int
			Exception string
			T         pollytest.Milliseconds
		}
		Events []struct {
			T                         pollytest.Milliseconds
			Event, Severity, Strategy string
			Args                      struct {
				Attempt             int
				Handled             bool
				DurationMs, DelayMs pollytest.Milliseconds
			}
		}
	}
}

type handlerRequest struct {
	At              pollytest.Milliseconds
	CallerCancelsAt *pollytest.Milliseconds
	Method, URL     string
	Script          []string
}

// facts returns the recording as text, one fact a line: attempts, then the
// events of the retry strategy, then outcomes.
func (r *handlerRecording) facts() (out []string) {
	for _, a := range r.Result.Attempts {
		out = append(out, attemptFact(a.Request, a.N, ms(a.Start), ms(a.End), fmt.Sprint(a.Result)))
	}
	for _, e := range r.Result.Events {
		if e.Strategy != "Standard-Retry" {
			continue
		}
		out = append(out, fmt.Sprintf("%d %s/%s %d %v %d %d", ms(e.T), e.Event, e.Severity, e.Args.Attempt, e.Args.Handled,
			ms(e.Args.DurationMs), ms(e.Args.DelayMs)))
	}
	for i, o := range r.Result.Outcomes {
		result := o.Exception
		if result == "" {
			result = strconv.Itoa(o.Status)
		}
		out = append(out, outcomeFact(i, result, ms(o.T)))
	}
	return out
}

func ms(m pollytest.Milliseconds) int64 { return m.Duration().Milliseconds() }

func attemptFact(request, n int, start, end int64, result string) string {
	return fmt.Sprintf("request %d attempt %d: %d to %d: %s", request, n, start, end, result)
}

func outcomeFact(request int, result string, at int64) string {
	return fmt.Sprintf("request %d: %s at %d", request, result, at)
}

// TestOracleRetryBudget replays the traces of whole handlers; the counters
// alone are replayed in runtime/budget. How options are bound and registered in
// code (retry-budget-misc) records no scenario that could be played.
func TestOracleRetryBudget(t *testing.T) {
	tally := oracletest.NewTally("retry-budget")
	oracletest.Lines(t, "retry-budget.jsonl.gz", func(line []byte) {
		var head struct{ Kind, Semantics string }
		pollytest.Decode(t, line, &head)
		if head.Semantics != "retry-budget-handler" || head.Kind == "validate" {
			return
		}
		var rec handlerRecording
		pollytest.Decode(t, line, &rec)
		h := &handler{t: t, rec: &rec}
		synctest.Test(t, h.run)
		if diff := firstDifference(h.facts(), rec.facts()); diff != "" {
			tally.Differ(rec.Kind, rec.ID, "%s", diff)
			return
		}
		tally.Agree(rec.Kind)
	})
	tally.Report(t)
}

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
