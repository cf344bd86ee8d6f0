package otel

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/margay-dev/margay/runtime/telemetry"
)

// The attributes of span events, beside those of the metrics. A span is about
// one call, so they may have any value.
const (
	attrAttempt  = attribute.Key("attempt.number")
	attrStatus   = attribute.Key("http.response.status_code")
	attrDuration = attribute.Key("duration.ms")
	attrDelay    = attribute.Key("delay.ms")
	attrMessage  = attribute.Key("exception.message")
)

// annotate adds e to the span in ctx, if there is one that is recorded. The end
// of the call is no event: it is the span's own.
func annotate(ctx context.Context, e telemetry.Event) {
	if e.Kind == telemetry.PipelineExecuted {
		return
	}
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	span.AddEvent(e.Kind.String(), trace.WithAttributes(details(e)...))
}

func details(e telemetry.Event) []attribute.KeyValue {
	attrs := []attribute.KeyValue{
		attrSeverity.String(e.Severity().String()), attrPipeline.String(e.Route), attrStrategy.String(e.Strategy.String()),
	}
	switch e.Kind {
	case telemetry.ExecutionAttempt:
		attrs = append(attrs, attrAttempt.Int(e.Attempt), attrHandled.Bool(e.Handled))
	case telemetry.OnRetry, telemetry.OnRetryBudgetExhausted:
		attrs = append(attrs, attrAttempt.Int(e.Attempt))
	}
	if e.StatusCode != 0 {
		attrs = append(attrs, attrStatus.Int(e.StatusCode))
	}
	if e.Reason != telemetry.ReasonNone {
		attrs = append(attrs, attrError.String(e.Reason.String()))
	}
	if e.Duration != 0 {
		attrs = append(attrs, attrDuration.Float64(milliseconds(e.Duration)))
	}
	if e.Delay != 0 {
		attrs = append(attrs, attrDelay.Float64(milliseconds(e.Delay)))
	}
	if e.Err != nil {
		attrs = append(attrs, attrMessage.String(e.Err.Error()))
	}
	return attrs
}
