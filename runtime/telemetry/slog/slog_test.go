package slog_test

import (
	"bytes"
	"context"
	"errors"
	stdslog "log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/runtime/telemetry/slog"
)

// plain makes a logger without times.
func plain(w *bytes.Buffer, level stdslog.Level) *stdslog.Logger {
	return stdslog.New(stdslog.NewTextHandler(w, &stdslog.HandlerOptions{Level: level, ReplaceAttr: dropTime}))
}

func dropTime(_ []string, a stdslog.Attr) stdslog.Attr {
	if a.Key == stdslog.TimeKey {
		return stdslog.Attr{}
	}
	return a
}

func TestRecords(t *testing.T) {
	refused := errors.New("connection refused")
	for _, tc := range []struct {
		event telemetry.Event
		want  string
	}{
		{
			telemetry.Event{
				Kind: telemetry.OnRetry, Strategy: telemetry.Retry, Route: "orders", Reason: telemetry.ReasonTransport,
				Duration: 3 * time.Millisecond, Delay: 200 * time.Millisecond, Err: refused,
			},
			`level=WARN msg=OnRetry route=orders strategy=Retry attempt=0 reason=transport duration=3ms delay=200ms error="connection refused"`,
		},
		{
			telemetry.Event{Kind: telemetry.ExecutionAttempt, Strategy: telemetry.Retry, Attempt: 2, Handled: true, Last: true, StatusCode: 503, Reason: telemetry.ReasonStatus},
			`level=ERROR msg=ExecutionAttempt strategy=Retry attempt=2 handled=true status=503 reason=status`,
		},
		{
			telemetry.Event{Kind: telemetry.ExecutionAttempt, Strategy: telemetry.Retry, StatusCode: 200},
			`level=DEBUG msg=ExecutionAttempt strategy=Retry attempt=0 handled=false status=200`,
		},
		{
			telemetry.Event{Kind: telemetry.PipelineExecuted, Route: "orders", Duration: time.Second, StatusCode: 200},
			`level=DEBUG msg=PipelineExecuted route=orders status=200 duration=1s`,
		},
		{
			telemetry.Event{Kind: telemetry.OnCircuitOpened, Strategy: telemetry.CircuitBreaker, Route: "orders", Manual: true},
			`level=ERROR msg=OnCircuitOpened route=orders strategy=CircuitBreaker manual=true`,
		},
		{
			telemetry.Event{Kind: telemetry.OnCircuitClosed, Strategy: telemetry.CircuitBreaker, Route: "orders"},
			`level=INFO msg=OnCircuitClosed route=orders strategy=CircuitBreaker`,
		},
	} {
		var out bytes.Buffer
		slog.New(plain(&out, stdslog.LevelDebug), slog.Options{}).Observe(t.Context(), tc.event)
		if got := strings.TrimSpace(out.String()); got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
	}
}

func TestLevel(t *testing.T) {
	var out bytes.Buffer
	quiet := slog.Options{Level: func(telemetry.Event) stdslog.Level { return stdslog.LevelDebug }}
	slog.New(plain(&out, stdslog.LevelInfo), quiet).Observe(t.Context(), telemetry.Event{Kind: telemetry.OnTimeout})
	if out.Len() > 0 {
		t.Errorf("got %q below the level of the logger", out.String())
	}
}

func TestNilLoggerIsTheDefault(t *testing.T) {
	var out bytes.Buffer
	before := stdslog.Default()
	t.Cleanup(func() { stdslog.SetDefault(before) })
	o := slog.New(nil, slog.Options{})
	stdslog.SetDefault(plain(&out, stdslog.LevelInfo))
	o.Observe(t.Context(), telemetry.Event{Kind: telemetry.OnTimeout})
	if !strings.Contains(out.String(), "msg=OnTimeout") {
		t.Errorf("got %q, want the event", out.String())
	}
}

func TestSilentAllocatesNothing(t *testing.T) {
	var out bytes.Buffer
	o := slog.New(plain(&out, stdslog.LevelInfo), slog.Options{})
	ctx := t.Context()
	e := telemetry.Event{Kind: telemetry.PipelineExecuted, Route: "orders", Duration: 1}
	if got := testing.AllocsPerRun(100, func() { o.Observe(ctx, e) }); got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
}

func BenchmarkObserve(b *testing.B) {
	e := telemetry.Event{Kind: telemetry.OnRetry, Strategy: telemetry.Retry, Route: "orders", Reason: telemetry.ReasonStatus, StatusCode: 503, Delay: time.Second, Duration: time.Millisecond}
	for name, level := range map[string]stdslog.Level{"written": stdslog.LevelInfo, "below-level": stdslog.LevelError} {
		o := slog.New(stdslog.New(stdslog.NewTextHandler(discard{}, &stdslog.HandlerOptions{Level: level})), slog.Options{})
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			ctx := b.Context()
			for b.Loop() {
				o.Observe(ctx, e)
			}
		})
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func Example() {
	logger := stdslog.New(stdslog.NewTextHandler(os.Stdout, &stdslog.HandlerOptions{ReplaceAttr: dropTime}))
	o := telemetry.Safe(slog.New(logger, slog.Options{}), nil)
	o.Observe(context.Background(), telemetry.Event{
		Kind: telemetry.OnCircuitOpened, Strategy: telemetry.CircuitBreaker, Route: "orders",
		Delay: 5 * time.Second, Reason: telemetry.ReasonStatus, StatusCode: 503,
	})
	// Output:
	// level=ERROR msg=OnCircuitOpened route=orders strategy=CircuitBreaker status=503 reason=status delay=5s
}
