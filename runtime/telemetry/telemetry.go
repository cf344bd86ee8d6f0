// Package telemetry says what a resilience pipeline did.
//
// It takes events from the pipeline and hands them to an [Observer]: for logs,
// metrics, spans, or a test. Adapters stand in packages of their own
// ([log/slog], Prometheus, OpenTelemetry), so that this one imports nothing but
// the standard library.
//
// Events, their names and their severities are Polly's (its resilience
// telemetry, recorded from Polly 8.9.1), so that dashboards and alerts written
// for Polly find the same words. Two kinds are margay's own: OnBodyFailure and
// OnRetryBudgetExhausted, the latter after the retry budget of
// Microsoft.Extensions.Http.Resilience.
//
// An observer must not be able to hurt a caller. Whoever emits events wraps
// the observer that it was given in [Safe], once, when it is built; neither
// adapters nor [Multi] guard anything themselves.
package telemetry

import (
	"context"
	"time"
)

// Observer is told what happens. Observe is called on the goroutine of the
// request, outside of every lock, and by many goroutines at once: it returns
// quickly and does not keep ctx.
//
// The ctx is the request's, or context.Background() where an event belongs to
// no request (a breaker isolated by hand).
type Observer interface {
	Observe(ctx context.Context, e Event)
}

// ObserverFunc makes an Observer of a function.
type ObserverFunc func(ctx context.Context, e Event)

// Observe calls f.
func (f ObserverFunc) Observe(ctx context.Context, e Event) { f(ctx, e) }

// Event is one thing that happened. Which fields are set depends on Kind and
// is said there; the others are zero. An Event is passed by value and is the
// observer's to keep.
type Event struct {
	// Kind says what happened.
	Kind Kind
	// Strategy is the strategy that reports.
	Strategy Strategy
	// Reason says why it happened or how it ended; ReasonNone is a success.
	Reason Reason
	// Handled reports whether the retry strategy took the outcome of an
	// attempt for one worth retrying.
	Handled bool
	// Last reports whether the retry strategy allows no attempt after this one.
	Last bool
	// Manual reports whether an operator moved the circuit, not an outcome.
	Manual bool
	// Attempt is the number of the attempt; the first is 0, as in Polly.
	Attempt int
	// StatusCode is the HTTP status; 0 where no response came.
	StatusCode int
	// Route is the ID of the route, "" for a pipeline without a plan. Where a route
	// stands for many services, each has a pipeline: then it is ServiceRoute.
	Route string
	// Host is the host that PassiveHealth reports about, as a URL; "" in all
	// other events.
	Host string
	// Duration is the time that what is reported has taken.
	Duration time.Duration
	// Delay is a time that was decided on: the wait before the next attempt,
	// how long the circuit stays open, the timeout that passed, the latency
	// that chaos adds.
	Delay time.Duration
	// Err is the error that came in place of a response; nil if none.
	Err error
}

// Severity returns how much the event should worry whoever reads it. It is
// that of the Kind, except for attempts: one that is retried is a Warning, one
// that failed with no attempt left is an Error. A host that is passed over is a
// Warning, as others are left.
func (e Event) Severity() Severity {
	switch {
	case e.Kind == OnCircuitOpened && e.Strategy == PassiveHealth:
		return Warning
	case e.Kind != ExecutionAttempt || !e.Handled:
		return e.Kind.Severity()
	case e.Last:
		return Error
	default:
		return Warning
	}
}
