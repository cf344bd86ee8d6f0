// Package slog writes the events of resilience pipelines to a [log/slog]
// logger.
//
// It takes a logger and returns a [telemetry.Observer]. The message of a record
// is the name of the event, its attributes are those fields of the event that
// are set. Nothing is buffered, and no record is dropped.
package slog

import (
	"context"
	stdslog "log/slog"

	"github.com/margay-dev/margay/runtime/telemetry"
)

// Options are what a caller may choose. The zero value is the default.
type Options struct {
	// Level returns the level at which an event is logged; nil is [Level].
	Level func(e telemetry.Event) stdslog.Level
}

// New returns an Observer that writes to logger; nil is [log/slog.Default], as
// it is at the time of the event.
func New(logger *stdslog.Logger, opts Options) telemetry.Observer {
	o := &observer{logger: logger, level: opts.Level}
	if o.level == nil {
		o.level = Level
	}
	return o
}

// Level is the level of an event by default: that of its severity, except that
// what happens on every call that goes well, PipelineExecuted and an
// ExecutionAttempt that is not handled, is for debugging.
func Level(e telemetry.Event) stdslog.Level {
	switch e.Severity() {
	case telemetry.Error:
		return stdslog.LevelError
	case telemetry.Warning:
		return stdslog.LevelWarn
	}
	if e.Kind == telemetry.PipelineExecuted || e.Kind == telemetry.ExecutionAttempt {
		return stdslog.LevelDebug
	}
	return stdslog.LevelInfo
}

type observer struct {
	logger *stdslog.Logger
	level  func(telemetry.Event) stdslog.Level
}

func (o *observer) Observe(ctx context.Context, e telemetry.Event) {
	logger := o.logger
	if logger == nil {
		logger = stdslog.Default()
	}
	level := o.level(e)
	if !logger.Enabled(ctx, level) {
		return
	}
	var room [maxAttributes]stdslog.Attr
	logger.LogAttrs(ctx, level, e.Kind.String(), attributes(e, room[:0])...)
}

// maxAttributes is how many attributes an event has at most.
const maxAttributes = 11

// attributes appends those of e that are set.
func attributes(e telemetry.Event, attrs []stdslog.Attr) []stdslog.Attr {
	if e.Route != "" {
		attrs = append(attrs, stdslog.String("route", e.Route))
	}
	if e.Host != "" {
		attrs = append(attrs, stdslog.String("host", e.Host))
	}
	if e.Strategy != telemetry.Pipeline {
		attrs = append(attrs, stdslog.String("strategy", e.Strategy.String()))
	}
	if numbered(e.Kind) {
		attrs = append(attrs, stdslog.Int("attempt", e.Attempt))
	}
	if e.Kind == telemetry.ExecutionAttempt {
		attrs = append(attrs, stdslog.Bool("handled", e.Handled))
	}
	if e.StatusCode != 0 {
		attrs = append(attrs, stdslog.Int("status", e.StatusCode))
	}
	if e.Reason != telemetry.ReasonNone {
		attrs = append(attrs, stdslog.String("reason", e.Reason.String()))
	}
	if e.Duration != 0 {
		attrs = append(attrs, stdslog.Duration("duration", e.Duration))
	}
	if e.Delay != 0 {
		attrs = append(attrs, stdslog.Duration("delay", e.Delay))
	}
	if e.Manual {
		attrs = append(attrs, stdslog.Bool("manual", true))
	}
	if e.Err != nil {
		attrs = append(attrs, stdslog.Any("error", e.Err))
	}
	return attrs
}

// numbered reports whether the events of a kind are about one attempt, which
// may be number 0.
func numbered(k telemetry.Kind) bool {
	switch k {
	case telemetry.ExecutionAttempt, telemetry.OnRetry, telemetry.OnRetryBudgetExhausted:
		return true
	default:
		return false
	}
}
