package otel

import (
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/margay-dev/margay/runtime/telemetry"
)

// The attributes, in Polly's names where it has one.
const (
	attrEvent    = attribute.Key("event.name")
	attrSeverity = attribute.Key("event.severity")
	attrPipeline = attribute.Key("pipeline.name")
	attrStrategy = attribute.Key("strategy.name")
	attrHandled  = attribute.Key("attempt.handled")
	attrError    = attribute.Key("error.type")
)

// series keeps the attributes of every combination that was seen, because to
// build a set costs more than to count. There are not many: each part of the
// key has few values, and the routes are bounded.
type series struct {
	routes telemetry.RouteLabels
	known  sync.Map // key → *set
}

// key is what tells two series apart.
type key struct {
	route    string
	kind     telemetry.Kind
	severity telemetry.Severity
	strategy telemetry.Strategy
	reason   telemetry.Reason
	handled  bool
}

// set is the attributes of a series, in the forms that the instruments take.
type set struct {
	add    []metric.AddOption
	record []metric.RecordOption
	route  []metric.RecordOption // of the circuit alone
	own    bool                  // the route has series of its own
}

func (s *series) of(e telemetry.Event) *set {
	k := key{s.routes.Of(e.Route), e.Kind, e.Severity(), e.Strategy, e.Reason, e.Handled}
	if known, ok := s.known.Load(k); ok {
		return known.(*set)
	}
	fresh, _ := s.known.LoadOrStore(k, newSet(k, k.route == e.Route))
	return fresh.(*set)
}

func newSet(k key, own bool) *set {
	route := attrPipeline.String(k.route)
	attrs := []attribute.KeyValue{attrEvent.String(k.kind.String()), attrSeverity.String(k.severity.String()), route}
	if k.kind != telemetry.PipelineExecuted {
		attrs = append(attrs, attrStrategy.String(k.strategy.String()))
	}
	if k.kind == telemetry.ExecutionAttempt {
		attrs = append(attrs, attrHandled.Bool(k.handled))
	}
	if k.reason != telemetry.ReasonNone {
		attrs = append(attrs, attrError.String(k.reason.String()))
	}
	all := metric.WithAttributeSet(attribute.NewSet(attrs...))
	return &set{
		add:    []metric.AddOption{all},
		record: []metric.RecordOption{all},
		route:  []metric.RecordOption{metric.WithAttributeSet(attribute.NewSet(route))},
		own:    own,
	}
}
