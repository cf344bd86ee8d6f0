package otel_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/runtime/telemetry/otel"
)

// observed returns an observer and what it has reported: values by instrument
// and attributes.
func observed(t testing.TB, opts otel.Options) (telemetry.Observer, func() map[string]float64) {
	t.Helper()
	reader := sdkmetric.NewManualReader()
	opts.MeterProvider = sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader), sdkmetric.WithCardinalityLimit(0))
	o, err := otel.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return o, func() map[string]float64 {
		var data metricdata.ResourceMetrics
		if err := reader.Collect(context.Background(), &data); err != nil {
			t.Fatal(err)
		}
		values := map[string]float64{}
		for _, scope := range data.ScopeMetrics {
			for _, m := range scope.Metrics {
				flatten(t, m, values)
			}
		}
		return values
	}
}

func flatten(t testing.TB, m metricdata.Metrics, into map[string]float64) {
	t.Helper()
	name := func(set attribute.Set) string { return m.Name + " " + set.Encoded(attribute.DefaultEncoder()) }
	switch data := m.Data.(type) {
	case metricdata.Sum[int64]:
		for _, p := range data.DataPoints {
			into[name(p.Attributes)] = float64(p.Value)
		}
	case metricdata.Gauge[int64]:
		for _, p := range data.DataPoints {
			into[name(p.Attributes)] = float64(p.Value)
		}
	case metricdata.Histogram[float64]:
		for _, p := range data.DataPoints {
			into[name(p.Attributes)] = p.Sum
		}
	default:
		t.Fatalf("%s: got data of type %T", m.Name, data)
	}
}

func TestMetrics(t *testing.T) {
	o, values := observed(t, otel.Options{})
	for _, e := range []telemetry.Event{
		{Kind: telemetry.ExecutionAttempt, Strategy: telemetry.Retry, Route: "orders", Duration: 50 * time.Millisecond, Handled: true, Reason: telemetry.ReasonStatus, StatusCode: 503},
		{Kind: telemetry.OnRetry, Strategy: telemetry.Retry, Route: "orders", Reason: telemetry.ReasonStatus, StatusCode: 503},
		{Kind: telemetry.OnRetry, Strategy: telemetry.Retry, Route: "orders", Reason: telemetry.ReasonStatus, StatusCode: 500},
		{Kind: telemetry.ExecutionAttempt, Strategy: telemetry.Retry, Route: "orders", Attempt: 1, Duration: 1500 * time.Microsecond, Last: true},
		{Kind: telemetry.PipelineExecuted, Route: "orders", Duration: 2 * time.Second},
		{Kind: telemetry.OnCircuitOpened, Strategy: telemetry.CircuitBreaker, Route: "users", Reason: telemetry.ReasonTransport},
	} {
		o.Observe(t.Context(), e)
	}
	want := map[string]float64{
		"resilience.polly.strategy.attempt.duration attempt.handled=true,error.type=status,event.name=ExecutionAttempt,event.severity=Warning,pipeline.name=orders,strategy.name=Retry": 50,
		"resilience.polly.strategy.attempt.duration attempt.handled=false,event.name=ExecutionAttempt,event.severity=Information,pipeline.name=orders,strategy.name=Retry":              1.5,
		"resilience.polly.pipeline.duration event.name=PipelineExecuted,event.severity=Information,pipeline.name=orders":                                                                2000,
		"resilience.polly.strategy.events error.type=status,event.name=OnRetry,event.severity=Warning,pipeline.name=orders,strategy.name=Retry":                                         2,
		"resilience.polly.strategy.events error.type=transport,event.name=OnCircuitOpened,event.severity=Error,pipeline.name=users,strategy.name=CircuitBreaker":                        1,
		"resilience.circuit.state pipeline.name=users": 2,
	}
	if got := values(); !maps.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestCircuitState(t *testing.T) {
	o, values := observed(t, otel.Options{})
	for _, tc := range []struct {
		event telemetry.Event
		want  float64
	}{
		{telemetry.Event{Kind: telemetry.OnCircuitOpened}, 2},
		{telemetry.Event{Kind: telemetry.OnCircuitHalfOpened}, 1},
		{telemetry.Event{Kind: telemetry.OnCircuitClosed}, 0},
		{telemetry.Event{Kind: telemetry.OnCircuitOpened, Manual: true}, 3},
	} {
		tc.event.Route = "orders"
		o.Observe(t.Context(), tc.event)
		if got := values()["resilience.circuit.state pipeline.name=orders"]; got != tc.want {
			t.Errorf("after %v: got %v, want %v", tc.event.Kind, got, tc.want)
		}
	}
}

func TestRoutesAreBounded(t *testing.T) {
	o, values := observed(t, otel.Options{MaxRoutes: 3})
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			o.Observe(t.Context(), telemetry.Event{Kind: telemetry.OnCircuitOpened, Route: fmt.Sprint("route ", i)})
		})
	}
	wg.Wait()
	events, circuits := 0, 0
	for name := range values() {
		switch instrument, _, _ := strings.Cut(name, " "); instrument {
		case "resilience.polly.strategy.events":
			events++
		case "resilience.circuit.state":
			circuits++
		}
	}
	if events != 4 || circuits != 3 {
		t.Errorf("got %d series of events and %d of circuits, want 4 and 3", events, circuits)
	}
}

