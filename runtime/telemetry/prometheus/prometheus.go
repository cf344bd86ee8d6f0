// Package prometheus counts the events of resilience pipelines for Prometheus.
//
// New returns an [Observer], which is a [telemetry.Observer] and a collector:
// give it to the pipelines and register it. With the default Namespace, it has
//
//   - margay_strategy_events_total, a counter of all events but
//     ExecutionAttempt and PipelineExecuted, which have the histograms;
//   - margay_strategy_attempt_duration_seconds and
//     margay_pipeline_duration_seconds, histograms;
//   - margay_circuit_state, a gauge for every circuit that has changed its
//     state: 0 closed, 1 half-open or recovering, 2 open, 3 isolated.
//
// The labels are the tags of Polly's metrics, in Prometheus's spelling:
// event_name, event_severity, pipeline_name (the route), strategy_name, and
// attempt_handled; error_type stands for Polly's exception.type and holds the
// reason, empty for a success. Every label has a closed set of values, except
// for the route, which [telemetry.RouteLabels] bounds.
package prometheus

import (
	"context"
	"strconv"

	client "github.com/prometheus/client_golang/prometheus"

	"github.com/margay-dev/margay/runtime/telemetry"
)

// Options are what a caller may choose. The zero value is the default.
type Options struct {
	// Namespace is what all names begin with; empty is "margay".
	Namespace string
	// Buckets are the upper edges of the histograms, in seconds; nil is from
	// 1 ms to 60 s.
	Buckets []float64
	// MaxRoutes is how many routes have series of their own, the others share
	// one; zero or less is telemetry.DefaultMaxRoutes.
	MaxRoutes int
}

const (
	labelEvent    = "event_name"
	labelSeverity = "event_severity"
	labelPipeline = "pipeline_name"
	labelStrategy = "strategy_name"
	labelError    = "error_type"
	labelHandled  = "attempt_handled"
)

// Observer counts events. New makes one; the zero value does not work.
type Observer struct {
	events   *client.CounterVec
	attempts *client.HistogramVec
	calls    *client.HistogramVec
	circuits *client.GaugeVec
	routes   telemetry.RouteLabels
}

var (
	_ telemetry.RouteObserver = (*Observer)(nil)
	_ client.Collector        = (*Observer)(nil)
)

// New returns an Observer that has seen nothing yet. It is not registered.
func New(opts Options) *Observer {
	if opts.Namespace == "" {
		opts.Namespace = "margay"
	}
	if opts.Buckets == nil {
		opts.Buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}
	}
	histogram := func(name, help string, labels ...string) *client.HistogramVec {
		return client.NewHistogramVec(client.HistogramOpts{
			Namespace: opts.Namespace, Name: name, Help: help, Buckets: opts.Buckets,
		}, labels)
	}
	return &Observer{
		events: client.NewCounterVec(client.CounterOpts{
			Namespace: opts.Namespace, Name: "strategy_events_total", Help: "Events of resilience strategies.",
		}, []string{labelEvent, labelSeverity, labelPipeline, labelStrategy, labelError}),
		attempts: histogram("strategy_attempt_duration_seconds", "Duration of single attempts.",
			labelPipeline, labelStrategy, labelHandled, labelError),
		calls: histogram("pipeline_duration_seconds", "Duration of calls through the whole pipeline, until the headers.",
			labelPipeline, labelError),
		circuits: client.NewGaugeVec(client.GaugeOpts{
			Namespace: opts.Namespace, Name: "circuit_state",
			Help: "State of the circuit: 0 closed, 1 half-open or recovering, 2 open, 3 isolated.",
		}, []string{labelPipeline}),
		routes: telemetry.RouteLabels{Max: opts.MaxRoutes},
	}
}

// Observe counts e.
func (o *Observer) Observe(_ context.Context, e telemetry.Event) {
	route := o.routes.Of(e.Route)
	switch e.Kind {
	case telemetry.PipelineExecuted:
		o.calls.WithLabelValues(route, e.Reason.String()).Observe(e.Duration.Seconds())
		return
	case telemetry.ExecutionAttempt:
		handled := strconv.FormatBool(e.Handled)
		o.attempts.WithLabelValues(route, e.Strategy.String(), handled, e.Reason.String()).Observe(e.Duration.Seconds())
		return
	}
	o.events.WithLabelValues(e.Kind.String(), e.Severity().String(), route, e.Strategy.String(), e.Reason.String()).Inc()
	// The circuits of the routes beyond the limit have no state in common.
	if circuit, ok := e.Circuit(); ok && route == e.Route {
		o.circuits.WithLabelValues(route).Set(float64(circuit))
	}
}

// Describe implements the Collector of Prometheus.
func (o *Observer) Describe(to chan<- *client.Desc) {
	o.events.Describe(to)
	o.attempts.Describe(to)
	o.calls.Describe(to)
	o.circuits.Describe(to)
}

// Collect implements the Collector of Prometheus.
func (o *Observer) Collect(to chan<- client.Metric) {
	o.events.Collect(to)
	o.attempts.Collect(to)
	o.calls.Collect(to)
	o.circuits.Collect(to)
}
