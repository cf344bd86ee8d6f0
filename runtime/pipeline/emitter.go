package pipeline

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/health"
	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/runtime/timeout"
)

// emitter tells the observer what a pipeline does. Its methods do nothing while
// nobody listens.
type emitter struct {
	route    string
	observer telemetry.Observer
	silent   bool
	last     *lastFailure
}

// lastFailure is the outcome that the breaker was told last before it opened.
// Like Polly's, it is not tied to the very call that tripped it.
type lastFailure struct {
	atomic.Pointer[telemetry.Event]
}

func newEmitter(route string, o telemetry.Observer, onPanic func(telemetry.Event, any)) emitter {
	return emitter{route: route, observer: telemetry.Safe(o, onPanic), silent: telemetry.IsNop(o), last: &lastFailure{}}
}

func (e *emitter) emit(ctx context.Context, ev telemetry.Event) {
	if e.silent {
		return
	}
	ev.Route = e.route
	e.observer.Observe(ctx, ev)
}

// attempt tells that an attempt is over.
func (e *emitter) attempt(c *call, n int, err error, handled, last bool) {
	if e.silent {
		return
	}
	ev := c.describe(telemetry.ExecutionAttempt, n, err)
	ev.Handled, ev.Last = handled, last
	ev.Duration = time.Since(c.started)
	e.emit(c.ctx, ev)
}

// retry tells that another attempt will follow after delay.
func (e *emitter) retry(c *call, n int, err error, delay time.Duration) {
	if e.silent {
		return
	}
	ev := c.describe(telemetry.OnRetry, n, err)
	ev.Duration, ev.Delay = time.Since(c.started), delay
	e.emit(c.ctx, ev)
}

// exhausted tells that the budget refused a retry.
func (e *emitter) exhausted(c *call, n int, err error) {
	if e.silent {
		return
	}
	e.emit(c.ctx, c.describe(telemetry.OnRetryBudgetExhausted, n, err))
}

// remember keeps a failure for the event of the circuit that it may open.
func (e *emitter) remember(c *call, err error) {
	if e.silent {
		return
	}
	e.last.Store(&telemetry.Event{StatusCode: c.op.status(), Err: err, Reason: c.reason(c.ctx, c.op, err)})
}

// transition tells that the circuit changed its state.
func (e *emitter) transition(t breaker.Transition) {
	ev := changed(telemetry.CircuitBreaker, t)
	if last := e.last.Load(); last != nil && ev.Kind == telemetry.OnCircuitOpened && !t.Manual {
		ev.StatusCode, ev.Err, ev.Reason = last.StatusCode, last.Err, last.Reason
	}
	e.emit(context.Background(), ev)
}

// hostTransition tells that a host is passed over, probed or well again.
func (e *emitter) hostTransition(host health.Key, t breaker.Transition) {
	ev := changed(telemetry.PassiveHealth, t)
	ev.Host = host.String()
	e.emit(context.Background(), ev)
}

// changed returns the event of a change of state.
func changed(by telemetry.Strategy, t breaker.Transition) telemetry.Event {
	ev := telemetry.Event{Strategy: by, Manual: t.Manual}
	switch t.To {
	case breaker.Open, breaker.Isolated:
		ev.Kind = telemetry.OnCircuitOpened
		if !t.Until.IsZero() {
			ev.Delay = t.Until.Sub(t.At)
		}
	case breaker.HalfOpen, breaker.Recovering:
		ev.Kind = telemetry.OnCircuitHalfOpened
	default:
		ev.Kind = telemetry.OnCircuitClosed
	}
	return ev
}

func (e *emitter) timeout(ctx context.Context, missed *timeout.Error) {
	strategy, reason := telemetry.TotalTimeout, telemetry.ReasonTotalTimeout
	if missed.Kind == timeout.Attempt {
		strategy, reason = telemetry.AttemptTimeout, telemetry.ReasonAttemptTimeout
	}
	e.emit(ctx, telemetry.Event{Kind: telemetry.OnTimeout, Strategy: strategy, Reason: reason, Delay: missed.Limit, Err: missed})
}

func (e *emitter) chaosLatency(ctx context.Context, d time.Duration) {
	e.emit(ctx, telemetry.Event{Kind: telemetry.ChaosOnLatency, Strategy: telemetry.Chaos, Reason: telemetry.ReasonChaos, Delay: d})
}

func (e *emitter) chaosFault(ctx context.Context, fault error) {
	e.emit(ctx, telemetry.Event{Kind: telemetry.ChaosOnFault, Strategy: telemetry.Chaos, Reason: telemetry.ReasonChaos, Err: fault})
}

func (e *emitter) chaosOutcome(ctx context.Context, r *http.Response, err error) {
	ev := telemetry.Event{Kind: telemetry.ChaosOnOutcome, Strategy: telemetry.Chaos, Reason: telemetry.ReasonChaos, Err: err}
	if r != nil {
		ev.StatusCode = r.StatusCode
	}
	e.emit(ctx, ev)
}

// describe returns an event of the retry strategy about attempt n.
func (c *call) describe(kind telemetry.Kind, n int, err error) telemetry.Event {
	return telemetry.Event{Kind: kind, Strategy: telemetry.Retry, Attempt: n, StatusCode: c.op.status(), Err: err,
		Reason: c.reason(c.ctx, c.op, err)}
}

// reason sorts an outcome into the closed set of causes.
func (p *Pipeline) reason(ctx context.Context, op operation, err error) telemetry.Reason {
	if err == nil {
		if p.judge.failures.has(op.status()) {
			return telemetry.ReasonStatus
		}
		return telemetry.ReasonNone
	}
	if missed, ok := errors.AsType[*timeout.Error](err); ok {
		if missed.Kind == timeout.Attempt {
			return telemetry.ReasonAttemptTimeout
		}
		return telemetry.ReasonTotalTimeout
	}
	switch {
	case errors.Is(err, breaker.ErrIsolated):
		return telemetry.ReasonCircuitIsolated
	case errors.Is(err, breaker.ErrOpen):
		return telemetry.ReasonCircuitOpen
	case errors.Is(err, limiter.ErrRejected):
		return telemetry.ReasonLimited
	case isCallers(ctx, op, err), errors.Is(err, context.Canceled):
		return telemetry.ReasonCancelled
	}
	return telemetry.ReasonTransport
}

// Observe returns a function for breaker.OnTransition that tells o about the
// changes of a circuit, under the name of a route.
func Observe(route string, o telemetry.Observer) func(breaker.Transition) {
	e := newEmitter(route, o, nil)
	return e.transition
}