func TestSpanEvents(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	tracer := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)).Tracer("test")
	o, _ := observed(t, otel.Options{})

	ctx, span := tracer.Start(t.Context(), "GET /orders")
	o.Observe(ctx, telemetry.Event{
		Kind: telemetry.OnRetry, Strategy: telemetry.Retry, Route: "orders", Reason: telemetry.ReasonTransport,
		Delay: 200 * time.Millisecond, Duration: time.Millisecond, Err: errors.New("connection refused"),
	})
	o.Observe(ctx, telemetry.Event{Kind: telemetry.ExecutionAttempt, Strategy: telemetry.Retry, Route: "orders", Attempt: 1, StatusCode: 200})
	o.Observe(ctx, telemetry.Event{Kind: telemetry.PipelineExecuted, Route: "orders", Duration: time.Second})
	o.Observe(context.Background(), telemetry.Event{Kind: telemetry.OnCircuitClosed})
	span.End()

	var got []string
	for _, e := range spans.Ended()[0].Events() {
		set := attribute.NewSet(e.Attributes...)
		got = append(got, e.Name+" "+set.Encoded(attribute.DefaultEncoder()))
	}
	want := []string{
		"OnRetry attempt.number=0,delay.ms=200,duration.ms=1,error.type=transport,event.severity=Warning,exception.message=connection refused,pipeline.name=orders,strategy.name=Retry",
		"ExecutionAttempt attempt.handled=false,attempt.number=1,event.severity=Information,http.response.status_code=200,pipeline.name=orders,strategy.name=Retry",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestNewReportsWhatTheProviderReports(t *testing.T) {
	_, err := otel.New(otel.Options{MeterProvider: refusing{}})
	if !errors.Is(err, errRefused) {
		t.Errorf("got %v, want %v", err, errRefused)
	}
	if _, err := otel.New(otel.Options{}); err != nil {
		t.Errorf("with the global provider: got %v, want no error", err)
	}
}

var errRefused = errors.New("no gauges here")

type refusing struct{ noop.MeterProvider }

func (refusing) Meter(string, ...metric.MeterOption) metric.Meter { return refusingMeter{} }

type refusingMeter struct{ noop.Meter }

func (refusingMeter) Int64Gauge(string, ...metric.Int64GaugeOption) (metric.Int64Gauge, error) {
	return noop.Int64Gauge{}, errRefused
}

func BenchmarkObserve(b *testing.B) {
	for _, e := range []telemetry.Event{
		{Kind: telemetry.PipelineExecuted, Route: "orders", Duration: time.Millisecond},
		{Kind: telemetry.OnRetry, Strategy: telemetry.Retry, Route: "orders", Reason: telemetry.ReasonStatus},
	} {
		o, _ := observed(b, otel.Options{})
		b.Run(e.Kind.String(), func(b *testing.B) {
			b.ReportAllocs()
			ctx := b.Context()
			for b.Loop() {
				o.Observe(ctx, e)
			}
		})
	}
}

func Example() {
	reader := sdkmetric.NewManualReader()
	o, err := otel.New(otel.Options{MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	telemetry.Safe(o, nil).Observe(ctx, telemetry.Event{Kind: telemetry.OnTimeout, Strategy: telemetry.AttemptTimeout, Route: "orders"})

	var data metricdata.ResourceMetrics
	if err := reader.Collect(ctx, &data); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(data.ScopeMetrics[0].Metrics[0].Name)
	// Output:
	// resilience.polly.strategy.events
}
