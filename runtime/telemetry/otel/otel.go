// Package otel reports the events of resilience pipelines to OpenTelemetry: as
// metrics, and as events of the span that is in the context.
//
// It takes a meter provider and returns a [telemetry.Observer]. The instruments
// are Polly's, so that a dashboard for Polly shows margay as well:
//
//   - resilience.polly.strategy.events, a counter of all events but
//     ExecutionAttempt and PipelineExecuted, which have the histograms;
//   - resilience.polly.strategy.attempt.duration and
//     resilience.polly.pipeline.duration, histograms in milliseconds;
//   - resilience.circuit.state, a gauge of margay's own: 0 closed, 1 half-open
//     or recovering, 2 open, 3 isolated.
//
// So are the attributes: event.name, event.severity, pipeline.name (the route),
// strategy.name and attempt.handled; error.type, which is absent from a success,
// holds the reason in place of Polly's exception.type. Every attribute of a
// metric has a closed set of values, except for the route, which
// [telemetry.RouteLabels] bounds.
package otel

import (
	"context"
	"errors"
	"fmt"
	"time"

	api "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"

	"github.com/margay-dev/margay/runtime/telemetry"
)

// scope is the name of the meter.
const scope = "github.com/margay-dev/margay/runtime/telemetry/otel"

// Options are what a caller may choose. The zero value is the default.
type Options struct {
	// MeterProvider makes the instruments; nil is the global one.
	MeterProvider metric.MeterProvider
	// MaxRoutes is how many routes have series of their own, the others share
	// one; zero or less is telemetry.DefaultMaxRoutes.
	MaxRoutes int
}

// New returns an Observer. The error is the provider's, about an instrument
// that it can't make.
func New(opts Options) (telemetry.Observer, error) {
	provider := opts.MeterProvider
	if provider == nil {
		provider = api.GetMeterProvider()
	}
	meter := provider.Meter(scope)
	events, err1 := meter.Int64Counter("resilience.polly.strategy.events",
		metric.WithDescription("Events of resilience strategies."))
	attempts, err2 := meter.Float64Histogram("resilience.polly.strategy.attempt.duration",
		metric.WithUnit("ms"), metric.WithDescription("Duration of single attempts."))
	calls, err3 := meter.Float64Histogram("resilience.polly.pipeline.duration",
		metric.WithUnit("ms"), metric.WithDescription("Duration of calls through the whole pipeline, until the headers."))
	circuits, err4 := meter.Int64Gauge("resilience.circuit.state",
		metric.WithDescription("State of the circuit: 0 closed, 1 half-open or recovering, 2 open, 3 isolated."))
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, fmt.Errorf("make instruments: %w", err)
	}
	return &observer{
		events: events, attempts: attempts, calls: calls, circuits: circuits,
		series: series{routes: telemetry.RouteLabels{Max: opts.MaxRoutes}},
	}, nil
}

type observer struct {
	events   metric.Int64Counter
	attempts metric.Float64Histogram
	calls    metric.Float64Histogram
	circuits metric.Int64Gauge
	series   series
}

func (o *observer) Observe(ctx context.Context, e telemetry.Event) {
	annotate(ctx, e)
	s := o.series.of(e)
	switch e.Kind {
	case telemetry.PipelineExecuted:
		o.calls.Record(ctx, milliseconds(e.Duration), s.record...)
		return
	case telemetry.ExecutionAttempt:
		o.attempts.Record(ctx, milliseconds(e.Duration), s.record...)
		return
	}
	o.events.Add(ctx, 1, s.add...)
	if circuit, ok := e.Circuit(); ok && s.own {
		o.circuits.Record(ctx, int64(circuit), s.route...)
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
